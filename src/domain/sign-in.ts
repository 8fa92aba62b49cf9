import type { NewKey } from "./keys.ts";

/** What ties the answer of a provider to the browser that was sent there. */
export type SignInChecks = Readonly<Record<"state" | "nonce" | "verifier", string>>;

/** Signs people in at a provider of OpenID Connect. Each request to the provider takes ten seconds at most. */
export interface SignIn {
  /** Returns the address of the provider to which the browser goes. @throws DossierError `unreachable`, `timeout` */
  start(callback: URL): Promise<{ address: URL; checks: SignInChecks }>;
  /** Returns who has signed in. `answer` is the address with which the browser came back. @throws DossierError `unauthorized` too */
  finish(answer: URL, checks: SignInChecks): Promise<NewKey>;
}

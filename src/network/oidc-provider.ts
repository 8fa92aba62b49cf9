import * as oidc from "openid-client";
import { z } from "zod";
import { type NewKey, type Scope, TenantSchema } from "../domain/keys.ts";
import type { SignIn, SignInChecks } from "../domain/sign-in.ts";
import { DossierError, type ErrorCode } from "../errors.ts";
import { fieldsOf, textOf } from "../util/json-fields.ts";
import { createServerFetch } from "./configured-server.ts";
import type { Proxies } from "./proxies.ts";

const LIMIT_SECONDS = 10;
const MAX_ANSWER_BYTES = 1_000_000;

interface Settings {
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_TENANT: string;
  readonly OIDC_TENANT_CLAIM?: string | undefined;
  readonly OIDC_SCOPES: readonly Scope[];
}

/** Signs people in by the authorization code flow with PKCE. The provider is asked for its addresses at the first sign-in. */
export function openOidcProvider(issuer: URL, settings: Settings, proxies: Proxies | null): SignIn & { close(): Promise<void> } {
  const { host: name, href } = issuer;
  const limits = { name, maxBytes: MAX_ANSWER_BYTES, onBroken: () => undefined, anyOrigin: true };
  const { fetch, close } = createServerFetch(href, limits, proxies);
  const options = {
    execute: [oidc.enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [oidc.allowInsecureRequests] : [])],
    timeout: LIMIT_SECONDS,
    [oidc.customFetch]: fetch as oidc.CustomFetch,
  };
  const { OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET: secret } = settings;
  const authentication = secret === undefined ? oidc.None() : authenticationBy(secret);
  let known: oidc.Configuration | null = null;
  const configuration = async (): Promise<oidc.Configuration> => {
    const discovering = () => oidc.discovery(issuer, OIDC_CLIENT_ID, undefined, authentication, options);
    known ??= await discovering().catch(failWith(name, "unreachable"));
    return known;
  };
  return {
    close,
    async start(callback) {
      const checks = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const address = oidc.buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: callback.href, scope: "openid email", state: checks.state, nonce: checks.nonce },
        ...{ code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier), code_challenge_method: "S256" },
      });
      return { address, checks };
    },
    async finish(answer, checks) {
      const asked = askClaims(await configuration(), answer, checks);
      return personOf(href, settings, await asked.catch(failWith(name, "unauthorized")));
    },
  };
}

/** A provider that does not say how clients show their secret takes it in the header. */
function authenticationBy(secret: string): oidc.ClientAuth {
  return (server, ...request) => {
    const isForHeader = server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") ?? true;
    (isForHeader ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret))(server, ...request);
  };
}

/** Returns what the provider says of a person: in the signed token, and at the address for the rest. */
async function askClaims(configuration: oidc.Configuration, answer: URL, { state, nonce, verifier }: SignInChecks) {
  const expected = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  const tokens = await oidc.authorizationCodeGrant(configuration, answer, expected);
  const signed = fieldsOf(tokens.claims());
  const subject = textOf(signed["sub"]);
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  return { subject, claims: [signed, hasMore ? fieldsOf(await oidc.fetchUserInfo(configuration, tokens.access_token, subject)) : {}] };
}

function personOf(issuer: string, settings: Settings, { subject, claims }: Awaited<ReturnType<typeof askClaims>>): NewKey {
  const { OIDC_TENANT, OIDC_TENANT_CLAIM: claim, OIDC_SCOPES: scopes } = settings;
  // An address counts only with the word of the same source that it is verified.
  const verified = claims.filter(({ email_verified: isVerified }) => isVerified === true);
  const email = verified.map((one) => z.email().safeParse(one["email"]).data).find((address) => address !== undefined);
  const tenant = TenantSchema.safeParse(claim === undefined ? OIDC_TENANT : claims.map((one) => one[claim]).find((value) => value != null));
  if (tenant.success) return { name: `oidc:${email ?? `${issuer}#${subject}`}`, tenant: tenant.data, scopes, expiresAt: null };
  const why = `no tenant is in the claim ${claim} of the sign-in provider, which ${tenant.error.issues[0]?.message}`;
  throw new DossierError("unauthorized", `Nobody was signed in: ${why}. Ask the operator of this server.`);
}

/** Says why nobody was signed in. `code` is for failures that have none of their own. */
const failWith = (host: string, code: ErrorCode) => (error: unknown) => {
  const { error: kind, error_description: description, message, code: reason, cause } = fieldsOf(error);
  const known = [error, cause].find((one) => one instanceof DossierError);
  const said = [kind, description].map(textOf).filter(Boolean).join(", ") || textOf(message);
  const isRefused = error instanceof oidc.WWWAuthenticateChallengeError;
  const why = known?.message ?? `${isRefused ? "it refuses OIDC_CLIENT_ID with OIDC_CLIENT_SECRET" : said}.`;
  const advice = "Nobody was signed in. Start again; if it stays so, tell the operator of this server, who can read more in its log.";
  const own = known?.code ?? (reason === "OAUTH_TIMEOUT" ? "timeout" : code);
  throw new DossierError(own, `The sign-in provider ${host}: ${why} ${advice}`, { cause: error });
};

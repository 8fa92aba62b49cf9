import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { onTestFinished, vi } from "vitest";
import { startService, type TestService } from "./start-service.ts";

const CLIENT_SECRET = "the-secret-of-the-client-0123456789";

/** What the provider says of each account. */
const ACCOUNTS: Readonly<Record<string, object>> = {
  alice: { email: "alice@example.org", email_verified: true, team: "acme" },
  mallory: { email: "alice@example.org", email_verified: false, team: "../acme" },
};

export interface OidcService extends TestService {
  readonly issuer: string;
  /** Takes the provider off the network. */
  stopProvider(): Promise<void>;
  /** Brings it back to its port. */
  startProvider(): Promise<void>;
}

/** The service with a real provider, on another host name of this machine, so that a browser counts the two as different sites. */
export async function startWithProvider(environment: Readonly<Record<string, string>> = {}): Promise<OidcService> {
  const server = createServer();
  const listen = async (port: number): Promise<void> => void (await once(server.listen(port, "localhost"), "listening"));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://localhost:${port}`;
  const stopProvider = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  onTestFinished(stopProvider);
  const settings = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "dossier", OIDC_CLIENT_SECRET: CLIENT_SECRET, ...environment };
  const service = await startService({ environment: settings });
  // It says at length that its memory and its times are for development.
  for (const level of ["info", "warn"] as const) vi.spyOn(console, level).mockReturnValue();
  const provider = new Provider(issuer, configurationFor(`${service.url}/session/oidc/callback`));
  const answer = provider.callback();
  server.on("request", (request, response) => {
    const account = /^\/sign-in\/[\w-]+(?:\?as=(\w+))?$/.exec(request.url ?? "");
    if (account === null) answer(request, response);
    else if (account[1] === undefined) askWho(request, response);
    else void provider.interactionFinished(request, response, { login: { accountId: account[1] } });
  });
  return { ...service, issuer, stopProvider, startProvider: () => listen(port) };
}

function askWho({ url }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("content-type", "text/html").end(`<h1>Who are you?</h1><a href="${url}?as=alice">alice</a>`);
}

function configurationFor(callback: string): object {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return {
    clients: [{ client_id: "dossier", client_secret: CLIENT_SECRET, redirect_uris: [callback], id_token_signed_response_alg: "ES256" }],
    jwks: { keys: [{ ...key, alg: "ES256", use: "sig", kid: "1" }] },
    cookies: { keys: ["for-tests"] },
    claims: { openid: ["sub", "team"], email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId, ...ACCOUNTS[accountId] }) }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }: GrantContext) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  };
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
  };
}

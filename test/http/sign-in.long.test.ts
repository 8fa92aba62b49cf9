import { expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../fakes/loopback-server.ts";
import { startService } from "../helpers/start-service.ts";

it("gives up a sign-in at a provider that takes the request and says nothing", async () => {
  const provider = await startLoopback(() => undefined);
  onTestFinished(() => provider.close());
  const { url } = await startService({ environment: { OIDC_ISSUER: provider.url, OIDC_CLIENT_ID: "dossier" } });
  const response = await fetch(`${url}/session/oidc`);
  expect(await response.json()).toMatchObject({ status: 504, code: "timeout", detail: expect.stringContaining("operation timed out") });
});

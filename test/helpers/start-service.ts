import type { KeyStore } from "../../src/domain/keys.ts";
import { type LogLine, startApp } from "../http/app-under-test.ts";
import { type OpenOptions, openDossier, type TestDossier } from "./open-dossier.ts";

export interface TestService extends TestDossier {
  /** The address of the service. */
  readonly url: string;
  readonly keys: KeyStore;
  /** What the HTTP part has logged. */
  readonly logLines: readonly LogLine[];
  /** Asks a question and returns the body of the answer, after the run has ended. */
  ask(body: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The whole service on a loopback socket, closed when the test has finished. */
export async function startService(options: OpenOptions): Promise<TestService> {
  const dossier = await openDossier(options);
  const { runs, threads, operations, tenancy } = dossier;
  const { url, logLines } = await startApp({ runs, threads, operations, tenancy });
  return {
    ...dossier,
    keys: tenancy.keys,
    url,
    logLines,
    async ask(body) {
      const headers = { "content-type": "application/json", prefer: "wait=60" };
      const response = await fetch(`${url}/research`, { method: "POST", headers, body: JSON.stringify(body) });
      if (response.status !== 202) return response.json();
      // The machine is busy: the run has not ended within the wait.
      const { id } = (await response.json()) as { id: string };
      await dossier.finish(id);
      return (await fetch(`${url}/research/${id}`)).json();
    },
  };
}

import { readFile } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { type SeenRequest, seeRequest } from "../../contracts/recorded-request.ts";
import { startLoopback } from "../../fakes/loopback-server.ts";

const FOLDER = new URL("../../fixtures/services/sec-edgar/", import.meta.url);

/** The file that answers a path (the part after the host). */
const FILES: Readonly<Record<string, string>> = {
  "/www.sec.gov/files/company_tickers.json": "company_tickers.json",
  "/data.sec.gov/submissions/CIK0000320193.json": "submissions-CIK0000320193.json",
  "/data.sec.gov/submissions/CIK0000350001.json": "submissions-CIK0000350001.json",
  "/data.sec.gov/submissions/CIK0000320193-submissions-001.json": "CIK0000320193-submissions-001.json",
  "/data.sec.gov/api/xbrl/companyfacts/CIK0000320193.json": "companyfacts-CIK0000320193.json",
  "/data.sec.gov/api/xbrl/companyconcept/CIK0000320193/us-gaap/AccountsPayableCurrent.json":
    "companyconcept-CIK0000320193-AccountsPayableCurrent.json",
  "/data.sec.gov/api/xbrl/frames/us-gaap/AccountsPayableCurrent/USD/CY2019Q1I.json": "frames-AccountsPayableCurrent-CY2019Q1I.json",
  "/efts.sec.gov/LATEST/search-index": "search-index.json",
  "/www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm": "aapl-20240928.htm",
  "/www.sec.gov/Archives/edgar/data/320193/000032019324000081/aapl-20240629.htm": "aapl-20240629.htm",
};

export interface EdgarServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

/** What is sent instead of the file: another file of the folder with a status, or null for the file itself. */
export type Instead = (request: SeenRequest) => { readonly status: number; readonly file: string } | null;

/** EDGAR's three hosts behind one address; for unknown paths it answers 404 with the XML of S3. */
export async function startEdgar(instead: Instead = () => null): Promise<EdgarServer> {
  const requests: SeenRequest[] = [];
  const server = await startLoopback(async (incoming, response) => {
    const request = await seeRequest(incoming);
    requests.push(request);
    const known = FILES[request.url.pathname];
    const { status, file } =
      instead(request) ?? (known === undefined ? { status: 404, file: "no-such-key.xml" } : { status: 200, file: known });
    response.writeHead(status).end(await readFile(new URL(file, FOLDER)));
  });
  onTestFinished(() => server.close());
  return { url: server.url, requests };
}

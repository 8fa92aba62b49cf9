import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { DocumentExtractor } from "../../src/domain/ports/sources.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { openDossier } from "../helpers/open-dossier.ts";

const PAGE = `<!DOCTYPE html><html lang="en"><head><title>Aldermoor</title></head><body><article><h1>Aldermoor</h1>
<p>The lighthouse of Aldermoor was built in 1874 by Ada Penrose. ${"Its lamp burns whale oil and can be seen from far away. ".repeat(20_000)}</p>
</article></body></html>`;

function keptRows(dir: string): number {
  const database = new Database(join(dir, "data", "dossier.sqlite"), { readonly: true });
  try {
    return database.prepare("select count(*) from replies").pluck().get() as number;
  } finally {
    database.close();
  }
}

it("does not download a page again that had arrived when the process ended", async () => {
  const server = await startLoopback((request, response) => {
    if (request.url?.startsWith("/search") !== true) return void response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    const result = { title: "Aldermoor", url: `http://${request.headers.host}/aldermoor`, content: "A lighthouse." };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results: [result] }));
  });
  const environment = { SOURCES: "searxng", SEARXNG_BASE_URL: server.url, ALLOWED_PRIVATE_HOSTS: new URL(server.url).host };
  let isReading = false;
  const hanging: DocumentExtractor = {
    async extract() {
      isReading = true;
      return new Promise(() => undefined);
    },
  };
  const first = await openDossier({ environment, parts: { extractor: hanging } });
  const { id } = await first.start({ question: "Who built the lighthouse of Aldermoor?" });
  await expect.poll(() => isReading).toBe(true);
  await expect.poll(() => keptRows(first.dir)).toBe(1);
  await first.close(0);

  const second = await openDossier({ environment, dir: first.dir });
  await second.recover();
  const { status, report } = await second.finish(id);
  expect(status).toBe("succeeded");
  expect(report?.sources).toMatchObject([{ url: `${server.url}/aldermoor`, status: "read" }]);
  expect(server.requests.filter((url) => url === "/aldermoor")).toHaveLength(1);
  expect(server.requests).toHaveLength(2);
  expect(keptRows(first.dir)).toBe(0);
  await server.close();
});

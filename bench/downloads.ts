import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { compose, type Dossier } from "../src/compose.ts";
import { readConfig } from "../src/config.ts";
import { sourceIdOf } from "../src/domain/hit.ts";
import type { SearchSource } from "../src/domain/ports/sources.ts";
import { ResearchRequestSchema } from "../src/domain/request.ts";
import { finding } from "../test/helpers/search-answer.ts";

// Measures how long the download node takes for twelve documents of twelve slow hosts. bench/README.md explains the result.

const DELAY_MS = 300;
const DOCUMENTS = 12;
const ROUNDS = 7;
const TENANT = "default";
const PARAGRAPH = "<p>The lamp of Aldermoor burns whale oil, and its keeper lights it every evening of the year.</p>";
const PAGE = `<!doctype html><html><head><title>Lamps</title></head><body><article>${PARAGRAPH.repeat(20)}</article></body></html>`;

/** Serves a page of about 2 KB after DELAY_MS. */
async function startServer() {
  const server = createServer(async (_, response) => {
    await setTimeout(DELAY_MS);
    response.writeHead(200, { "content-type": "text/html", "cache-control": "no-store" }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

function createSource(hosts: readonly string[]): SearchSource {
  const titleFor = (i: number) => Array.from({ length: 5 }, (_, k) => `w${i}x${k}`).join(" ");
  return {
    id: "pages",
    kind: "web",
    title: "Pages",
    search: finding(() => {
      return hosts.map((host, i) => {
        const url = `http://${host}/`;
        return {
          id: sourceIdOf(url),
          kind: "web",
          title: titleFor(i),
          url,
          publishedAt: null,
          foundBy: "pages",
          contentHash: null,
          snippet: titleFor(i),
        };
      });
    }),
  };
}

/** Executes a run and returns the milliseconds between the start and the end of its download node. */
async function measure({ runs }: Dossier): Promise<number> {
  const { id } = await runs.start(TENANT, ResearchRequestSchema.parse({ question: "What burns in the lamp of Aldermoor?" }));
  const signal = new AbortController().signal;
  const run = await runs.wait(TENANT, id, { timeoutMs: 30_000, signal });
  const read = run.report?.ledger.filter(({ what, outcome }) => what === "download" && outcome === "found").length;
  if (read !== DOCUMENTS) throw new Error(`${read} of ${DOCUMENTS} documents were read.`);
  const times = new Map<string, number>();
  for await (const page of runs.follow(TENANT, id, { after: 0, signal, heartbeatMs: 1_000 })) {
    for (const event of page ?? []) {
      if ((event.type === "node-started" || event.type === "node-ended") && event.node === "download")
        times.set(event.type, Date.parse(event.at));
    }
  }
  return (times.get("node-ended") ?? Number.NaN) - (times.get("node-started") ?? Number.NaN);
}

const home = await mkdtemp(join(tmpdir(), "dossier-bench-"));
const { server, port } = await startServer();
const hosts = Array.from({ length: DOCUMENTS }, (_, i) => `doc${i}.example:${port}`);
const environment = {
  DATA_DIR: join(home, "data"),
  CORPUS_DIR: home,
  LOG_LEVEL: "silent",
  SOURCES: "pages",
  ALLOWED_PRIVATE_HOSTS: hosts.join(","),
};
const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
const dossier = await compose(readConfig(environment), { sources: [createSource(hosts)], network: { resolve } });
try {
  await measure(dossier);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await measure(dossier));
  const nodeMs = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  process.stdout.write(
    `${JSON.stringify({ documents: DOCUMENTS, slowestMs: DELAY_MS, nodeMs, ratio: Number((nodeMs / DELAY_MS).toFixed(2)), took: times })}\n`,
  );
} finally {
  await dossier.close(0);
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true, force: true });
}

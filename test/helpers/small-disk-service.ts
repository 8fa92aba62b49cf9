import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { buildApp } from "../../src/http/build-app.ts";

/**
 * Runs in its own mount namespace, where `disk` is a small file system: executes a run, makes the disk full, starts the
 * service again, and prints what it answers.
 */
const [disk = ""] = process.argv.slice(2);
const corpus = join(disk, "corpus");
const filler = join(disk, "filler");
const config = readConfig({ DATA_DIR: join(disk, "data"), CORPUS_DIR: corpus, SOURCES: "corpus", LOG_LEVEL: "error" });
const request = ResearchRequestSchema.parse({ question: "Who built the lighthouse of Aldermoor?" });

async function executeOne(): Promise<string> {
  const dossier = await compose(config);
  const { id } = await dossier.runs.start("default", request);
  await dossier.runs.wait("default", id, { timeoutMs: 60_000, signal: new AbortController().signal });
  await dossier.runs.start("default", request);
  await dossier.close(0);
  return id;
}

function fillDisk(): void {
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(size));
    } catch {
      // The next size fills what is left.
    }
  }
}

async function serve(id: string): Promise<void> {
  const dossier = await compose(config);
  const app = await buildApp(dossier);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const unfinished = await dossier.recover();
  const get = async (path: string) => fetch(url + path);
  const start = (): Promise<Response> =>
    fetch(`${url}/research`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });
  const statusOf = async (path: string) => (await get(path)).status;
  const run = (await (await get(`/research/${id}`)).json()) as { status: string; report: { citations: { contentHash: string }[] } };
  const paths = [
    "/research",
    "/healthz",
    "/readyz",
    ...["events", "report", "recording", "bundle"].map((part) => `/research/${id}/${part}`),
  ];
  const document = `/research/${id}/documents/${run.report.citations[0]?.contentHash}`;
  const reads: Record<string, number> = { document: await statusOf(document) };
  for (const path of paths) reads[path.replace(id, "id")] = await statusOf(path);
  const refused = (await (await start()).json()) as { status: number; code: string };
  rmSync(filler, { force: true });
  let later = await start();
  for (; later.status === 503; later = await start()) await nextTurn();
  const { status, code } = refused;
  const result = { unfinished, run: run.status, reads, refused: { status, code }, later: later.status };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  await app.close();
  await dossier.close(0);
}

mkdirSync(corpus);
writeFileSync(join(corpus, "lighthouse.md"), "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.\n");
const id = await executeOne();
fillDisk();
await serve(id);
process.exit(0);

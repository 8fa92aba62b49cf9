import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ThreadMaterial } from "../../src/domain/ports/material.ts";
import type { Run } from "../../src/domain/run.ts";
import { startServer } from "../e2e/server-process.ts";
import { pdfOf } from "../helpers/made-files.ts";
import { makeHome } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";
import { formOf, type GivenFile } from "../helpers/uploading.ts";
import { type DiesAt, dying } from "./die-at.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;
const LAMP = "The lamp of Tolmere burns colza oil and was first lit in 1874.";
const FILES: readonly GivenFile[] = [
  ["lamp.pdf", pdfOf([LAMP]), "application/pdf"],
  ["守塔人.pdf", pdfOf(["托尔米尔的守塔人名叫李明。"], "chinese"), "application/pdf"],
  ["wall.md", "# Wall\n\nThe harbour wall of Tolmere is four hundred metres long.\n"],
];
const REQUEST = { question: "When was the lamp of Tolmere first lit?", threadId: "T" };

/** The bytes of the upload as a client sends them. */
async function requestBytes(port: string): Promise<Buffer> {
  const sent = new Request("http://localhost/research", { method: "POST", body: formOf(REQUEST, FILES) });
  const body = Buffer.from(await sent.arrayBuffer());
  const head = [
    ...["POST /research HTTP/1.1", `host: 127.0.0.1:${port}`, "idempotency-key: upload-1"],
    ...[`content-type: ${sent.headers.get("content-type")}`, `content-length: ${body.byteLength}`, "", ""],
  ];
  return Buffer.concat([Buffer.from(head.join("\r\n")), body]);
}

it.each([
  ["in the middle of its files", 0.6, null],
  ["when they have arrived", 1, null],
  ["before any is kept", 1, { of: "into thread_", nth: 1, turns: 0 }],
  ["when some are kept", 1, { of: "into thread_documents ", nth: 2, turns: 1 }],
] as const)(
  "after a kill during an upload, %s, the thread has only whole documents, and the same request is answered",
  async (_, share, death) => {
    const dir = await makeHome({});
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const start = async (dies: DiesAt | null = null) => {
      const port = await freePort();
      const own = { DATA_DIR: join(dir, "data"), CORPUS_DIR: dir, PORT: String(port), SOURCES: "corpus" };
      return startServer(SERVICE, [], { ...own, ...(dies !== null && { NODE_OPTIONS: dying(dies) }) }, port);
    };
    const first = await start(death);
    const { port } = new URL(first.url);
    const bytes = await requestBytes(port);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    await new Promise((sent) => socket.write(bytes.subarray(0, Math.floor(bytes.byteLength * share)), sent));
    if (death === null) await first.stop("SIGKILL");
    else await first.ended;
    socket.destroy();

    const second = await start();
    const list = async () => (await (await fetch(`${second.url}/threads/T/documents`)).json()) as ThreadMaterial;
    const kept = (await list()).documents ?? [];
    if (share < 1) expect(kept).toEqual([]);
    for (const { contentHash, characters } of kept) {
      const text = await (await fetch(`${second.url}/threads/T/documents/${contentHash}`)).text();
      expect(text.length).toBe(characters);
    }
    const headers = { "idempotency-key": "upload-1", prefer: "wait=60" };
    const answer = await fetch(`${second.url}/research`, { method: "POST", headers, body: formOf(REQUEST, FILES) });
    const { id } = (await answer.json()) as Run;
    await expect.poll(async () => ((await (await fetch(`${second.url}/research/${id}`)).json()) as Run).status).toBe("succeeded");
    const run = (await (await fetch(`${second.url}/research/${id}`)).json()) as Run;
    expect(run.report?.citations[0]?.quote).toBe(LAMP);
    expect((await list()).documents.map(({ name }) => name).toSorted()).toEqual(["lamp.pdf", "wall.md", "守塔人.pdf"]);
    const all = (await (await fetch(`${second.url}/research`)).json()) as { runs: Run[] };
    expect(all.runs.map((one) => one.id)).toEqual([id]);
  },
);

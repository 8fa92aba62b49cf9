import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { MAX_THREAD_BYTES } from "../../src/domain/upload.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { startService } from "../helpers/start-service.ts";
import { askWith } from "../helpers/uploading.ts";

const signal = new AbortController().signal;
const fileOf = (text: string) => ({ name: `${text}.txt`, mediaType: "text/plain", bytes: Buffer.from(text) });

it("takes no more files into a thread than it can have bytes, and names the others", async () => {
  const dossier = await openDossier();
  await dossier.threads.add({ tenant: TENANT, threadId: "A" }, { files: [fileOf("租约")], urls: [] }, signal);
  const database = new Database(join(dossier.dir, "data", "dossier.sqlite"));
  database.prepare("update thread_documents set bytes = ?").run(MAX_THREAD_BYTES - 8);
  database.close();
  const two = [fileOf("灯塔"), fileOf("港口")];
  const { documents, leftOut } = await dossier.threads.add({ tenant: TENANT, threadId: "A" }, { files: two, urls: [] }, signal);
  expect([documents.length, leftOut]).toMatchObject([2, [{ path: "港口.txt", code: "document_too_large" }]]);
  await expect(dossier.threads.add({ tenant: TENANT, threadId: "A" }, { files: two.slice(1), urls: [] }, signal)).rejects.toMatchObject({
    code: "document_too_large",
    faults: [{ path: "/documents/0" }],
  });
  expect((await dossier.threads.list(TENANT, "A")).documents).toHaveLength(2);
});

it("serves the file of a document only while its bytes are those that were read", async () => {
  const service = await startService({});
  const { id, threadId } = await askWith(service, { question: "灯里烧什么？" }, [["灯塔.txt", "灯里烧鲸油。"]]);
  const [{ contentHash = "" } = {}] = (await service.threads.list(TENANT, threadId)).documents;
  const original = () => fetch(`${service.url}/research/${id}/documents/${contentHash}/original`);
  expect(await (await original()).text()).toBe("灯里烧鲸油。");
  const database = new Database(join(service.dir, "data", "dossier.sqlite"));
  database.prepare("update thread_originals set body = ?").run(Buffer.from("灯里烧煤油。"));
  database.close();
  const answer = await original();
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }]);
});

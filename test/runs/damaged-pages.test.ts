import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import { startServer } from "../e2e/server-process.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";
import { spoilPages } from "../helpers/spoil-pages.ts";
import { postJson } from "../http/app-under-test.ts";

const SERVER = new URL("../../src/server.ts", import.meta.url).pathname;
const QUESTION = "Who built the lighthouse of Aldermoor?";
const DAMAGED = { code: "storage_damaged", message: expect.stringContaining("restore a backup: npm run restore -- FILE") };

/** The folder of a service that was closed after one run, and whose pages of a table or an index were then damaged. */
async function damagedFolder(name: string): Promise<{ dir: string; id: string }> {
  const dossier = await openDossier();
  const { id } = await dossier.start({ question: QUESTION });
  await dossier.finish(id);
  await dossier.close(0);
  spoilPages(dossier.dir, name);
  return { dir: dossier.dir, id };
}

it.each(["documents", "journal", "events"])("says that the database is damaged when a reader meets damaged pages of %s", async (name) => {
  const { dir, id } = await damagedFolder(name);
  const dossier = await openDossier({ dir });
  await expect(dossier.recordingLines(id)).rejects.toMatchObject(DAMAGED);
  expect(dossier.damaged.reason).toMatchObject(DAMAGED);
});

it("says so too when a text is not as it was stored, which SQLite does not notice", async () => {
  const dossier = await openDossier();
  const { id } = await dossier.start({ question: QUESTION });
  const [citation] = (await dossier.finish(id)).report?.citations ?? [];
  await dossier.close(0);
  const database = new Database(join(dossier.dir, "data", "dossier.sqlite"));
  database.prepare("update documents set text = replace(text, 'a', 'b')").run();
  database.close();
  const again = await openDossier({ dir: dossier.dir });
  await expect(again.runs.document(TENANT, id, citation?.contentHash ?? "")).rejects.toMatchObject(DAMAGED);
  expect(again.damaged.reason).toMatchObject(DAMAGED);
});

it("writes nothing more and leaves unfinished runs to the next process", async () => {
  const { dir } = await damagedFolder("document_details");
  const dossier = await openDossier({ dir });
  const errors = vi.spyOn(dossier.logger, "error");
  const { id } = await dossier.start({ question: QUESTION });
  await expect.poll(() => dossier.damaged.aborted).toBe(true);
  await expect.poll(() => dossier.operations.work().active).toBe(0);
  expect(errors.mock.calls.map(([fields]) => fields)).toContainEqual(expect.objectContaining({ runId: id, code: "storage_damaged" }));
  await expect(dossier.start({ question: QUESTION })).rejects.toMatchObject(DAMAGED);
  expect((await dossier.runs.get(TENANT, id)).status).toBe("running");
});

it("stops the service with an error that names the backup", async () => {
  const { dir } = await damagedFolder("document_details");
  const port = await freePort();
  const service = await startServer(SERVER, [], { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), PORT: String(port) }, port);
  await postJson(`${service.url}/research`, { question: QUESTION }).catch(() => null);
  await service.ended;
  expect(service.child.exitCode).toBe(1);
  expect(JSON.parse(service.log().trim().split("\n").at(-1) ?? "")).toMatchObject({ code: DAMAGED.code, msg: DAMAGED.message });
});

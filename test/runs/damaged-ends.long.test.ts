import { expect, it, onTestFinished, vi } from "vitest";
import { buildApp } from "../../src/http/build-app.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { spoilPages } from "../helpers/spoil-pages.ts";
import { turns } from "../helpers/turns.ts";
import { withStorage } from "../helpers/with-storage.ts";
import { postJson } from "../http/app-under-test.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const REFUSED = { status: 503, code: "storage_damaged", detail: expect.stringContaining("Restore a backup") };

/** A service over HTTP that was stopped after one run, and whose pages of `name` were then damaged. */
async function serveDamaged(name: string) {
  const first = await openDossier();
  const { id: ended } = await first.start({ question: QUESTION });
  await first.finish(ended);
  await first.close(0);
  spoilPages(first.dir, name);
  const { graphs, stored } = withStorage();
  const dossier = await openDossier({ dir: first.dir, parts: { graphs } });
  const [requeues, claims] = [vi.spyOn(stored().runs, "requeueUnfinished"), vi.spyOn(stored().runs, "claim")];
  const errors = vi.spyOn(dossier.logger, "error");
  const app = await buildApp(dossier);
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  await dossier.recover();
  const json = async (answer: Promise<Response>): Promise<unknown> => (await answer).json();
  const triedToBegin = () => requeues.mock.calls.length + claims.mock.calls.length;
  return { dossier, url, json, ended, triedToBegin, logged: () => errors.mock.calls.map(([, message]) => message) };
}

it("fails a run in memory whose end cannot be stored, says so everywhere, logs it once, and begins no other run", async () => {
  const { dossier, url, json, logged } = await serveDamaged("runs_ended");
  const { id } = await dossier.start({ question: "谁建造了奥尔德穆尔的灯塔？" });
  const failed = { id, status: "failed", report: null, error: { code: "storage_damaged", message: expect.stringContaining(id) } };
  expect(await dossier.finish(id)).toMatchObject(failed);
  expect(await json(fetch(`${url}/research/${id}`))).toMatchObject(failed);
  expect(await json(fetch(`${url}/research?limit=1`))).toMatchObject({ runs: [{ id, status: "failed" }] });
  expect(await json(fetch(`${url}/research?status=running`))).toMatchObject({ runs: [] });
  expect((await dossier.events(id)).at(-1)).toMatchObject({ type: "run-ended", status: "failed" });
  expect(await json(fetch(`${url}/research/${id}/cancel`, { method: "POST" }))).toMatchObject({ status: 409, code: "run_finished" });
  expect(await json(fetch(`${url}/readyz`))).toMatchObject(REFUSED);
  expect(await json(postJson(`${url}/research`, { question: QUESTION }))).toMatchObject(REFUSED);
  await turns(1_000);
  expect(logged().filter((message) => message?.startsWith("run failed"))).toHaveLength(1);
  expect(dossier.operations.work().active).toBe(0);
  await dossier.close(0);
  const restarted = await openDossier({ dir: dossier.dir });
  await restarted.recover();
  expect(await restarted.finish(id)).toMatchObject({ status: "failed", error: { code: "storage_damaged" } });
});

it("fails a run whose documents meet damaged pages, also if its log is written in the same transaction", async () => {
  const { dossier } = await serveDamaged("document_details");
  const { id } = await dossier.start({ question: QUESTION });
  expect(await dossier.finish(id)).toMatchObject({ status: "failed", error: { code: "storage_damaged" } });
  expect((await dossier.events(id)).map(({ type }) => type)).not.toContain("run-restarted");
});

it("ends a run although what its attempts kept cannot be deleted", async () => {
  const { dossier } = await serveDamaged("sqlite_autoindex_replies_1");
  const { id } = await dossier.start({ question: QUESTION });
  expect(await dossier.finish(id)).toMatchObject({ status: "failed", error: { code: "storage_damaged" } });
  await dossier.close(0);
  const restarted = await openDossier({ dir: dossier.dir });
  expect((await restarted.runs.get(TENANT, id)).status).toBe("failed");
});

it("refuses runs while no queued run can begin, and logs that once", async () => {
  const { url, json, logged, triedToBegin } = await serveDamaged("runs_running");
  expect(await json(postJson(`${url}/research`, { question: QUESTION }))).toMatchObject(REFUSED);
  expect(await json(fetch(`${url}/readyz`))).toMatchObject(REFUSED);
  // It tries again each second.
  await expect.poll(triedToBegin).toBeGreaterThan(2);
  expect(logged().filter((message) => message?.startsWith("could not claim"))).toHaveLength(1);
});

it.each(["documents", "document_details", "events", "journal"])(
  "answers for a recording and a bundle whose %s cannot be read before their body begins",
  async (name) => {
    const { ended, url, json } = await serveDamaged(name);
    const damaged = { status: 500, code: "storage_damaged", detail: expect.stringContaining("damaged") };
    expect(await json(fetch(`${url}/research/${ended}/recording`))).toMatchObject(damaged);
    if (name !== "journal") expect(await json(fetch(`${url}/research/${ended}/bundle`))).toMatchObject(damaged);
  },
);

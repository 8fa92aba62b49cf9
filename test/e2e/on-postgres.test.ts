import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { createDatabase, cutConnections } from "../helpers/postgres.ts";
import { withStorage } from "../helpers/with-storage.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

it("answers, remembers, waits, goes on in the next process and deletes", async () => {
  const environment = { DATABASE_URL: await createDatabase() };
  const first = await openDossier({ environment, parts: { graphs: withStorage().graphs } });
  const answered = await first.finish((await first.start({ question: QUESTION, threadId: "T" })).id);
  expect(answered.status).toBe("succeeded");
  const [citation] = answered.report?.citations ?? [];
  const document = await first.runs.document(TENANT, answered.id, citation?.contentHash ?? "");
  expect(document.text.slice(citation?.start, citation?.end)).toBe(citation?.quote);
  const { id } = await first.start({ question: "问\u0000我？ \ud800", graph: "waiting" });
  expect((await first.finish(id)).status).toBe("waiting");
  await first.close(0);

  const second = await openDossier({ dir: first.dir, environment, parts: { graphs: withStorage().graphs } });
  await second.recover();
  let run = await second.finish(id);
  while (run.status === "waiting") {
    for (const { id: pendingId } of run.pending) await second.runs.answer(TENANT, id, { answer: "是", pendingId });
    run = await second.finish(id);
  }
  expect(run.status).toBe("succeeded");
  const events = await second.events(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  await second.runs.delete(TENANT, answered.id);
  expect((await second.runs.list(TENANT, { limit: 9 })).runs.map((one) => one.id)).toEqual([id]);
});

it("stores the events of runs in the order in which they come", async () => {
  const emitted = new Map<string, string[]>();
  const onEvent: Parts["onEvent"] = (run, { type }) => void emitted.set(run.runId, [...(emitted.get(run.runId) ?? []), type]);
  const dossier = await openDossier({ environment: { DATABASE_URL: await createDatabase() }, parts: { onEvent } });
  const runs = await Promise.all(["灯塔建于哪一年？", QUESTION, QUESTION, QUESTION].map((question) => dossier.start({ question })));
  for (const { id } of runs) {
    await dossier.finish(id);
    const stored = (await dossier.events(id)).map(({ type }) => type);
    expect(stored).toEqual(["run-queued", "run-started", ...(emitted.get(id) ?? [])]);
  }
});

it("says that the database cannot be used while its connections end, and goes on by itself", async () => {
  const url = await createDatabase();
  const dossier = await openDossier({ environment: { DATABASE_URL: url } });
  // From now on it looks for runs each second: a claim that is cut is to be made again.
  await dossier.recover();
  const { id } = await dossier.start({ question: QUESTION });
  await cutConnections(url);
  const status = () =>
    dossier.runs.get(TENANT, id).then(
      (run) => run.status,
      () => "unknown",
    );
  await expect.poll(status).toBe("succeeded");
  await expect.poll(() => dossier.operations.ready().then(() => "ready")).toBe("ready");
});

import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { replay } from "../../src/compose.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { change } from "../../src/storage/database.ts";
import { graphParts } from "../chaos/graph-parts.ts";
import { agentDoes, executorDoes } from "../chaos/graph-scenarios.ts";
import { TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { withStorage } from "../helpers/with-storage.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

const seqOf = (events: readonly RunEvent[], type: RunEvent["type"], node: string): number =>
  events.findLast((event) => event.type === type && "node" in event && event.node === node)?.seq ?? expect.fail(`no ${type} of ${node}`);

async function isWhole(dossier: TestDossier, id: string): Promise<void> {
  const events = await dossier.events(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  const recording = await readRecording(await dossier.recordingLines(id));
  const again = await replay(recording, graphParts());
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
}

describe.each(["SQLite", "PostgreSQL"])("a fork in %s", (database) => {
  const environment = async () => (database === "SQLite" ? {} : { DATABASE_URL: await createDatabase() });

  async function answered() {
    const opened = await openWithModel(executorDoes, { parts: graphParts(), environment: await environment() });
    const { id } = await opened.dossier.start({ question: QUESTION, threadId: "T" });
    const run = await opened.dossier.finish(id);
    expect(run.status).toBe("succeeded");
    return { ...opened, run, events: await opened.dossier.events(id), asked: opened.model.requests.length };
  }

  it("asks nothing again of what came before the step, and writes with another model to another question", async () => {
    const { dossier, model, run, events, asked } = await answered();
    const afterSeq = seqOf(events, "node-ended", "download");
    const question = "When was the lighthouse of Aldermoor built?";
    const fork = await dossier.runs.fork(TENANT, run.id, { afterSeq, question, model: "other", systemContext: "Be brief. 请简短。" });
    expect(fork).toMatchObject({ question, threadId: "T", status: expect.stringMatching(/queued|running/) });
    const ended = await dossier.finish(fork.id);
    expect(ended).toMatchObject({ status: "succeeded", question, request: { model: "other" } });
    const later = model.requests.slice(asked);
    expect(later.length).toBeGreaterThan(0);
    for (const request of later) {
      expect(request.body.model).toBe("other");
      expect(JSON.stringify(request.body.messages)).toContain("请简短");
    }
    expect(JSON.stringify(later.at(-1)?.body.messages)).toContain(question);
    expect(ended.report?.citations[0]?.quote).toContain("1874");
    await isWhole(dossier, fork.id);
  });

  it("makes the step anew in which the event falls, and all if that is the first one", async () => {
    const { dossier, model, run, events, asked } = await answered();
    const begun = await dossier.runs.fork(TENANT, run.id, { afterSeq: seqOf(events, "node-started", "summarize") });
    expect((await dossier.finish(begun.id)).status).toBe("succeeded");
    const again = model.requests.length - asked;
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(asked);
    const whole = await dossier.runs.fork(TENANT, run.id, { afterSeq: 1, model: "other" });
    expect((await dossier.finish(whole.id)).status).toBe("succeeded");
    expect(model.requests.slice(asked + again).every(({ body }) => body.model === "other")).toBe(true);
    expect(model.requests).toHaveLength(asked + again + asked);
    await isWhole(dossier, begun.id);
    await isWhole(dossier, whole.id);
  });

  it("keeps the answers of the user that came before", async () => {
    const { dossier, model } = await openWithModel(agentDoes, { parts: graphParts(), environment: await environment() });
    const { id } = await dossier.start({ question: QUESTION, graph: "agent" });
    expect((await dossier.finish(id)).status).toBe("waiting");
    await dossier.runs.answer(TENANT, id, { answer: "The one of Aldermoor." });
    expect((await dossier.finish(id)).status).toBe("succeeded");
    const asked = model.requests.length;
    const afterSeq = seqOf(await dossier.events(id), "node-ended", "act");
    const fork = await dossier.runs.fork(TENANT, id, { afterSeq, systemContext: "Be brief.", question: "谁建造了它？" });
    const ended = await dossier.finish(fork.id);
    expect(ended.status).toBe("succeeded");
    expect(model.requests.length - asked).toBe(1);
    const messages = JSON.stringify(model.requests.at(-1)?.body.messages);
    for (const told of ["Be brief.", "谁建造了它？"]) expect(messages).toContain(told);
    expect(messages).not.toContain(QUESTION);
    await isWhole(dossier, fork.id);
  });

  it("keeps what is changed where a new version of the program restarts a segment that began with an answer", async () => {
    const { graphs, stored } = withStorage();
    const parts = { ...graphParts(), graphs };
    const { dossier, model } = await openWithModel(agentDoes, { parts, environment: await environment() });
    const { id } = await dossier.start({ question: QUESTION, graph: "agent" });
    await dossier.finish(id);
    await dossier.runs.answer(TENANT, id, { answer: "The one of Aldermoor." });
    await dossier.finish(id);
    const afterSeq = seqOf(await dossier.events(id), "node-ended", "act");
    const claims = vi.spyOn(stored().runs, "claim").mockResolvedValue({ runs: [], isHeld: false });
    const fork = await dossier.runs.fork(TENANT, id, { afterSeq, systemContext: "Be brief.", question: "谁建造了它？" });
    await change(stored().database, sql`update segments set fingerprint = 'of another version' where run_id = ${fork.id}`);
    claims.mockRestore();
    const asked = model.requests.length;
    await dossier.recover();
    expect((await dossier.finish(fork.id)).status).toBe("succeeded");
    expect((await dossier.events(fork.id)).some(({ type }) => type === "run-restarted")).toBe(true);
    const later = model.requests.slice(asked).map(({ body }) => JSON.stringify(body.messages));
    expect(later.length).toBeGreaterThan(0);
    for (const messages of later)
      for (const told of ["Be brief.", "谁建造了它？", "The one of Aldermoor."]) expect(messages).toContain(told);
    await isWhole(dossier, fork.id);
  });

  it("refuses what cannot be forked, and stores nothing", async () => {
    const { dossier, run, events } = await answered();
    const fork = dossier.runs.fork(TENANT, run.id, { afterSeq: events.length });
    await expect(fork).rejects.toMatchObject({ code: "invalid_request", faults: [{ path: "/afterSeq" }] });
    await expect(dossier.runs.fork(TENANT, "nothing", { afterSeq: 1 })).rejects.toMatchObject({ code: "not_found" });
    expect((await dossier.runs.list(TENANT, { limit: 9 })).runs).toHaveLength(1);
  });
});

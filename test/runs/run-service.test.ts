import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { Analyst } from "../../src/domain/ports/analyst.ts";
import type { RunFilter } from "../../src/domain/ports/run-service.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import type { DossierError } from "../../src/errors.ts";
import { ANALYSIS_VERSION } from "../../src/ranking/analyze-text.ts";
import { startGated } from "../fakes/gated-server.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { turns } from "../helpers/turns.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

it("answers in English and in Chinese with quotes at their positions", async () => {
  const dossier = await openDossier();
  for (const [question, expected] of [
    [QUESTION, "Ada Penrose"],
    ["奥尔德穆尔灯塔是谁设计的？", "艾达·彭罗斯"],
  ] as const) {
    const { id } = await dossier.start({ question });
    const run = await dossier.finish(id);
    expect(run).toMatchObject({ status: "succeeded", termination: { reason: "completed" } });
    expect(run.report?.markdown).toContain(expected);
    for (const { contentHash, start, end, quote } of run.report?.citations ?? []) {
      expect((await dossier.runs.document(TENANT, id, contentHash)).text.slice(start, end)).toBe(quote);
    }
    expect(run.usage).toMatchObject({ sourceRequests: 1, modelCalls: 0 });
  }
});

it("says so if nothing in scope answers, and lists where it searched", async () => {
  const dossier = await openDossier();
  const { id } = await dossier.start({ question: "Who won the chess tournament of Reykjavik?" });
  const run = await dossier.finish(id);
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "no_answer" } });
  expect(run.report?.claims).toEqual([]);
  expect(run.report?.ledger.map(({ what }) => what)).toContain("search");
  expect(run.report?.markdown).toContain("no answer was found.");
});

it("distinguishes a source that could not be searched from one that found nothing", async () => {
  const dossier = await openDossier({ corpus: {}, environment: { CORPUS_DIR: "/nonexistent/corpus" } });
  const { id } = await dossier.start({ question: QUESTION });
  const run = await dossier.finish(id);
  expect(run.report?.ledger).toMatchObject([{ what: "search", source: "corpus", outcome: "failed", failure: "unreachable" }]);
  expect((await dossier.events(id)).find((event) => event.type === "source-failed")).toMatchObject({
    source: "corpus",
    failure: "unreachable",
  });
});

it("returns the first run for a repeated key, and refuses another body with it", async () => {
  const dossier = await openDossier();
  const start = (question: string) => dossier.runs.start(TENANT, ResearchRequestSchema.parse({ question }), { idempotencyKey: "k1" });
  const runs = await Promise.all([start(QUESTION), start(QUESTION), start(QUESTION)]);
  expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
  await expect(start("Another question?")).rejects.toMatchObject({ code: "idempotency_mismatch" });
  expect((await dossier.runs.list(TENANT, { limit: 10 })).runs).toHaveLength(1);
  const elsewhere = await dossier.runs.start("other", ResearchRequestSchema.parse({ question: QUESTION }), { idempotencyKey: "k1" });
  expect(elsewhere.id).not.toBe(runs[0]?.id);
});

it("executes the runs of a thread one after another and shows later ones the earlier answers", async () => {
  const seen: string[][] = [];
  const server = await startGated();
  const scripted = scriptedAnalyst([[["alpha", { query: "a" }]]]);
  const analyst: Analyst = {
    ...scripted,
    decide(view, effects) {
      if (view.round === 0) seen.push(view.history.map((turn) => turn.question));
      return scripted.decide(view, effects);
    },
  };
  const dossier = await openDossier({ parts: { analyst, tools: [httpTool("alpha", server.url)] } });
  const questions = ["First, who built the lighthouse?", "其次，灯塔的灯用什么？", "Third, where is the harbour?"];
  const runs = [];
  for (const question of questions) runs.push(await dossier.start({ question, threadId: "thread-1" }));
  await server.asked(1);
  await turns(100);
  expect(dossier.operations.work().active).toBe(1);
  server.open();
  for (const { id } of runs) expect((await dossier.finish(id)).status).toBe("succeeded");
  expect(seen).toEqual([[], questions.slice(0, 1), questions.slice(0, 2)]);
  expect(server.peak()).toBe(1);
});

it("executes as many runs at once as configured", async () => {
  const server = await startGated();
  const parts = { analyst: scriptedAnalyst([[["alpha", { query: "a" }]]]), tools: [httpTool("alpha", server.url)] };
  const dossier = await openDossier({ parts, environment: { RUN_CONCURRENCY: "3" } });
  const runs = await Promise.all(Array.from({ length: 8 }, () => dossier.start({ question: QUESTION })));
  await server.asked(3);
  await turns(100);
  expect(dossier.operations.work().active).toBe(3);
  server.open();
  for (const { id } of runs) expect((await dossier.finish(id)).status).toBe("succeeded");
  expect(server.peak()).toBe(3);
});

it("hides a tenant's runs from the others", async () => {
  const dossier = await openDossier();
  const { id } = await dossier.start({ question: QUESTION });
  await dossier.finish(id);
  await expect(dossier.runs.get("other", id)).rejects.toMatchObject({ code: "not_found" });
  await expect(dossier.runs.cancel("other", id)).rejects.toMatchObject({ code: "not_found" });
  await expect(dossier.runs.delete("other", id)).rejects.toMatchObject({ code: "not_found" });
  await expect(Array.fromAsync(dossier.runs.recording("other", id))).rejects.toMatchObject({ code: "not_found" });
  expect((await dossier.runs.list("other", { limit: 10 })).runs).toEqual([]);
});

it("pages through runs, newest first", async () => {
  const dossier = await openDossier();
  const ids = [];
  for (let index = 0; index < 5; index += 1) ids.push((await dossier.start({ question: `Question ${index}?` })).id);
  const first = await dossier.runs.list(TENANT, { limit: 3 });
  const second = await dossier.runs.list(TENANT, { limit: 3, cursor: first.nextCursor ?? "" });
  expect([...first.runs, ...second.runs].map((run) => run.id)).toEqual(ids.reverse());
  expect(second.nextCursor).toBeNull();
  await expect(dossier.runs.list(TENANT, { limit: 3, cursor: "nonsense" })).rejects.toMatchObject({ code: "invalid_request" });
});

it("tells what was asked for, without the conversation", async () => {
  const dossier = await openDossier();
  const asked = { question: QUESTION, depth: "quick", sources: ["corpus"], messages: [{ role: "user", content: "secret" }] } as const;
  const { id } = await dossier.start({ ...asked, sources: ["corpus"], messages: [...asked.messages] });
  const { request } = await dossier.runs.get(TENANT, id);
  expect(request).toMatchObject({ question: QUESTION, graph: "executor", depth: "quick", sources: ["corpus"] });
  expect(request).not.toHaveProperty("messages");
  expect((await dossier.runs.list(TENANT, { limit: 1 })).runs[0]).not.toHaveProperty("request");
});

it("finds runs by what is in their question or title, and by graph, page by page", async () => {
  const dossier = await openDossier();
  const questions = ["Who built the LIGHTHOUSE?", "灯塔是谁设计的？", "Where is the harbour?", "Ｗｈｏ lights the lamp of the lighthouse?"];
  const ids: string[] = [];
  for (const question of questions) ids.push((await dossier.start({ question })).id);
  const found = async (text: string, filter: Partial<RunFilter> = {}) => {
    const { runs, nextCursor } = await dossier.runs.list(TENANT, { text, limit: 10, ...filter });
    return [runs.map(({ id }) => ids.indexOf(id)), nextCursor];
  };
  expect(await found("lighthouse who")).toEqual([[3, 0], null]);
  expect(await found("灯塔")).toEqual([[1], null]);
  expect(await found("50%")).toEqual([[], null]);
  expect(await found(" ")).toEqual([[3, 2, 1, 0], null]);
  expect(await found("", { graph: "research" })).toEqual([[], null]);
  const first = await dossier.runs.list(TENANT, { text: "lighthouse", limit: 1 });
  expect(first.runs.map(({ id }) => id)).toEqual([ids[3]]);
  expect(await found("lighthouse", { limit: 1, cursor: first.nextCursor ?? "" })).toEqual([[0], null]);

  expect(await dossier.runs.rename(TENANT, ids[2] ?? "", "灯塔 and port")).toMatchObject({ title: "灯塔 and port" });
  expect(await found("灯塔")).toEqual([[2, 1], null]);
  await expect(dossier.runs.rename("other", ids[2] ?? "", "mine")).rejects.toMatchObject({ code: "not_found" });
  expect((await dossier.runs.list("other", { text: "灯塔", limit: 10 })).runs).toEqual([]);
});

it("deletes a run with everything that belongs to it, and keeps documents that others use", async () => {
  const dossier = await openDossier();
  const [first, second] = [await dossier.start({ question: QUESTION }), await dossier.start({ question: QUESTION })];
  const run = await dossier.finish(first.id);
  await dossier.finish(second.id);
  const { contentHash = "" } = run.report?.citations[0] ?? {};
  await dossier.runs.delete(TENANT, first.id);
  await expect(dossier.runs.get(TENANT, first.id)).rejects.toMatchObject({ code: "not_found" });
  expect((await dossier.runs.document(TENANT, second.id, contentHash)).text).toContain("Aldermoor");
  expect(await countAnalyses(dossier.dir)).toBeGreaterThan(0);
  await dossier.runs.delete(TENANT, second.id);
  await expect(dossier.runs.document(TENANT, second.id, contentHash)).rejects.toMatchObject({ code: "not_found" });
  expect(await countAnalyses(dossier.dir)).toBe(0);
});

it("deletes the analyses of earlier versions, which nothing reads any more", async () => {
  const first = await openDossier();
  await first.finish((await first.start({ question: QUESTION })).id);
  await first.close(0);
  expect(await countAnalyses(first.dir)).toBeGreaterThan(0);
  const database = new Database(join(first.dir, "data", "dossier.sqlite"));
  database.exec(`update analyses set version = 1;
    insert into analyses (key, content_hash, data, version) select 'now', content_hash, data, ${ANALYSIS_VERSION} from analyses limit 1`);
  database.close();
  const second = await openDossier({ dir: first.dir });
  await second.recover();
  await expect.poll(() => countAnalyses(first.dir)).toBe(1);
});

async function countAnalyses(dir: string): Promise<number> {
  const database = new Database(join(dir, "data", "dossier.sqlite"), { readonly: true });
  const count = database.prepare("select count(*) from analyses").pluck().get() as number;
  database.close();
  return count;
}

it("refuses graphs, sources and limits that this deployment does not have", async () => {
  const dossier = await openDossier();
  await expect(dossier.start({ question: QUESTION, graph: "nonsense" })).rejects.toMatchObject({ code: "unknown_graph" });
  await expect(dossier.start({ question: QUESTION, sources: ["corpus", "arxiv"] })).rejects.toMatchObject({
    code: "unknown_source",
    message: expect.stringMatching(/^Not available here: arxiv\. Nothing was stored\. Choose from: corpus/),
    faults: [{ path: "/sources/1" }],
  });
  await expect(dossier.start({ question: QUESTION, limits: { optionalToolLoops: 4, seconds: 3_601 } })).rejects.toMatchObject({
    code: "limit_too_high",
    faults: [{ path: "/limits/optionalToolLoops" }, { path: "/limits/seconds" }],
  });
});

it("names the faults of all fields at once, each once", async () => {
  const dossier = await openDossier();
  const wrong = {
    sources: ["arxiv"],
    tools: ["计算"],
    since: "2999-01-01",
    model: "m",
    planApproval: true,
    limits: { seconds: 9_999 },
  } as const;
  const refused = await dossier.start({ question: QUESTION, ...wrong } as never).then(fail, (error: DossierError) => error);
  expect(refused.faults.map(({ path }) => path)).toEqual([
    "/planApproval",
    "/since",
    "/limits/seconds",
    "/model",
    "/sources/0",
    "/tools/0",
  ]);
  expect(refused.message).toMatch(
    /^The graph executor makes no plan\. .*Not available here: 计算\. Choose from: .*\. Nothing was stored\.$/,
  );
  expect(refused.message.match(/Nothing was stored/g)).toHaveLength(1);
});

function fail(): never {
  throw new Error("The request was to be refused.");
}

it("lets one process at a time use a data folder", async () => {
  const first = await openDossier();
  await expect(openDossier({ dir: first.dir })).rejects.toMatchObject({ code: "data_dir_in_use" });
  await first.close(0);
  await openDossier({ dir: first.dir });
});

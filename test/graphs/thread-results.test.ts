import { describe, expect, it, onTestFinished } from "vitest";
import { replay } from "../../src/compose.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { scriptedResearch, todo } from "../fakes/scripted-research.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { pageSource } from "../helpers/page-source.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { watch } from "./agent/agent-under-test.ts";

const HEIGHT = "雾川塔高四十一米。 It was built in 1874.";

/** A tool with a server that counts its requests. */
async function startCounted(more: Partial<Tool> = {}) {
  const seen: string[] = [];
  const server = await startLoopback((request, response) => {
    const query = new URL(request.url ?? "", "http://tools").searchParams.get("query") ?? "";
    seen.push(query);
    const source = { title: `On ${query}`, url: "https://example.org/tower", publishedAt: null, snippet: HEIGHT, text: HEIGHT };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: `about ${query}`, sources: [source] }));
  });
  onTestFinished(() => server.close());
  return { seen, tool: { ...httpTool("alpha", server.url), ...more } as Tool };
}

const CALL = { name: "alpha", arguments: { query: "雾川塔" } };

/** Calls the tool once, then answers with what it found. */
function script(request: SeenRequest) {
  const told = contentsOf(request, "tool").join("\n");
  if (offeredTools(request).length > 0 && told === "") return say.toolCalls([CALL]);
  return say.text('The tower is 41 metres tall. [S1: "雾川塔高四十一米。"]');
}

async function open(environment: Readonly<Record<string, string>> = {}, more: Partial<Tool> = {}) {
  const counted = await startCounted(more);
  const clock = jumpingClock();
  const parts = { tools: [counted.tool], clock: clock.now };
  const { dossier, model } = await openWithModel(script, { parts, environment: { SOURCES: "corpus,alpha", ...environment } });
  return {
    ...{ dossier, model, seen: counted.seen, tools: parts.tools },
    later: clock.jump,
    async ask(question: string, request: object = {}) {
      const { id } = await dossier.start({ question, graph: "agent", threadId: "thread", ...request });
      return watch(dossier, id);
    },
  };
}

const toldIn = (request: SeenRequest): string => contentsOf(request, "user").join("\n");

describe("the result of a tool in an earlier run of the thread", () => {
  it("is sent to the model as data, answers an equal call, and can be cited; the run replays alone", async () => {
    const { ask, dossier, model, seen, tools } = await open();
    await ask("How tall is the tower?");
    const { run, of } = await ask("雾川塔有多高？");
    expect(seen).toEqual(["雾川塔"]);
    expect(of("tool-ended")).toMatchObject([{ tool: "alpha", ok: true, reused: true, results: 1 }]);
    expect(of("tool-started")).toEqual([]);
    expect(run.usage.toolCalls).toBe(0);
    expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["雾川塔高四十一米。"]);
    expect(run.report?.ledger).toContainEqual(expect.objectContaining({ source: "alpha", outcome: "reused", results: 1 }));
    expect(toldIn(model.requests[0] as SeenRequest)).not.toContain("<data earlier");
    expect(toldIn(model.requests[2] as SeenRequest)).toMatch(
      /<data earlier \w+>\nalpha \{"query":"雾川塔"\} \(kept, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\nabout 雾川塔\n/,
    );
    expect(model.refused).toEqual([]);

    const recording = await readRecording(await dossier.recordingLines(run.id));
    const again = await replay(recording, { tools });
    expect(again.difference).toBeNull();
    expect(again.events).toEqual(recording.events);
  });

  it("answers an equal call of the executor too, whose report cites it", async () => {
    const { ask, dossier, model, seen } = await open();
    await ask("How tall is the tower?");
    const { id } = await dossier.start({ question: "How tall is the tower?", threadId: "thread" });
    const { of, run } = await watch(dossier, id);
    expect(seen).toHaveLength(1);
    expect(of("tool-ended")[0]).toMatchObject({ tool: "alpha", reused: true, results: 1 });
    expect(run.report?.sources.map(({ url }) => url)).toContain("https://example.org/tower");
    expect(contentsOf(model.requests[2] as SeenRequest, "user").join("\n")).toContain("<data earlier ");
  });

  it("answers no call when it is too old, but is still sent to the model", async () => {
    const { ask, later, model, seen } = await open({ REUSE_TOOL_RESULTS_SECONDS: "60" });
    await ask("How tall is the tower?");
    later(61_000);
    await ask("How tall is the tower?");
    expect(seen).toHaveLength(2);
    expect(toldIn(model.requests[2] as SeenRequest)).toContain("<data earlier ");
  });

  it.each([
    ["the settings allow none", { REUSE_TOOL_RESULTS_SECONDS: "0" }, {}],
    ["the call changes something", {}, { kind: "mutation" as const }],
  ])("answers no call if %s", async (_, environment, more) => {
    const { ask, later, seen } = await open(environment, more);
    await ask("How tall is the tower?");
    later(1);
    await ask("How tall is the tower?");
    expect(seen).toHaveLength(2);
  });

  it("answers no call of another thread, nor when its run was deleted", async () => {
    const { ask, dossier, seen } = await open();
    const { run } = await ask("How tall is the tower?");
    await ask("How tall is the tower?", { threadId: "another" });
    expect(seen).toHaveLength(2);
    await dossier.runs.delete(TENANT, run.id);
    await ask("How tall is the tower?");
    expect(seen).toHaveLength(3);
  });

  it("answers an equal search of the agent without sending it to the sources", async () => {
    const search = { name: "search", arguments: { query: "lighthouse Aldermoor" } };
    const { dossier } = await openWithModel(
      (request) => (contentsOf(request, "tool").length === 0 ? say.toolCalls([search]) : say.text("It was built in 1874.")),
      { parts: { tools: [] } },
    );
    const ask = async () => {
      const { id } = await dossier.start({ question: "When was it built?", graph: "agent", threadId: "thread" });
      return watch(dossier, id);
    };
    const first = await ask();
    const second = await ask();
    expect(first.run.usage.sourceRequests).toBeGreaterThan(0);
    expect(second.run.usage.sourceRequests).toBe(0);
    expect(second.of("tool-ended")[0]).toMatchObject({ tool: "search", reused: true });
    expect(second.of("tool-ended")[0]?.results).toBeGreaterThan(0);
  });

  it("answers no call of a run with other metadata, which the tool receives too", async () => {
    const { ask, seen } = await open();
    for (const currentResourceId of ["A", "B", "B"]) await ask("How tall is the tower?", { metadata: { currentResourceId } });
    expect(seen).toHaveLength(2);
  });

  it("answers no search of a run with other sources, and is not sent to that run's model", async () => {
    const search = { name: "search", arguments: { query: "lighthouse Aldermoor" } };
    const { dossier, model } = await openWithModel(
      (request) => (contentsOf(request, "tool").length === 0 ? say.toolCalls([search]) : say.text("It was built in 1874.")),
      { parts: { tools: [], sources: [pageSource("pages", [])] }, environment: { SOURCES: "corpus,pages" } },
    );
    const ask = async (sources: string[]) => {
      const { id } = await dossier.start({ question: "When was it built?", graph: "agent", threadId: "thread", sources });
      return watch(dossier, id);
    };
    await ask(["corpus"]);
    const { of } = await ask(["corpus", "pages"]);
    expect(of("tool-ended")[0]).toMatchObject({ tool: "search", reused: false });
    expect(model.requests.map((request) => toldIn(request).includes("<data earlier"))).toEqual([false, false, false, false]);
  });

  it.each([
    ["in a run that waits", ["alpha", "beta ask", "alpha"]],
    ["while the run waited", ["alpha", "ask alpha", "beta", "answer"]],
  ])("answers no call after a change %s", async (_, steps) => {
    const [alpha, beta] = [await startCounted(), await startCounted({ name: "beta", kind: "mutation" })];
    const ASK = { name: "ask_user", arguments: { question: "Which tower?" } };
    const { dossier } = await openWithModel(
      (request) => {
        const wanted = (contentsOf(request, "user").at(-1)?.split("\n")[0] ?? "").split(" ");
        const name = wanted[contentsOf(request, "tool").length];
        if (name === undefined) return say.text("Done.");
        return say.toolCalls([name === "ask" ? ASK : { ...CALL, name }]);
      },
      { parts: { tools: [alpha.tool, beta.tool] }, environment: { SOURCES: "corpus,alpha,beta" } },
    );
    let waiting = "";
    for (const step of steps) {
      if (step === "answer") {
        const { pending } = await dossier.runs.get(TENANT, waiting);
        await dossier.runs.answer(TENANT, waiting, { answer: "The old one.", pendingId: pending[0]?.id ?? "" });
        await dossier.finish(waiting);
        continue;
      }
      const { id } = await dossier.start({ question: step, graph: "agent", threadId: "thread" });
      if ((await dossier.finish(id)).status === "waiting") waiting = id;
    }
    expect(waiting).not.toBe("");
    expect([alpha.seen.length, beta.seen.length]).toEqual([2, 1]);
  });

  it.each([
    ["a plan was not approved yet", "research", { approve: true }],
    ["another child waited for the user", "team", { answer: "The old one." }],
  ])("answers no call of a nested run that starts after a wait if something was changed while %s", async (_, graph, answer) => {
    const [alpha, beta] = [await startCounted(), await startCounted({ name: "beta", kind: "mutation" })];
    const ASK = { name: "ask_user", arguments: { question: "Which tower?" } };
    let decisions = 0;
    const { dossier } = await openWithModel(
      (request) => {
        const names = offeredTools(request);
        if (contentsOf(request, "tool").length > 0 || names.length === 0) return say.text("Done.");
        if (!names.includes("finish_task")) return decisions++ === 0 ? say.toolCalls([CALL]) : say.text("Enough.");
        const wanted = /ROLE (\w+)/.exec(contentsOf(request, "system").join())?.[1] ?? contentsOf(request, "user").at(-1)?.split("\n")[0];
        return say.toolCalls([wanted === "asking" ? ASK : { ...CALL, name: wanted ?? "" }]);
      },
      {
        parts: { tools: [alpha.tool, beta.tool], research: scriptedResearch({ plan: () => ({ todos: [todo("T1", "雾川塔有多高？")] }) }) },
        environment: { SOURCES: "corpus,alpha,beta", UNSUPPORTED_SENTENCES: "strike" },
      },
    );
    const start = (question: string, more: object = {}) => dossier.start({ question, graph: "agent", threadId: "thread", ...more });
    await dossier.finish((await start("alpha")).id);
    const children = [
      { id: "a", prompt: "ROLE asking" },
      { id: "b", prompt: "ROLE alpha" },
    ];
    const team = { pattern: "sequential", children };
    const { id } = await start("How tall?", graph === "team" ? { graph, team } : { graph, planApproval: true });
    const { pending } = await dossier.finish(id);
    await dossier.finish((await start("beta")).id);
    expect([alpha.seen.length, beta.seen.length]).toEqual([1, 1]);
    await dossier.runs.answer(TENANT, id, { ...answer, pendingId: pending[0]?.id ?? "" });
    expect((await dossier.finish(id)).status).toBe("succeeded");
    expect(alpha.seen).toHaveLength(2);
  });
});

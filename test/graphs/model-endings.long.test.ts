import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { httpTool } from "../fakes/http-tool.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { type Asked, askModel } from "../helpers/with-model.ts";

const QUESTIONS = { English: "What does the lamp of the lighthouse of Aldermoor burn?", Chinese: "奥尔德穆尔灯塔是谁设计的？" };
const CALL = { name: "search", arguments: { query: "lighthouse Aldermoor lamp 灯塔" } };
const SOON = { "retry-after-ms": "5" };
const QUOTA = {
  error: { message: "You exceeded your current quota.", type: "insufficient_quota", code: "insufficient_quota", param: null },
};
/** Limits for responses that never come; the agent's first response has to arrive within them, too. */
const SHORT = { MODEL_FIRST_TOKEN_SECONDS: "1.5", MODEL_TOKEN_SECONDS: "1.5" };
const LONG = { MODEL_FIRST_TOKEN_SECONDS: "300", MODEL_TOKEN_SECONDS: "300", MODEL_CALL_SECONDS: "300" };
const TOOLS = { tools: [httpTool("alpha", "http://127.0.0.1:9")] };

interface Ending {
  /** What the model always does; only the agent's first response is a search. */
  readonly does: Behavior;
  /** How many requests the server sees of the executor, and of the agent after its search. */
  readonly requests: readonly [executor: number, agent: number];
  readonly executor: readonly string[];
  readonly agent: readonly string[];
  readonly reason?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const twice = (failure: string) => ({ executor: [`decision ${failure}`, `report ${failure}`], agent: [`report ${failure}`] });
const unreachable = { requests: [4, 3], ...twice("unreachable") } as const;
const late = { requests: [2, 1], ...twice("timeout"), environment: SHORT } as const;
const withheld = { requests: [2, 1], executor: ["report unreadable"], agent: ["report empty"] } as const;

const BY_RULES: Readonly<Record<string, Ending>> = {
  "is always too busy": { does: say.status(429, undefined, SOON), requests: [6, 3], ...twice("rate_limited") },
  "fails three times": { does: say.status(503, undefined, SOON), ...unreachable },
  "loses the connection in the middle, always": { does: say.reset({ after: 2 }), ...unreachable },
  "ends the stream in the middle": { does: say.breakOff({ after: 2 }), ...unreachable },
  "stops in the middle of the arguments of a call": { does: say.halfJson(CALL, { finishReason: null }), ...unreachable },
  "tells of an error of its provider inside the stream": { does: say.openrouterError(), ...unreachable },
  "streams what is no JSON": { does: say.recorded("data: {{{{\n\ndata: lorem\n\ndata: [DONE]\n\n"), ...unreachable },
  "cannot read its own call": { does: say.groqError(), requests: [2, 1], ...twice("unreadable") },
  "hangs without headers": { does: say.hang({ after: "nothing" }), ...late },
  "hangs in the middle": { does: say.hang({ after: 2 }), ...late },
  "comes to no end": {
    does: say.hang({ after: 50, of: say.text("答 answer ".repeat(90), { pieceLength: 1 }) }),
    ...late,
    environment: { MODEL_CALL_SECONDS: "1.5" },
  },
  "says the same for a megabyte": { does: say.repetition(), reason: "no_progress", ...withheld },
  "is held back by its filter": { does: say.text("", { finishReason: "content_filter" }), ...withheld },
  "says nothing": { does: say.text(""), ...withheld, requests: [3, 2] },
};

/** The request as it is, each of seven steps alone, and the steps together, from two to seven. */
const MOST_FORMS = 14;

const REFUSED: Readonly<Record<string, readonly [Behavior, string]>> = {
  "does not accept the key": [say.status(401), "check OPENAI_API_KEY"],
  "has no quota left": [say.status(429, QUOTA), "has no credit left"],
  "does not accept the request": [say.status(400), "did not accept the request (400) in any form"],
  "answers with a web page": [say.status(200, "<!doctype html><html></html>", { "content-type": "text/html" }), "check OPENAI_BASE_URL"],
};

/** A run of `graph` whose model always does `next`; only the agent's first response is a search. */
function askBefore(
  graph: string,
  next: (request: SeenRequest, index: number) => Behavior,
  question: string,
  environment = {},
): Promise<Asked> {
  const script = (request: SeenRequest, index: number) => {
    if (graph === "executor") return next(request, index);
    return index === 0 ? say.toolCalls([CALL]) : next(request, index - 1);
  };
  return askModel(script, { graph, question }, { environment: { ...LONG, ...environment }, parts: TOOLS });
}

/** The backoff is random: here it is short. test/models/tries.long.test.ts tests its length. */
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0.02));

const missed = ({ run }: Asked) =>
  run.report?.ledger.filter(({ what }) => what === "model").map(({ source, target, failure }) => [source, `${target} ${failure}`]);

describe.each(["executor", "agent"] as const)("the %s, where the model's server", (graph) => {
  const own = graph === "executor" ? 0 : 1;
  const language = graph === "executor" ? "English" : "Chinese";

  it.each(Object.entries(BY_RULES))("%s, ends with a report by rules", async (_, { does, requests, reason = "completed", ...ending }) => {
    const asked = await askBefore(graph, () => does, QUESTIONS[language], ending.environment);
    const { run, model } = asked;
    expect(run).toMatchObject({ status: "succeeded", error: null });
    expect(run.termination?.reason).toBe(graph === "agent" ? reason : "completed");
    expect(missed(asked)).toEqual(ending[graph].map((line) => ["scripted", line]));
    expect(model.requests).toHaveLength(requests[own] + own);
    expect(model.refused).toEqual([]);
    expect(run.report?.claims.length).toBeGreaterThan(0);
    expect(run.report?.coverage.unsupported).toBe(0);
    expect(run.report?.markdown).toMatch(
      graph === "executor" ? /^The model scripted .*; rules wrote this report\.$/m : /^模型 scripted .*；本报告由规则撰写。$/m,
    );
  });

  it.each([
    ["loses the connection once", say.reset({ after: 2 })],
    ["fails once", say.status(503, undefined, SOON)],
  ])("%s, is asked once more and its answer is used", async (_, does) => {
    const { run, model, of } = await askBefore(
      graph,
      (_, index) => (index === 0 ? does : say.text("NO ANSWER: 没有写到。")),
      QUESTIONS[language],
    );
    expect(model.requests).toHaveLength(3);
    expect(of("call-restarted").map((event) => event.try)).toEqual([2]);
    expect(run.report?.ledger.filter(({ what }) => what === "model")).toEqual([]);
    expect(run.termination?.reason).toBe(graph === "executor" ? "no_answer" : "answered");
  });

  it("sends half of a call's arguments, gets an error back, and nothing is executed", async () => {
    const { run, model, of } = await askBefore(
      graph,
      (request, index) =>
        index === 0 ? say.halfJson({ ...CALL, name: "alpha" }) : say.text(offeredTools(request).length > 0 ? "够了。" : ""),
      QUESTIONS[language],
    );
    expect(of("tool-ended").at(-1)).toMatchObject({ ok: false, error: { code: "invalid_arguments" } });
    expect(run.status).toBe("succeeded");
    expect(JSON.stringify(model.requests[1 + own]?.body.messages)).toContain("JSON");
  });
});

describe.each(Object.entries(REFUSED))("where the model's server %s", (_, [does, words]) => {
  it("an executor fails after its first request and says what to do", async () => {
    const { run, model } = await askBefore("executor", () => does, QUESTIONS.English);
    expect(run).toMatchObject({ status: "failed", termination: { reason: "failed" }, error: { code: "model_refused" }, report: null });
    expect(run.error?.message).toContain(words);
    expect(run.error?.message).not.toContain("sk-test");
    expect(model.requests.length).toBeGreaterThanOrEqual(1);
    expect(model.requests.length).toBeLessThanOrEqual(words.includes("in any form") ? MOST_FORMS : 1);
  });

  it.each([
    ["executor", QUESTIONS.English, /^The model scripted refused the request; rules wrote this report\.$/m],
    ["agent", QUESTIONS.Chinese, /^模型 scripted 拒绝了请求；本报告由规则撰写。$/m],
  ])("an %s that has found something quotes it and says what to do", async (graph, question, said) => {
    const first = graph === "executor" ? say.text("Nothing else is needed.") : say.toolCalls([CALL]);
    const { run, model } = await askModel(
      (_, index) => (index === 0 ? first : does),
      { graph, question },
      { environment: LONG, parts: TOOLS },
    );
    expect(run).toMatchObject({ status: "succeeded", termination: { reason: "completed" }, error: null });
    const entries = run.report?.ledger.filter(({ what }) => what === "model") ?? [];
    expect(entries).toMatchObject([{ source: "scripted", failure: "blocked", detail: expect.stringContaining(words) }]);
    expect(JSON.stringify(run)).not.toContain("sk-test");
    expect(run.report?.claims.length).toBeGreaterThan(0);
    expect(run.report?.markdown).toMatch(said);
    expect(model.requests.length).toBeGreaterThanOrEqual(2);
    expect(model.requests.length).toBeLessThanOrEqual(words.includes("in any form") ? 1 + MOST_FORMS : 2);
  });
});

it("fails with the model's error if an agent and its search have found nothing", async () => {
  const { run, model } = await askModel(() => say.status(503, undefined, SOON), { graph: "agent", question: "Xyzzy plugh?" });
  expect(run).toMatchObject({ status: "failed", error: { code: "model_unavailable" }, termination: { reason: "failed" } });
  expect(model.requests).toHaveLength(3);
});

it("says that a question was not answered if an agent's model says nothing", async () => {
  const { run, model } = await askModel(() => say.text(""), { graph: "agent", question: "你好，你是谁？" });
  expect(run.termination).toMatchObject({ reason: "no_answer", detail: "the model gave no answer" });
  expect(run.report?.markdown).toMatch(
    /^# 你好，你是谁？\n\n程序判断：这个问题没有得到回答。\n\n以下各项未能查找或读取：\n\n- 模型 scripted: 没有给出答复/,
  );
  expect(model.requests).toHaveLength(2);
});

it.each(["executor", "agent"])("ends the %s at its time limit if the model hangs, with its findings", async (graph) => {
  const clock = jumpingClock();
  // After the search, one second of gathering is left to the agent's next response, or one of the run to the executor's report.
  const onEvent: Parts["onEvent"] = (_, { type }) => {
    if (graph === "executor" && type === "document-read") clock.jump(599_000);
    if (graph === "agent" && type === "tool-ended") clock.jump(419_000);
  };
  const { run, model } = await askModel(
    (_, index) => {
      if (index === 0) return graph === "executor" ? say.text("Enough.") : say.toolCalls([CALL]);
      if (index === 1) clock.jump(graph === "executor" ? 0 : 90_000);
      return say.hang({ after: 2 });
    },
    { graph, question: QUESTIONS.English, limits: { seconds: 600 } },
    { parts: { ...TOOLS, clock: clock.now, onEvent }, environment: LONG },
  );
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "time_budget" } });
  expect(run.report?.claims.length).toBeGreaterThan(0);
  expect(model.aborted()).toBe(graph === "executor" ? 1 : 2);
});

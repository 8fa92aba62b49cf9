import { describe, expect, it } from "vitest";
import type { Draft } from "../../src/domain/ports/analyst.ts";
import { isChecked } from "../../src/domain/report.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { contentOf, LIMITS, modelAnalyst, writingView } from "./model-under-test.ts";
import { reading } from "./readings.ts";

const TOWER = reading("tower", "The tower", [
  ["heading1", "The tower"],
  ["paragraph", "The tower is 90 metres tall. It was built in 1931 by local masons."],
]);
const LAMP = reading("ta", "灯塔", [["paragraph", "这座灯塔高九十米，一九三一年由当地工匠建成。"]]);
const QUESTION = "How tall is the tower?";
const GOOD = 'The tower is 90 metres tall. [P1: "The tower is 90 metres tall."]';
const BAD = 'It is pink. [P1: "The tower is pink"] It is old. [P7: "built in 1931"]';

const said = ({ claims }: Draft) => claims.filter(isChecked).map(({ text, citations }) => [text, citations]);

it("keeps sentences whose quotes are in their passage, and strikes the others", async () => {
  const text = `${GOOD} It was built by masons. [P1: "in 1931 by local masons"] It is pink. [P1: "The tower is pink"]`;
  const server = await startModelServer([say.text(text)]);
  const effects = plainEffects();
  const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), effects);
  expect(said(draft)).toEqual([
    ["The tower is 90 metres tall.", [1]],
    ["It was built by masons.", [2]],
  ]);
  expect(draft.citations.map(({ quote, sourceId }) => [quote, sourceId])).toEqual([
    ["The tower is 90 metres tall.", "tower"],
    ["in 1931 by local masons", "tower"],
  ]);
  expect(draft.struck).toEqual([{ text: "It is pink.", reason: expect.stringMatching(/^quote_not_found/) }]);
  expect(contentOf(effects)).toEqual(["The tower is 90 metres tall. [1] It was built by masons. [2]\n\n"]);
  expect(server.requests).toHaveLength(1);
});

it.each(["```markdown", "```md", "```"])("reads and shows a report inside a fence of %s", async (fence) => {
  const server = await startModelServer([say.text(`${fence}\n## 塔\n\n${GOOD}\n\`\`\`\n\nANSWERS: fully`)]);
  const effects = plainEffects();
  const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), effects);
  expect(said(draft)).toEqual([["The tower is 90 metres tall.", [1]]]);
  expect(draft.answers).toBe("fully");
  expect(contentOf(effects)).toEqual(["## 塔\n\n", "The tower is 90 metres tall. [1]\n\n"]);
  expect(server.requests).toHaveLength(1);
});

it("shows the model passages under short ids and never an address", async () => {
  const server = await startModelServer([say.text("高九十米。[P2：「灯塔高九十米」]")]);
  const view = writingView("灯塔有多高？", [TOWER, LAMP], {
    history: [{ question: "在哪里？", answer: "在海边。" }],
    queries: ["How tall is the tower?"],
  });
  const draft = await (await modelAnalyst(server)).write(view, plainEffects());
  expect(said(draft)).toEqual([["高九十米。", [1]]]);
  const [request] = server.requests;
  if (request === undefined) throw new Error("nothing was asked");
  const shown = contentsOf(request, "user").at(-1) ?? "";
  expect(shown).toMatch(/<data P1 [0-9a-f]{10}>\nThe tower\n\nThe tower is 90 metres tall/);
  expect(shown).toMatch(/<data P2 [0-9a-f]{10}>\n这座灯塔高九十米/);
  expect(shown).toMatch(/<data source \w+>\nTitle: The tower\nPublisher: example\.com\nKind: web page\n<\/data/);
  expect(shown).not.toContain("://");
  expect(contentsOf(request, "system").join()).toContain("Chinese (zh)");
  expect(contentsOf(request, "system").join()).toContain("Today is 2026-08-01.");
  expect(contentsOf(request, "user")[0]).toBe("在哪里？");
});

describe("a report with faults", () => {
  it("is corrected once, and the better version is used", async () => {
    const server = await startModelServer([say.text(BAD), say.text(GOOD)]);
    const effects = plainEffects();
    const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), effects);
    expect(said(draft)).toEqual([["The tower is 90 metres tall.", [1]]]);
    expect(server.requests).toHaveLength(2);
    const shown = effects.events.filter(({ type }) => type === "content" || type === "call-restarted");
    expect(shown).toMatchObject([
      { type: "call-restarted", try: 2 },
      { type: "content", try: 2 },
    ]);
    const told = server.requests[1] === undefined ? "" : contentsOf(server.requests[1], "user").at(-1);
    expect(told).toContain('- It is pink. [P1: "The tower is pink"]: The passage does not contain these words.');
    expect(told).toContain('- It is old. [P7: "built in 1931"]: No passage has this id.');
  });

  it("keeps its checked sentences if the correction has fewer, or fails", async () => {
    for (const second of [say.text(BAD), say.repeat(say.status(500))]) {
      const server = await startModelServer([say.text(`${GOOD} ${BAD}`), second]);
      const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), plainEffects());
      expect(said(draft)).toEqual([["The tower is 90 metres tall.", [1]]]);
      expect(draft.ledger).toBeUndefined();
    }
  });

  it("is replaced by a report of the rules if the correction does not help", async () => {
    const server = await startModelServer([say.text(BAD), say.text(BAD)]);
    const effects = plainEffects();
    const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), effects);
    expect(draft.claims.map(({ text }) => text).join("\n")).toContain("The tower is 90 metres tall.");
    expect(draft.ledger).toMatchObject([{ what: "model", target: "report", outcome: "failed", failure: "unreadable" }]);
    expect(effects.events.filter(({ type }) => type === "model-failed")).toMatchObject([{ node: "summarize", failure: "model_output" }]);
    expect(contentOf(effects)).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});

it("says what is missing if the passages do not answer the question", async () => {
  const server = await startModelServer([say.text("NO ANSWER: 资料没有提到颜色，见 https://evil.test/x")]);
  const effects = plainEffects();
  const draft = await (await modelAnalyst(server)).write(writingView("灯塔是什么颜色？", [LAMP]), effects);
  const reason = "资料没有提到颜色，见 `https://evil.test/x`（未检索到的地址）";
  expect(draft).toEqual({ claims: [], citations: [], reason, answers: "not", missing: [] });
  expect(contentOf(effects)).toEqual([]);
});

it("keeps the complete sentences of an answer that was cut off", async () => {
  const server = await startModelServer([say.text(`${GOOD} It was built [P1: "in 19`, { finishReason: "length" })]);
  const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), plainEffects());
  expect(said(draft)[0]).toEqual(["The tower is 90 metres tall.", [1]]);
  expect(draft.cutOff).toBe(true);
  expect(draft.citations.every(({ quote, start, end }) => TOWER.document.text.slice(start, end) === quote)).toBe(true);
});

describe("if the model is unavailable", () => {
  it("rules write, and the report names the spent budget", async () => {
    const server = await startModelServer([]);
    const view = writingView(QUESTION, [TOWER], { limits: { ...LIMITS, tokens: 100 } });
    const draft = await (await modelAnalyst(server)).write(view, plainEffects());
    expect(draft.spent).toBe("token_budget");
    expect(draft.claims.map(({ text }) => text).join("\n")).toContain("The tower is 90 metres tall.");
    expect(server.requests).toHaveLength(0);
  });

  it("rules write, and the ledger says so", async () => {
    const server = await startModelServer([say.repeat(say.reset())]);
    const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), plainEffects());
    expect(draft.ledger).toMatchObject([{ what: "model", source: "m", target: "report", failure: "unreachable" }]);
    expect(draft.claims.length).toBeGreaterThan(0);
  });

  it("the model is sent half of the passages if all of them are too many", async () => {
    const long = reading(
      "long",
      "The long one",
      Array.from({ length: 40 }, (_, i) => ["paragraph", `The tower number ${i} is tall. ${"It stands. ".repeat(60)}`]),
    );
    const error = { error: { message: "This model's maximum context length is 8192 tokens", code: "context_length_exceeded" } };
    const server = await startModelServer([say.status(400, error), say.text('It is tall. [P1: "is tall. It stands."]')]);
    const draft = await (await modelAnalyst(server)).write(writingView("Is the tower tall?", [long]), plainEffects());
    expect(said(draft)).toEqual([["It is tall.", [1]]]);
    const sizes = server.requests.map((request) => contentsOf(request, "user").join().length);
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.7);
  });

  it("a refusal of the model loses no passage", async () => {
    const server = await startModelServer(() => say.status(401));
    const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER]), plainEffects());
    expect(draft.citations).toHaveLength(1);
    expect(draft.ledger).toMatchObject([{ what: "model", failure: "blocked", detail: expect.stringContaining("check OPENAI_API_KEY") }]);
  });
});

it.each(["fully", "partly", "not"])("says nothing of whether a report without a checked sentence answers: %s", async (word) => {
  const text = `The tower is 95 metres tall.\n\nANSWERS: ${word}`;
  const server = await startModelServer([say.text(text), say.text(text)]);
  const draft = await (await modelAnalyst(server)).write(writingView(QUESTION, [TOWER], { showsUnsupported: true }), plainEffects());
  expect(draft).toMatchObject({ answers: null, claims: [{ support: "unverified" }] });
});

it("names as missing only what has no figure that neither the question nor a document has", async () => {
  const missing =
    "the year of the fire; the height in 1931; the height in 1987; the 40 keepers; the builder's 90 masons; see https://evil.test/x";
  const server = await startModelServer([
    say.text(`${GOOD}\n\nANSWERS: partly\nMISSING: ${missing}; the costs of 1950; what was told in 1962`),
  ]);
  const history = [{ question: "And in 1962?", answer: "Nothing." }];
  const view = writingView(`${QUESTION} And in 1950?`, [TOWER], { history });
  const draft = await (await modelAnalyst(server)).write(view, plainEffects());
  expect(draft.missing).toEqual([
    ...["the year of the fire", "the height in 1931", "the builder's 90 masons", "the costs of 1950", "what was told in 1962"],
  ]);
  expect(draft.answers).toBe("partly");
});

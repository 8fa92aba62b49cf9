import { describe, expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, promptOf } from "../fakes/model-server/seen-request.ts";
import { contentOf, LIMITS, writeWith } from "./model-under-test.ts";
import { reading } from "./readings.ts";

const TOWER = reading("tower", "The tower", [
  ["heading1", "The tower"],
  ["paragraph", "The tower is 90 metres tall. It was built in 1931 by local masons."],
]);
const LAMP = reading("ta", "灯塔", [["paragraph", "这座灯塔高九十米，一九三一年由当地工匠建成。"]]);
const QUESTION = "How tall is the tower?";
const GOOD = 'The tower is 90 metres tall. [P1: "The tower is 90 metres tall."]';
const BAD = 'It is pink. [P1: "The tower is pink"] It is old. [P7: "built in 1931"]';
const SAID_GOOD = [["The tower is 90 metres tall.", [1]]];

it("keeps sentences whose quotes are in their passage, and strikes the others", async () => {
  const text = `${GOOD} It was built by masons. [P1: "in 1931 by local masons"] It is pink. [P1: "The tower is pink"]`;
  const { draft, said, server, effects } = await writeWith([say.text(text)], QUESTION, [TOWER]);
  expect(said).toEqual([...SAID_GOOD, ["It was built by masons.", [2]]]);
  expect(draft.citations.map(({ quote, sourceId }) => [quote, sourceId])).toEqual([
    ["The tower is 90 metres tall.", "tower"],
    ["in 1931 by local masons", "tower"],
  ]);
  expect(draft.struck).toEqual([{ text: "It is pink.", reason: expect.stringMatching(/^quote_not_found/) }]);
  expect(contentOf(effects)).toEqual(["The tower is 90 metres tall. [1] It was built by masons. [2]\n\n"]);
  expect(server.requests).toHaveLength(1);
});

it.each(["```markdown", "```md", "```"])("reads and shows a report inside a fence of %s", async (fence) => {
  const text = `${fence}\n## 塔\n\n${GOOD}\n\`\`\`\n\nANSWERS: fully`;
  const { draft, said, server, effects } = await writeWith([say.text(text)], QUESTION, [TOWER]);
  expect([said, draft.answers]).toEqual([SAID_GOOD, "fully"]);
  expect(contentOf(effects)).toEqual(["## 塔\n\n", "The tower is 90 metres tall. [1]\n\n"]);
  expect(server.requests).toHaveLength(1);
});

it("shows the model passages under short ids and never an address", async () => {
  const history = [{ question: "在哪里？", answer: "在海边。" }];
  const { said, server } = await writeWith([say.text("高九十米。[P2：「灯塔高九十米」]")], "灯塔有多高？", [TOWER, LAMP], {
    ...{ history, queries: [QUESTION] },
  });
  expect(said).toEqual([["高九十米。", [1]]]);
  const [request] = server.requests;
  if (request === undefined) throw new Error("nothing was asked");
  const shown = promptOf(server);
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
    const { said, server, effects } = await writeWith([say.text(BAD), say.text(GOOD)], QUESTION, [TOWER]);
    expect(said).toEqual(SAID_GOOD);
    expect(server.requests).toHaveLength(2);
    const shown = effects.events.filter(({ type }) => type === "content" || type === "call-restarted");
    expect(shown).toMatchObject([
      { type: "call-restarted", try: 2 },
      { type: "content", try: 2 },
    ]);
    expect(promptOf(server, 1)).toContain('- It is pink. [P1: "The tower is pink"]: quote_not_found');
    expect(promptOf(server, 1)).toContain('- It is old. [P7: "built in 1931"]: unknown_source');
  });

  it.each([
    ["has fewer", say.text(BAD)],
    ["fails", say.repeat(say.status(500))],
  ])("keeps its checked sentences if the correction %s", async (_, second) => {
    const { draft, said } = await writeWith([say.text(`${GOOD} ${BAD}`), second], QUESTION, [TOWER]);
    expect([said, draft.ledger]).toEqual([SAID_GOOD, undefined]);
  });

  it("is replaced by a report of the rules if the correction does not help", async () => {
    const { draft, server, effects } = await writeWith([say.text(BAD), say.text(BAD)], QUESTION, [TOWER]);
    expect(draft.claims.map(({ text }) => text).join("\n")).toContain("The tower is 90 metres tall.");
    expect(draft.ledger).toMatchObject([{ what: "model", target: "report", outcome: "failed", failure: "unreadable" }]);
    expect(effects.events.filter(({ type }) => type === "model-failed")).toMatchObject([{ node: "summarize", failure: "model_output" }]);
    expect(contentOf(effects)).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});

it("says what is missing if the passages do not answer the question", async () => {
  const answer = say.text("NO ANSWER: 资料没有提到颜色，见 https://evil.test/x");
  const { draft, effects } = await writeWith([answer], "灯塔是什么颜色？", [LAMP]);
  const reason = "资料没有提到颜色，见 `https://evil.test/x`（未检索到的地址）";
  expect(draft).toEqual({ claims: [], citations: [], reason, answers: "not", missing: [] });
  expect(contentOf(effects)).toEqual([]);
});

it("keeps the complete sentences of an answer that was cut off", async () => {
  const cut = say.text(`${GOOD} It was built [P1: "in 19`, { finishReason: "length" });
  const { draft, said } = await writeWith([cut], QUESTION, [TOWER]);
  expect(said[0]).toEqual(SAID_GOOD[0]);
  expect(draft.cutOff).toBe(true);
  expect(draft.citations.every(({ quote, start, end }) => TOWER.document.text.slice(start, end) === quote)).toBe(true);
});

describe("if the model is unavailable", () => {
  it.each([
    ["the spent budget", [], { limits: { ...LIMITS, tokens: 100 } }, { spent: "token_budget" }],
    ["the failure", [say.repeat(say.reset())], {}, { ledger: [{ what: "model", source: "m", target: "report", failure: "unreachable" }] }],
    ["the refused key", [say.repeat(say.status(401))], {}, { ledger: [{ failure: "blocked", detail: /check OPENAI_API_KEY/ }] }],
  ] as const)("rules write of all passages, and the report names %s", async (_, script, changes, told) => {
    const { draft } = await writeWith(script, QUESTION, [TOWER], changes);
    const [row] = "ledger" in told ? told.ledger : [];
    if (row === undefined) expect(draft).toMatchObject(told);
    else expect(draft.ledger).toMatchObject([{ ...row, ...("detail" in row && { detail: expect.stringMatching(row.detail) }) }]);
    expect(draft.claims.map(({ text }) => text).join("\n")).toContain("The tower is 90 metres tall.");
    expect(draft.citations).toHaveLength(1);
  });

  it("the model is sent half of the passages if all of them are too many", async () => {
    const pieces = Array.from(
      { length: 40 },
      (_, i) => ["paragraph", `The tower number ${i} is tall. ${"It stands. ".repeat(60)}`] as const,
    );
    const error = { error: { message: "This model's maximum context length is 8192 tokens", code: "context_length_exceeded" } };
    const script = [say.status(400, error), say.text('It is tall. [P1: "is tall. It stands."]')];
    const { said, server } = await writeWith(script, "Is the tower tall?", [reading("long", "The long one", pieces)]);
    expect(said).toEqual([["It is tall.", [1]]]);
    expect(promptOf(server, 1).length).toBeLessThan(promptOf(server).length * 0.7);
  });
});

it.each(["fully", "partly", "not"])("says nothing of whether a report without a checked sentence answers: %s", async (word) => {
  const text = `The tower is 95 metres tall.\n\nANSWERS: ${word}`;
  const { draft } = await writeWith([say.repeat(say.text(text))], QUESTION, [TOWER], { showsUnsupported: true });
  expect(draft).toMatchObject({ answers: null, claims: [{ support: "unverified" }] });
});

it("names as missing only what has no figure that neither the question nor a document has", async () => {
  const kept = ["the year of the fire", "the height in 1931", "the builder's 90 masons", "the costs of 1950", "what was told in 1962"];
  const invented = ["the height in 1987", "the 40 keepers", "see https://evil.test/x"];
  const { draft } = await writeWith(
    [say.text(`${GOOD}\n\nANSWERS: partly\nMISSING: ${[...invented, ...kept].join("; ")}`)],
    `${QUESTION} And in 1950?`,
    [TOWER],
    { history: [{ question: "And in 1962?", answer: "Nothing." }] },
  );
  expect(draft).toMatchObject({ missing: kept, answers: "partly" });
});

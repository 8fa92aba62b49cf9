import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import type { SummaryView } from "../../../src/domain/ports/analyst.ts";
import { isChecked } from "../../../src/domain/report.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { Script } from "../../fakes/model-server/script.ts";
import { contentsOf, promptOf } from "../../fakes/model-server/seen-request.ts";
import { isExtension } from "../../helpers/is-extension.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { LIMITS } from "../../writing/model-under-test.ts";
import { reading } from "../../writing/readings.ts";
import { ask, executed, shownBy, todoOf, viewOf, wholeOf } from "./research-under-test.ts";

const TOWER = reading("tower", "The tower", [["paragraph", "The tower is 90 metres tall. It was built in 1931 by local masons."]]);
const LAMP = reading("ta", "灯塔", [["paragraph", "这座灯塔高九十米，一九三一年由当地工匠建成。"]]);
const EXECUTED = [
  executed(todoOf("T1", "How tall is the tower?"), [[TOWER, "The tower is 90 metres tall."]]),
  executed(todoOf("T2", "谁建了灯塔？"), [[LAMP, "一九三一年由当地工匠建成"]]),
  executed(todoOf("T3", "What colour is it?", { status: "failed", feedback: "No source names a colour." })),
];
const TALL = "The tower is 90 metres tall. [P1: “The tower is 90 metres tall.”]";
const BUILT = "It was built by local craftsmen. [P2: 「由当地工匠建成」]";
const PINK = "It is pink, see https://evil.test/x. [P1: “The tower is pink”]";
const NO_COLOUR = "What colour it is could not be found out.";
const [SAID_TALL, SAID_BUILT] = ["The tower is 90 metres tall.", "It was built by local craftsmen."];
const MISSING = ["What colour is it? (No source names a colour.)"];

const answer = (text: string, missing: readonly string[] = [NO_COLOUR], options = {}) =>
  say.component("summary-response", { answer: text, answers: "partly", missing }, options);

async function summarize(script: Script, changes: Partial<SummaryView> = {}, effects = plainEffects()) {
  const question = "How tall is the tower, who built it, and what colour is it?";
  const view = { ...viewOf(question), readings: [TOWER, LAMP], executed: EXECUTED, ...changes };
  const { result: summary, server } = await ask(script, (research) => research.summarize(view, effects), { effects });
  return { summary, server, effects, checked: summary.claims.filter(isChecked).map(({ text }) => text) };
}

describe("a model's summary", () => {
  it("is shown section by section once its citations are checked, and the final text is the draft", async () => {
    const parts = [..."ABCDEFGH"].map((letter) => `Part ${letter}`);
    const text = [`## Height\n\n${TALL} ${BUILT} ${PINK}`, ...parts.map((part) => `## ${part}\n\n${BUILT}`)].join("\n\n");
    const effects = plainEffects();
    const streamed = say.apart(() => effects.pieces.length);
    const { summary, server } = await summarize([answer(text, [`${NO_COLOUR} https://evil.test/y`], streamed)], {}, effects);
    expect(summary.claims.slice(0, 3).map(({ text: words, citations, section }) => [words, citations, section])).toEqual([
      [SAID_TALL, [1], "Height"],
      [SAID_BUILT, [2], "Height"],
      [SAID_BUILT, [2], "Part A"],
    ]);
    expect(summary.claims.every(isChecked)).toBe(true);
    expect(summary).toMatchObject({
      answers: "partly",
      missing: MISSING,
      struck: [{ text: "It is pink, see `https://evil.test/x` (not retrieved).", reason: expect.stringMatching(/^quote_not_found/) }],
    });
    expect(summary.citations.map(({ quote, sourceId }) => [quote, sourceId])).toEqual([
      [SAID_TALL, "tower"],
      ["由当地工匠建成", "ta"],
    ]);
    const events = shownBy(effects).flatMap((event) => (event.type === "component" ? [event] : []));
    const sections = [`## Height\n\n${SAID_TALL} [1] ${SAID_BUILT} [2]`, ...parts.map((part) => `## ${part}\n\n${SAID_BUILT} [2]`)];
    const shown = sections.map((_, i) => sections.slice(0, i + 1).join("\n\n"));
    expect(events.at(-1)).toMatchObject({ partial: false, props: { answer: shown.at(-1), answers: "partly", missing: MISSING } });
    const partial = events.filter((event) => event.partial);
    expect(partial.every(({ props }) => Object.keys(props as object).join() === "answer")).toBe(true);
    for (const { props } of partial) expect(shown).toContain((props as { answer: string }).answer);
    expect(partial.length).toBeGreaterThan(1);
    for (let i = 1; i < events.length; i += 1)
      expect(isExtension(events[i - 1]?.props as JsonValue, events[i]?.props as JsonValue)).toBe(true);
    expect(JSON.stringify(effects.events)).not.toMatch(/evil|pink|P1/);
    expect(server.requests).toHaveLength(1);
  });

  it("is made from the notes of each todo under their ids, and from what was not found", async () => {
    const { server } = await summarize([answer(TALL)], { history: [{ question: "Where is it?", answer: "By the sea." }] });
    const [request] = server.requests;
    expect(request?.body["response_format"]).toMatchObject({ json_schema: { name: "summary-response" } });
    const told = promptOf(server);
    expect(told).toMatch(/<data P1 \w+>\n“The tower is 90 metres tall\.”\n/);
    expect(told).toMatch(/<data T1 \w+>\nHow tall is the tower\?\ncompleted\nNotes: P1\n/);
    expect(told).toMatch(/<data T2 \w+>\n谁建了灯塔？\ncompleted\nNotes: P2\n/);
    expect(told).toMatch(/<data T3 \w+>\nWhat colour is it\?\nfailed: No source names a colour\.\nNotes: none\n/);
    expect(told).not.toContain("://");
    expect(request && contentsOf(request, "user")[0]).toBe("Where is it?");
  });

  it("gets the passages that todos cite first, wherever they are", async () => {
    const filler = Array.from(
      { length: 80 },
      (_, i) => ["paragraph", `The tower number ${i} is a tall tower. ${"It stands. ".repeat(60)}`] as const,
    );
    const long = reading("long", "Towers", [...filler, ["paragraph", "Masons of the village laid every stone of the harbour wall."]]);
    const found = [executed(todoOf("T1", "Who laid the stones?"), [[long, "Masons of the village laid every stone"]])];
    const { server } = await summarize([answer("Masons did. [P1: “Masons of the village laid every stone”]")], {
      ...{ readings: [long], executed: found, limits: { ...LIMITS, tokens: 8_000 } },
    });
    expect(promptOf(server)).toContain("Masons of the village laid every stone of the harbour wall.");
  });

  it.each([
    ["in a fence with prose", `Here it is:\n\`\`\`json\n${JSON.stringify({ answer: TALL, missing: [] })}\n\`\`\`\nDone {}.`],
    ["as the plain text that it should not be", `${TALL}\n`],
    ["cut off in the middle of it", JSON.stringify({ props: { answer: `${TALL} ${PINK}` } }).slice(0, -60)],
  ])("is read %s", async (how, text) => {
    const { summary, server, effects, checked } = await summarize([
      say.text(text, { finishReason: how.startsWith("cut") ? "length" : "stop" }),
    ]);
    expect(checked).toEqual([SAID_TALL]);
    expect(summary.missing).toEqual(MISSING);
    expect(server.requests).toHaveLength(1);
    expect(shownBy(effects).filter((event) => event.type === "component" && event.partial)).not.toEqual([]);
  });
});

describe("a summary with faults", () => {
  it("is corrected once, and what was shown is retracted", async () => {
    const { summary, server, effects } = await summarize([answer(`${PINK} ${PINK}`), answer(`${TALL} ${BUILT}`)]);
    expect(summary.claims).toHaveLength(2);
    expect(promptOf(server, 1).match(/\[P1: “The tower is pink”\]: quote_not_found$/gm)).toHaveLength(1);
    expect(effects.events.some((event) => event.type === "call-restarted" && event.try === 2)).toBe(true);
    expect(wholeOf(effects)).toMatchObject({ answer: `${SAID_TALL} [1] ${SAID_BUILT} [2]` });
  });

  it("keeps its checked sentences if the correction has fewer, and shows them again", async () => {
    const { checked, effects } = await summarize([answer(`${TALL} ${PINK} ${PINK}`), answer(PINK)]);
    expect(checked).toEqual([SAID_TALL]);
    expect(shownBy(effects).at(-1)).toMatchObject({ partial: false, try: 2, props: { answer: `${SAID_TALL} [1]` } });
  });

  it("is corrected if it is incomplete, although the server's finish reason is stop", async () => {
    const text = JSON.stringify({ answer: `${TALL} ${BUILT}`, missing: [] });
    const { summary, checked, server, effects } = await summarize([
      say.text(text.slice(0, text.indexOf(" It was built") + 9)),
      say.text(text),
    ]);
    expect(checked).toEqual([SAID_TALL, SAID_BUILT]);
    expect(summary.cutOff).toBe(false);
    expect(promptOf(server, 1)).toContain("- Its JSON object ended before its end.");
    expect(effects.events).toContainEqual(
      expect.objectContaining({ type: "call-restarted", reason: "The answer cannot be used as it is; the model corrects it." }),
    );
  });

  it("is used up to its last complete sentence after two incomplete answers, and is said to be cut off", async () => {
    const text = JSON.stringify({ props: { answer: `灯塔由当地工匠建成。[P2: “由当地工匠建成”] ${TALL}`, missing: [] } });
    const cut = say.repeat(say.text(text.slice(0, text.indexOf(" metres tall. [P1") + 5)));
    const { summary, checked, server, effects } = await summarize([cut]);
    expect(checked).toEqual(["灯塔由当地工匠建成。"]);
    expect(summary).toMatchObject({ cutOff: true, missing: MISSING });
    expect(server.requests).toHaveLength(2);
    expect(wholeOf(effects)).toMatchObject({ answer: "灯塔由当地工匠建成。 [1]" });
  });

  it("stays as it is if a correction cannot be paid", async () => {
    const text = JSON.stringify({ answer: `${TALL} ${BUILT}` });
    const { summary, checked } = await summarize([say.text(text.slice(0, -20))], { limits: { ...LIMITS, modelCalls: 1 } });
    expect(checked).toHaveLength(1);
    expect(summary.cutOff).toBe(true);
  });

  it("is written by rules if neither version can be used, and the ledger names the missing field", async () => {
    const { summary, server, effects } = await summarize([say.text('{"answer": 12'), say.text('{"missing":["颜色"]}')]);
    const detail = "Rules wrote the report instead. The model's report cannot be used: `answer` is missing.";
    expect(summary).toMatchObject({ reason: "by rules", ledger: [{ target: "report", failure: "unreadable", detail }], spent: null });
    expect(effects.events).toContainEqual(expect.objectContaining({ type: "model-failed", node: "summarize", fallback: "rules" }));
    expect(server.requests).toHaveLength(2);
  });
});

it("says what is missing if the passages answer nothing", async () => {
  const { summary, effects } = await summarize([answer("", ["资料没有提到颜色，见 https://evil.test/x"])]);
  expect(summary).toMatchObject({ claims: [], citations: [], reason: MISSING[0] });
  expect(wholeOf(effects)).toEqual({ answer: "", answers: "not", missing: MISSING });
});

it("is written by rules if there are no findings, or no budget", async () => {
  expect((await summarize([], { readings: [] })).summary).toMatchObject({ reason: "by rules" });
  const { summary } = await summarize([], { limits: { ...LIMITS, modelCalls: 0 } });
  expect(summary).toMatchObject({ reason: "by rules", spent: "model_call_cap" });
});

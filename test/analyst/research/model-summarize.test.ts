import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import type { SummaryView } from "../../../src/domain/ports/analyst.ts";
import { isChecked } from "../../../src/domain/report.ts";
import { isExtension } from "../../../src/writing/components/shown-component.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { LIMITS } from "../../writing/model-under-test.ts";
import { reading } from "../../writing/readings.ts";
import { executed, modelResearch, shownBy, todoOf, viewOf, wholeOf } from "./research-under-test.ts";

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

const view = (changes: Partial<SummaryView> = {}): SummaryView => ({
  ...viewOf("How tall is the tower, who built it, and what colour is it?"),
  ...{ readings: [TOWER, LAMP], executed: EXECUTED, ...changes },
});
const answer = (text: string, missing: readonly string[] = [NO_COLOUR], options = {}) =>
  say.component("summary-response", { answer: text, answers: "partly", missing }, options);

describe("a model's summary", () => {
  it("is shown section by section once its citations are checked, and the final text is the draft", async () => {
    const parts = [..."ABCDEFGH"].map((letter) => `Part ${letter}`);
    const more = parts.map((part) => `## ${part}\n\n${BUILT}`);
    const text = [`## Height\n\n${TALL} ${BUILT} ${PINK}`, ...more].join("\n\n");
    const effects = plainEffects();
    const server = await startModelServer([
      answer(
        text,
        [`${NO_COLOUR} https://evil.test/y`],
        say.apart(() => effects.pieces.length),
      ),
    ]);
    const summary = await (await modelResearch(server)).summarize(view(), effects);
    expect(summary.claims.slice(0, 3).map(({ text: words, citations, section }) => [words, citations, section])).toEqual([
      ["The tower is 90 metres tall.", [1], "Height"],
      ["It was built by local craftsmen.", [2], "Height"],
      ["It was built by local craftsmen.", [2], "Part A"],
    ]);
    expect(summary.claims.every(isChecked)).toBe(true);
    expect(summary).toMatchObject({
      answers: "partly",
      struck: [{ text: "It is pink, see `https://evil.test/x` (not retrieved).", reason: expect.stringMatching(/^quote_not_found/) }],
    });
    expect(summary.citations.map(({ quote, sourceId }) => [quote, sourceId])).toEqual([
      ["The tower is 90 metres tall.", "tower"],
      ["由当地工匠建成", "ta"],
    ]);
    expect(summary.missing).toEqual(["What colour is it? (No source names a colour.)"]);
    const events = shownBy(effects).flatMap((event) => (event.type === "component" ? [event] : []));
    const sections = ["## Height\n\nThe tower is 90 metres tall. [1] It was built by local craftsmen. [2]"];
    for (const part of parts) sections.push(`## ${part}\n\nIt was built by local craftsmen. [2]`);
    const shown = sections.map((_, i) => sections.slice(0, i + 1).join("\n\n"));
    expect(events.at(-1)).toMatchObject({
      partial: false,
      props: { answer: shown.at(-1), answers: "partly", missing: ["What colour is it? (No source names a colour.)"] },
    });
    const partial = events.filter((event) => event.partial);
    expect(partial.every(({ props }) => Object.keys(props as object).join() === "answer")).toBe(true);
    for (const { props } of partial) expect(shown).toContain((props as { answer: string }).answer);
    expect(partial.length).toBeGreaterThan(1);
    for (let i = 1; i < events.length; i += 1)
      expect(isExtension(events[i - 1]?.props as JsonValue, events[i]?.props as JsonValue)).toBe(true);
    expect(JSON.stringify(effects.events)).not.toMatch(/evil|pink|P1/);
    expect(server.requests).toHaveLength(1);
  });

  it("is made from the findings of each todo under the passage ids, and from what was not found", async () => {
    const server = await startModelServer([answer(TALL)]);
    const history = [{ question: "Where is it?", answer: "By the sea." }];
    await (await modelResearch(server)).summarize(view({ history }), plainEffects());
    const [request] = server.requests;
    if (request === undefined) throw new Error("nothing was asked");
    expect(request.body["response_format"]).toMatchObject({ json_schema: { name: "summary-response" } });
    const told = contentsOf(request, "user").at(-1) ?? "";
    expect(told).toMatch(/<data P1 \w+>\nThe tower is 90 metres tall\./);
    expect(told).toMatch(/<data T1 \w+>\nHow tall is the tower\?\ncompleted\n- \[P1: “The tower is 90 metres tall\.”\]\n/);
    expect(told).toMatch(/<data T2 \w+>\n谁建了灯塔？\ncompleted\n- \[P2: “一九三一年由当地工匠建成”\]\n/);
    expect(told).toMatch(/<data T3 \w+>\nWhat colour is it\?\nfailed: No source names a colour\. nothing was found\nnothing\n/);
    expect(told).not.toContain("://");
    expect(contentsOf(request, "user")[0]).toBe("Where is it?");
  });

  it("gets the passages that todos cite first, wherever they are", async () => {
    const filler = Array.from(
      { length: 80 },
      (_, i) => ["paragraph", `The tower number ${i} is a tall tower. ${"It stands. ".repeat(60)}`] as const,
    );
    const long = reading("long", "Towers", [...filler, ["paragraph", "Masons of the village laid every stone of the harbour wall."]]);
    const found = [executed(todoOf("T1", "Who laid the stones?"), [[long, "Masons of the village laid every stone"]])];
    const server = await startModelServer([answer("Masons did. [P1: “Masons of the village laid every stone”]")]);
    await (await modelResearch(server)).summarize(
      view({ readings: [long], executed: found, limits: { ...LIMITS, tokens: 8_000 } }),
      plainEffects(),
    );
    const told = server.requests[0] === undefined ? "" : contentsOf(server.requests[0], "user").join();
    expect(told).toContain("Masons of the village laid every stone of the harbour wall.");
  });

  it.each([
    ["in a fence with prose", `Here it is:\n\`\`\`json\n${JSON.stringify({ answer: TALL, missing: [] })}\n\`\`\`\nDone {}.`],
    ["as the plain text that it should not be", `${TALL}\n`],
    [
      "cut off in the middle of it",
      JSON.stringify({ type: "component", component: "summary-response", props: { answer: `${TALL} ${PINK}` } }).slice(0, -60),
    ],
  ])("is read %s", async (how, text) => {
    const finishReason = how.startsWith("cut") ? "length" : "stop";
    const server = await startModelServer([say.text(text, { finishReason })]);
    const effects = plainEffects();
    const summary = await (await modelResearch(server)).summarize(view(), effects);
    expect(summary.claims.filter(isChecked).map(({ text: words }) => words)).toEqual(["The tower is 90 metres tall."]);
    expect(summary.missing).toEqual(["What colour is it? (No source names a colour.)"]);
    expect(server.requests).toHaveLength(1);
    expect(shownBy(effects).filter((event) => event.type === "component" && event.partial)).not.toEqual([]);
  });
});

describe("a summary with faults", () => {
  it("is corrected once, and what was shown is retracted", async () => {
    const server = await startModelServer([answer(`${PINK} ${PINK}`), answer(`${TALL} ${BUILT}`)]);
    const effects = plainEffects();
    const summary = await (await modelResearch(server)).summarize(view(), effects);
    expect(summary.claims).toHaveLength(2);
    const told = server.requests[1] === undefined ? "" : contentsOf(server.requests[1], "user").at(-1);
    expect(told?.match(/\[P1: “The tower is pink”\]: The passage does not contain these words\./g)).toHaveLength(1);
    expect(effects.events.some((event) => event.type === "call-restarted" && event.try === 2)).toBe(true);
    expect(wholeOf(effects)).toMatchObject({ answer: "The tower is 90 metres tall. [1] It was built by local craftsmen. [2]" });
  });

  it("keeps its checked sentences if the correction has fewer, and shows them again", async () => {
    const server = await startModelServer([answer(`${TALL} ${PINK} ${PINK}`), answer(PINK)]);
    const effects = plainEffects();
    const summary = await (await modelResearch(server)).summarize(view(), effects);
    expect(summary.claims.filter(isChecked)).toHaveLength(1);
    const shown = shownBy(effects);
    expect(shown.at(-1)).toMatchObject({ partial: false, try: 3, props: { answer: "The tower is 90 metres tall. [1]" } });
  });

  it("is corrected if it is incomplete, although the server's finish reason is stop", async () => {
    const text = JSON.stringify({ answer: `${TALL} ${BUILT}`, missing: [] });
    const server = await startModelServer([say.text(text.slice(0, text.indexOf(" It was built") + 9)), say.text(text)]);
    const effects = plainEffects();
    const summary = await (await modelResearch(server)).summarize(view(), effects);
    expect(summary.claims.map(({ text: words }) => words)).toEqual(["The tower is 90 metres tall.", "It was built by local craftsmen."]);
    expect(summary.cutOff).toBe(false);
    const told = server.requests[1] === undefined ? "" : contentsOf(server.requests[1], "user").at(-1);
    expect(told).toContain("- Its JSON object ended before its end.");
    expect(effects.events).toContainEqual(
      expect.objectContaining({ type: "call-restarted", reason: "The answer cannot be used as it is; the model corrects it." }),
    );
  });

  it("is used up to its last complete sentence after two incomplete answers, and is said to be cut off", async () => {
    const text = JSON.stringify({ props: { answer: `灯塔由当地工匠建成。[P2: “由当地工匠建成”] ${TALL}`, missing: [] } });
    const server = await startModelServer([say.repeat(say.text(text.slice(0, text.indexOf(" metres tall. [P1") + 5)))]);
    const effects = plainEffects();
    const summary = await (await modelResearch(server)).summarize(view(), effects);
    expect(summary.claims.filter(isChecked).map(({ text: words }) => words)).toEqual(["灯塔由当地工匠建成。"]);
    expect(summary.cutOff).toBe(true);
    expect(summary.missing).toEqual(["What colour is it? (No source names a colour.)"]);
    expect(server.requests).toHaveLength(2);
    expect(wholeOf(effects)).toMatchObject({ answer: "灯塔由当地工匠建成。 [1]" });
  });

  it("stays as it is if a correction cannot be paid", async () => {
    const text = JSON.stringify({ answer: `${TALL} ${BUILT}` });
    const server = await startModelServer([say.text(text.slice(0, -20))]);
    const summary = await (await modelResearch(server)).summarize(view({ limits: { ...LIMITS, modelCalls: 1 } }), plainEffects());
    expect(summary.claims.filter(isChecked)).toHaveLength(1);
    expect(summary.cutOff).toBe(true);
  });

  it("reports the missing fields by name", async () => {
    const server = await startModelServer([say.repeat(say.text('{"missing":["颜色"]}'))]);
    const { ledger } = await (await modelResearch(server)).summarize(view(), plainEffects());
    expect(ledger?.[0]?.detail).toBe("Rules wrote the report instead. The model's report cannot be used: `answer` is missing.");
  });

  it("is written by rules if neither version can be used", async () => {
    const server = await startModelServer([say.text('{"answer": 12'), say.text('{"nothing": true}')]);
    const effects = plainEffects();
    const summary = await (await modelResearch(server)).summarize(view(), effects);
    expect(summary).toMatchObject({ reason: "by rules", ledger: [{ target: "report", failure: "unreadable" }], spent: null });
    expect(effects.events).toContainEqual(expect.objectContaining({ type: "model-failed", node: "summarize", fallback: "rules" }));
    expect(server.requests).toHaveLength(2);
  });
});

it("says what is missing if the passages answer nothing", async () => {
  const server = await startModelServer([answer("", ["资料没有提到颜色，见 https://evil.test/x"])]);
  const effects = plainEffects();
  const summary = await (await modelResearch(server)).summarize(view(), effects);
  expect(summary).toMatchObject({ claims: [], citations: [], reason: "What colour is it? (No source names a colour.)" });
  expect(wholeOf(effects)).toEqual({ answer: "", answers: "not", missing: ["What colour is it? (No source names a colour.)"] });
});

it("is written by rules if there are no findings, or no budget", async () => {
  const server = await startModelServer([]);
  const research = await modelResearch(server);
  expect(await research.summarize(view({ readings: [] }), plainEffects())).toMatchObject({ reason: "by rules" });
  const unpaid = await research.summarize(view({ limits: { ...LIMITS, modelCalls: 0 } }), plainEffects());
  expect(unpaid).toMatchObject({ reason: "by rules", spent: "model_call_cap" });
  expect(server.requests).toHaveLength(0);
});

import { describe, expect, it } from "vitest";
import type { Reading, WritingView } from "../../src/domain/ports/analyst.ts";
import { selectPassages, showPassages } from "../../src/writing/passages.ts";
import { cutPassages } from "../../src/writing/pieces.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { writingView } from "./model-under-test.ts";
import { type Piece, reading, readingOf } from "./readings.ts";

const EFFECTS = plainEffects();
const select = (view: WritingView, tokens = 100_000, cut?: boolean) => selectPassages(view, tokens, EFFECTS, cut);
const filler = (count: number): Piece[] =>
  Array.from({ length: count }, (_, i) => ["paragraph", `Paragraph ${i} tells of gulls and of the weather. ${"It rains. ".repeat(30)}`]);

describe("passages", () => {
  it("are whole blocks of 600 to 1,200 characters, half of that in Chinese", () => {
    const english = cutPassages(reading("a", "A", filler(12)));
    expect(english.every(({ start, end }) => end - start >= 300 && end - start <= 1_200)).toBe(true);
    const chinese = cutPassages(readingOf("b", "B", "这座灯塔高九十米，由当地工匠建成。".repeat(200)));
    expect(chinese.length).toBeGreaterThan(4);
    expect(chinese.every(({ start, end }) => end - start <= 600)).toBe(true);
  });

  it("start again at each heading", () => {
    const pieces = cutPassages(
      reading("a", "A", [
        ["paragraph", "One."],
        ["heading2", "Two"],
        ["paragraph", "Two is two."],
      ]),
    );
    expect(pieces.map(({ heading, start, end }) => [heading, start, end])).toEqual([
      ["", 0, 4],
      ["Two", 6, 22],
    ]);
  });

  it("are the best of all documents within the budget, in the order of the texts", async () => {
    const first = reading("first", "Gulls", [
      ...filler(20),
      ["paragraph", `The tower is 90 metres tall. ${"Yes. ".repeat(120)}`],
      ...filler(5),
    ]);
    const second = reading("second", "Towers", [["paragraph", "Another tower is 12 metres tall."]]);
    const view = writingView("How tall is the tower?", [first, second]);
    const all = await select(view);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, i) => `P${i + 1}`));
    const few = await select(view, 300);
    expect(few.map(({ sourceId }) => sourceId)).toEqual(["first", "second"]);
    expect(few[0]?.text.slice(few[0].start, few[0].end)).toContain("The tower is 90 metres tall.");
    expect(await select(view, 0)).toHaveLength(1);
  });

  it("are relevant ones only, which a passage is not by its document alone", async () => {
    const tower = reading("tower", "Aldermoor", [["paragraph", `The tower is 90 metres tall. ${"Yes. ".repeat(120)}`], ...filler(10)]);
    const bread = reading("bread", "Bread", filler(20));
    const all = await select(writingView("How tall is the tower?", [tower, bread]));
    expect(all.map(({ sourceId, start }) => [sourceId, start])).toEqual([["tower", 0]]);
    expect(await select(writingView("How tall is the tower?", [tower, bread]), 100_000, false)).toHaveLength(11);
  });

  it.each([
    ["When was the lighthouse first lit?", "When the lighthouse was first lit", "Its lamp was lit in 1874.", "Parking costs two pounds. "],
    ["灯塔何时首次点亮？", "灯塔首次点亮的时间", "灯塔于1874年首次点亮。", "停车费为两英镑。"],
  ])("are not relevant by the title of their document alone: %s", async (question, title, answer, other) => {
    const others = Array.from({ length: 8 }, (): Piece => ["paragraph", other.repeat(40)]);
    const page = reading("page", title, [...others, ["paragraph", `${answer} ${other.repeat(40)}`], ...others]);
    const sent = await select(writingView(question, [page]));
    expect(sent.map(({ text, start, end }) => text.slice(start, end).includes(answer))).toEqual([true]);
  });

  it.each([
    ["how deep is the harbour?", [], ["Where is the lighthouse tower?"]],
    ["And its depth?", ["harbour depth"], ["Where is the lighthouse tower?"]],
    ["港口有多深？", ["harbour depth"], ["灯塔 tower 在哪里？"]],
  ])("of documents that the thread has read are relevant to what is asked now: %s", async (question, queries, earlier) => {
    const tower = reading("tower", "Lighthouse", [["paragraph", "The lighthouse tower is in Aldermoor."]]);
    const old = { ...tower, hit: { ...tower.hit, readAt: "2026-11-20T10:00:00.000Z" } };
    const harbour = reading("harbour", "Harbour", [["paragraph", "The harbour is deep: its depth is 12 metres."]]);
    const history = earlier.map((one) => ({ question: one, answer: "" }));
    const sourcesOf = async (first: Reading) => {
      const view = { ...writingView(question, [first, harbour]), history, queries };
      return (await select(view)).map(({ sourceId }) => sourceId);
    };
    expect(await sourcesOf(tower)).toEqual(["tower", "harbour"]);
    expect(await sourcesOf(old)).toEqual(["harbour"]);
  });

  it("from the middle of a table show its caption and first row above", async () => {
    const rows = Array.from({ length: 90 }, (_, i): Piece => ["table-row", `| harbour ${i} | ${1_000 + i} | ${2_000 + i} |`]);
    const table = reading("t", "港口吞吐量", [
      ["paragraph", "Cargo in thousand tonnes:"],
      ["table-row1", "| harbour | 2023 | 2024 |"],
      ...rows,
    ]);
    const selected = await select(writingView("How much cargo had harbour 80?", [table]));
    const shown = showPassages(selected.slice(-1), [table]);
    expect(shown).toContain("\nCargo in thousand tonnes:\n| harbour | 2023 | 2024 |\n[…]\n| harbour ");
    expect(showPassages(selected.slice(0, 1), [table])).not.toContain("[…]");
  });

  it("are few if none is relevant, and of all documents", async () => {
    const view = writingView("灯塔有多高？", [reading("a", "A", filler(40)), reading("b", "B", [["paragraph", "Bread."]])]);
    const few = await select(view);
    expect(few).toHaveLength(12);
    expect(new Set(few.map(({ sourceId }) => sourceId))).toEqual(new Set(["a", "b"]));
    const asked = await select({ ...view, queries: ["paragraph 7 gulls"] });
    expect(asked.length).toBeGreaterThan(0);
  });

  it("are chosen from a megabyte", async () => {
    const long = readingOf("long", "Long", "The tower is 90 metres tall. 这座灯塔高九十米。\n\n".repeat(25_000));
    const passages = await select(writingView("灯塔有多高？", [long]), 5_000);
    expect(passages.length).toBeGreaterThan(0);
  });
});

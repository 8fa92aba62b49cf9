import { expect, test } from "vitest";
import { contentHashOf } from "../../src/domain/document.ts";
import { originsOf, type ReadText } from "../../src/ranking/origins.ts";

const STORM = `The storm reached the harbour on the evening of 3 November. Forty boats were torn from their moorings, and the pier lost a third of its length.
The keeper of the lighthouse kept the lamp burning through the night, although the windows of the gallery had been broken by stones that the waves threw up.
In the morning the council decided to build a wall of granite, which was finished 12 years later and has held ever since.`;
const STORM_ZH = `风暴在傍晚到达港口，四十条船被扯离泊位，码头失去了三分之一的长度。灯塔看守人整夜没有让灯熄灭，尽管海浪抛起的石块打碎了廊道的窗户。
第二天早晨，议会决定修筑一道花岗岩防波堤，这道防波堤在十二年后完工，此后再也没有被海浪冲破。`;
const city = (name: string): string =>
  `${name} has a network of trams that runs day and night. Tickets for ${name} are sold at every stop and in the trams themselves, and they are valid for an hour. Visitors of ${name} pay less at the weekend, when a day ticket is as cheap as a single one, and children travel free of charge on all lines of the network at any time of the day, as do dogs, bicycles and prams, if there is room.`;

const read = (id: string, text: string, over: Partial<ReadText> = {}): ReadText => ({
  id,
  origin: id,
  title: "",
  text,
  contentHash: contentHashOf(text),
  ...over,
});
const origins = (...texts: ReadText[]): string[] => [...originsOf(texts).values()];

test("the same text under two addresses is one origin, whatever it is called and however short it is", () => {
  expect(origins(read("a", "Closed."), read("b", "Open."), read("c", "Closed.", { title: "Part 2" }))).toEqual(["a", "b", "a"]);
});

test("a copy with a menu, a corrected word or a cut is of the origin of its original", () => {
  const copy = `Home News Sport\n\n${STORM.replace("Forty boats", "Forty ships")}\n\nRead more`;
  expect(origins(read("a", STORM), read("b", copy), read("c", STORM.slice(0, 300)), read("d", city("Bern")))).toEqual(["a", "a", "a", "d"]);
});

test("a Chinese copy is of the origin of its original", () => {
  expect(origins(read("a", STORM_ZH), read("b", `首页 新闻\n${STORM_ZH}\n责任编辑：王五`))).toEqual(["a", "a"]);
});

test("texts that differ in what they count are no copies", () => {
  const other = STORM.replace("3 November", "7 March").replace("12 years", "20 years");
  expect(origins(read("a", STORM), read("b", other))).toEqual(["a", "b"]);
  expect(origins(read("a", STORM, { title: "Report 2023" }), read("b", `${STORM} End.`, { title: "Report 2024" }))).toEqual(["a", "b"]);
});

test("pages of one template about two cities are no copies", () => {
  expect(origins(read("a", city("Bern")), read("b", city("Basel")))).toEqual(["a", "b"]);
});

test("what was of one origin before stays so, and draws its copies along", () => {
  const texts = [read("a", STORM, { origin: "x" }), read("b", city("Bern"), { origin: "x" }), read("c", `${city("Bern")} Good luck.`)];
  expect(origins(...texts)).toEqual(["x", "x", "x"]);
  expect(originsOf([])).toEqual(new Map());
});

test("short texts that are only alike are no copies", () => {
  expect(origins(read("a", "Access denied. Please try again later."), read("b", "Access denied. Please try again later!"))).toEqual([
    "a",
    "b",
  ]);
});

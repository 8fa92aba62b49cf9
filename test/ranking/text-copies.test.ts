import { expect, test } from "vitest";
import { contentHashOf } from "../../src/domain/document.ts";
import { originsOf, type ReadText, sampleWords } from "../../src/ranking/text-copies.ts";

const STORM = `The storm reached the harbour on the evening of 3 November. Forty boats were torn from their moorings, and the pier lost a third of its length.
The keeper of the lighthouse kept the lamp burning through the night, although the windows of the gallery had been broken by stones that the waves threw up.
In the morning the council decided to build a wall of granite, which was finished 12 years later and has held ever since.`;
const STORM_ZH = `风暴在傍晚到达港口，四十条船被扯离泊位，码头失去了三分之一的长度。灯塔看守人整夜没有让灯熄灭，尽管海浪抛起的石块打碎了廊道的窗户。
第二天早晨，议会决定修筑一道花岗岩防波堤，这道防波堤在十二年后完工，此后再也没有被海浪冲破。`;
const city = (name: string): string =>
  `${name} has a network of trams that runs day and night. Tickets for ${name} are sold at every stop and in the trams themselves, and they are valid for an hour. Visitors of ${name} pay less at the weekend, when a day ticket is as cheap as a single one, and children travel free of charge on all lines of the network at any time of the day, as do dogs, bicycles and prams, if there is room.`;

const RELEASE = `Alba Foods announced on Tuesday that it will build a cannery in Port Ellen. The plant is to employ 120 people and will open in the spring of 2027.
Chief executive Mora Lind said that the company had looked at eleven places on the coast before it chose the old shipyard. The council of Port Ellen welcomed the decision and promised to widen the road to the harbour.
Alba Foods sells tinned fish in nine countries and had sales of 410 million euros last year.`;
const RETOLD = RELEASE.replace("announced on Tuesday", "has announced")
  .replace("Chief executive", "CEO")
  .replace("welcomed the decision", "was pleased");
const RELEASE_ZH = `晨光食品公司周二宣布，将在临海市兴建一座罐头厂。工厂计划雇用一百二十名员工，预计于2027年春季投产。
公司首席执行官林墨表示，公司在沿海考察了十一处地点，最终选定了旧造船厂。临海市政府对这一决定表示欢迎，并承诺拓宽通往港口的道路。`;
const RETOLD_ZH = RELEASE_ZH.replace("周二宣布", "日前宣布").replace("首席执行官", "总裁").replace("表示欢迎", "十分高兴");

const read = (id: string, text: string, over: Partial<ReadText> = {}): ReadText => ({
  id,
  origin: id,
  title: "",
  words: sampleWords(text),
  contentHash: contentHashOf(text),
  ...over,
});
const origins = (...texts: ReadText[]): string[] => [...originsOf(texts).values()];

test("the same text under two addresses is one origin, whatever its title and however short it is", () => {
  expect(origins(read("a", "Closed."), read("b", "Open."), read("c", "Closed.", { title: "Part 2" }))).toEqual(["a", "b", "a"]);
});

test("a copy with a menu, a corrected word or a cut has the origin of its original", () => {
  const copy = `Home News Sport\n\n${STORM.replace("Forty boats", "Forty ships")}\n\nRead more`;
  expect(origins(read("a", STORM), read("b", copy), read("c", STORM.slice(0, 300)), read("d", city("Bern")))).toEqual(["a", "a", "a", "d"]);
});

test("a Chinese copy has the origin of its original", () => {
  expect(origins(read("a", STORM_ZH), read("b", `首页 新闻\n${STORM_ZH}\n责任编辑：王五`))).toEqual(["a", "a"]);
});

test("texts with different counts are not copies", () => {
  const other = STORM.replace("3 November", "7 March").replace("12 years", "20 years");
  expect(origins(read("a", STORM), read("b", other))).toEqual(["a", "b"]);
  expect(origins(read("a", STORM, { title: "Report 2023" }), read("b", `${STORM} End.`, { title: "Report 2024" }))).toEqual(["a", "b"]);
});

test("pages of one template about two cities are no copies", () => {
  expect(origins(read("a", city("Bern")), read("b", city("Basel")))).toEqual(["a", "b"]);
});

test("texts that had one origin before keep it, and share it with their copies", () => {
  const texts = [read("a", STORM, { origin: "x" }), read("b", city("Bern"), { origin: "x" }), read("c", `${city("Bern")} Good luck.`)];
  expect(origins(...texts)).toEqual(["x", "x", "x"]);
  expect(originsOf([])).toEqual(new Map());
});

test("short texts that are only similar are not copies", () => {
  expect(origins(read("a", "Access denied. Please try again later."), read("b", "Access denied. Please try again later!"))).toEqual([
    "a",
    "b",
  ]);
});

test("a text with small changes in some sentences has the origin of its original", () => {
  expect(origins(read("a", RELEASE), read("b", RETOLD))).toEqual(["a", "a"]);
  expect(origins(read("a", RELEASE_ZH), read("b", RETOLD_ZH))).toEqual(["a", "a"]);
  expect(
    origins(read("a", RELEASE), read("b", RELEASE.replace("on Tuesday", "on Tuesday, 3 March,"), { title: "Cannery of 2027" })),
  ).toEqual(["a", "a"]);
});

test("a copy within a page that says more has the origin of its original", () => {
  const page = `${city("Bern")}\n\nFrom the archive: ${RETOLD}\n\n${STORM}`;
  expect(origins(read("a", RELEASE), read("b", page))).toEqual(["a", "a"]);
});

test("a sentence taken from a text has the text's origin, with or without small changes", () => {
  const sentence = "The council of Port Ellen welcomed the decision and promised to widen the road to the harbour.";
  expect(origins(read("a", RELEASE), read("b", sentence), read("c", sentence.replace("promised", "has promised")))).toEqual([
    "a",
    "a",
    "a",
  ]);
  expect(origins(read("a", RELEASE_ZH), read("b", "公司在沿海考察了十一处地点，最终选定了旧造船厂。"))).toEqual(["a", "a"]);
});

test("two reports of one fact in their own words are two origins", () => {
  const own = `Port Ellen's disused shipyard is to become a fish cannery. Alba Foods, whose sales came to 410 million euros last year, means to hire 120 people there and to begin work in spring 2027, the firm's head Mora Lind told reporters on Tuesday.
Eleven sites had been considered. Councillors said they were glad and would make the harbour road wider.`;
  const ownZh = `临海的旧造船厂即将变成一家罐头厂。晨光食品公司周二透露，新厂将招聘一百二十人，2027年春天开工生产。
林墨对记者说，他们看过十一个地方才作出选择。当地政府乐见其成，还打算把港口公路修得更宽。`;
  expect(origins(read("a", RELEASE), read("b", own))).toEqual(["a", "b"]);
  expect(origins(read("a", RELEASE_ZH), read("b", ownZh))).toEqual(["a", "b"]);
  const brief = (text: string) => origins(read("a", RELEASE), read("b", text));
  expect(brief("Alba Foods will open a plant with 120 jobs in Port Ellen in the spring of 2027.")).toEqual(["a", "b"]);
});

test("two reports that quote one statement are two origins", () => {
  const quote = `"We looked at eleven places on the coast before we chose the old shipyard of Port Ellen," Mora Lind said.`;
  const one = `A cannery is coming to the island. ${quote} Work begins in spring, and 120 people will be hired by Alba Foods.`;
  const other = `Fishermen hope for better prices now that Alba Foods comes to them. ${quote} The ferry may have to run more often, say its owners.`;
  expect(origins(read("a", one), read("b", other))).toEqual(["a", "b"]);
});

test("short texts of one template about two things are two origins", () => {
  const commune = (name: string) => `${name} is a commune in the Pyrénées-Atlantiques department in south-western France.`;
  expect(origins(read("a", commune("Aast")), read("b", commune("Abère")))).toEqual(["a", "b"]);
  const bird = (name: string) =>
    `The ${name} is a small bird that lives in the woods of Europe and eats insects and berries in the winter.`;
  expect(origins(read("a", bird("robin"), { title: "Robin" }), read("b", bird("wren"), { title: "Wren" }))).toEqual(["a", "b"]);
  const town = (name: string) => `${name}有一条昼夜运行的电车线路，车票在每一站和车上都可以买到，一小时内有效。`;
  expect(origins(read("a", town("伯尔尼")), read("b", town("巴塞尔")))).toEqual(["a", "b"]);
});

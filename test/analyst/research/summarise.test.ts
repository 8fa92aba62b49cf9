import { expect, test } from "vitest";
import { createExtractiveResearch } from "../../../src/analyst/extractive/research/analyst.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { executedOf, findingsOf, viewOf } from "./research-views.ts";

const research = createExtractiveResearch();

test("findings stand under their questions in the order of the plan, each passage with one number", async () => {
  const effects = plainEffects();
  const both = "c:The Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres.";
  const executed = [
    executedOf("How long is the Orin Bridge?", findingsOf("a:The Orin Bridge is 1,240 metres long.", both)),
    executedOf("How long is the Harrow Bridge?", findingsOf(both, "b:The Harrow Bridge is 2,310 metres long."), { id: "T2" }),
  ];
  const summary = await research.summarise(
    { ...viewOf("Is the Orin Bridge longer than the Harrow Bridge?"), readings: [], executed },
    effects,
  );
  expect(summary.claims.map(({ section, text, citations }) => [section, text, citations])).toEqual([
    ["How long is the Orin Bridge?", "The Orin Bridge is 1,240 metres long.", [1]],
    ["How long is the Orin Bridge?", "The Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres.", [2]],
    ["How long is the Harrow Bridge?", "The Harrow Bridge is 2,310 metres long.", [3]],
  ]);
  expect(summary.citations.map(({ id, sourceId }) => [id, sourceId])).toEqual([
    [1, "a"],
    [2, "c"],
    [3, "b"],
  ]);
  expect(summary).toMatchObject({ reason: null, unanswered: [] });
  const answer =
    "## How long is the Orin Bridge?\n\nThe Orin Bridge is 1,240 metres long. [1]\n\nThe Orin Bridge is 1,240 metres long, the Harrow Bridge 2,310 metres. [2]\n\n## How long is the Harrow Bridge?\n\nThe Harrow Bridge is 2,310 metres long. [3]";
  expect(effects.events).toEqual([{ type: "component", component: "summary-response", partial: false, props: { answer, unanswered: [] } }]);
});

test("what was not answered is named in the user's language and brings no sentence", async () => {
  const executed = [
    executedOf("雾川大桥是谁设计的？", findingsOf("a:雾川大桥由工程师林澈设计。")),
    executedOf("雾川大桥 造价", findingsOf("b:雾川大桥每年检查一次。"), {
      id: "T2",
      status: "failed",
      doneCriteria: "雾川大桥的造价是多少？",
      feedback: "引用的段落没有给出数字。",
    }),
  ];
  const summary = await research.summarise({ ...viewOf("雾川大桥是谁设计的，造价是多少？"), readings: [], executed }, plainEffects());
  expect(summary.claims.map(({ text }) => text)).toEqual(["雾川大桥由工程师林澈设计。"]);
  expect(summary.citations).toHaveLength(1);
  expect(summary.unanswered).toEqual(["雾川大桥的造价是多少？ 引用的段落没有给出数字。"]);
});

test("what is no question gets no question mark from being asked again, and a colon before the reason", async () => {
  const open = { status: "failed", feedback: "太薄弱" } as const;
  const executed = [
    executedOf("height of the Harrow mast", findingsOf(), { ...open, doneCriteria: "height of the Harrow mast?" }),
    executedOf("雾川大桥的高度", findingsOf(), { ...open, id: "T2", doneCriteria: "雾川大桥的高度？" }),
  ];
  const summary = await research.summarise({ ...viewOf("How high are they?"), readings: [], executed }, plainEffects());
  expect(summary.unanswered).toEqual(["height of the Harrow mast: 太薄弱", "雾川大桥的高度：太薄弱"]);
});

test("where nothing was found the reason says so", async () => {
  const one = [executedOf("Who painted it?", { ...findingsOf(), reason: "No source speaks of it." }, { status: "failed" })];
  const view = { ...viewOf("Who painted it?"), readings: [] };
  expect(await research.summarise({ ...view, executed: one }, plainEffects())).toMatchObject({
    claims: [],
    reason: "No source speaks of it.",
  });
  const two = [...one, executedOf("When?", { ...findingsOf(), reason: null }, { id: "T2", status: "failed", feedback: "No date." })];
  expect((await research.summarise({ ...view, executed: two }, plainEffects())).reason).toBe(
    "Not answered: Who painted it? No source speaks of it.\nNot answered: When? No date.",
  );
});

test("a question whose sentences were all said stands beside the question that said them", async () => {
  const found = findingsOf("a:Tolmere Shipyards was founded in 1903 by Johan Vire.");
  const executed = [
    executedOf("Who founded Tolmere Shipyards?", found),
    executedOf("When was Tolmere Shipyards founded?", found, { id: "T2" }),
  ];
  const summary = await research.summarise(
    { ...viewOf("Who founded Tolmere Shipyards and when?"), readings: [], executed },
    plainEffects(),
  );
  expect(summary.claims.map(({ section }) => section)).toEqual(["Who founded Tolmere Shipyards? When was Tolmere Shipyards founded?"]);
});

test("one question alone keeps the sections and all sentences of its report", async () => {
  const found = findingsOf("a:The Orin Bridge is green.", "b:The Orin Bridge is 1,240 metres long.");
  const claims = found.claims.map((claim) => ({ ...claim, section: "Care" }));
  const executed = [executedOf("How long is the Orin Bridge?", { ...found, claims })];
  const summary = await research.summarise({ ...viewOf("How long is the Orin Bridge?"), readings: [], executed }, plainEffects());
  expect(summary.claims).toEqual(claims);
});

test.each([
  ["When was the Harrow Bridge painted?", "a:The Harrow Bridge is green.", "The quoted passages name no date."],
  ["银湾大桥是哪一年刷的漆？", "a:银湾大桥是绿色的。", "引用的段落没有给出日期。"],
])(
  "what the user's own words have found stays in the report, also where it does not answer them: “%s”",
  async (question, sentence, feedback) => {
    const found = findingsOf(sentence);
    const executed = [executedOf(question, found, { status: "failed", feedback })];
    const summary = await research.summarise({ ...viewOf(question), readings: [], executed }, plainEffects());
    expect(summary).toMatchObject({ claims: found.claims, reason: null, unanswered: [`${question} ${feedback}`] });
    const reworded = [executedOf(question, found, { status: "failed", feedback, doneCriteria: question })];
    expect((await research.summarise({ ...viewOf(question), readings: [], executed: reworded }, plainEffects())).claims).toEqual([]);
  },
);

test.each([
  [
    "How heavy is the Kite Glider 4?",
    "How heavy is the Kite Glider 5?",
    "a:The Kite Glider 4 weighs 29 kg.",
    "b:The Kite Glider 5 weighs 31 kg.",
  ],
  ["雪原T7的重量是多少？", "雪原T8的重量是多少？", "a:雪原T7重29公斤。", "b:雪原T8重31公斤。"],
])("of several todos each shows what bears it out and nothing of its sibling: “%s”", async (first, second, one, other) => {
  const found = findingsOf(one, other);
  const executed = [executedOf(first, found), executedOf(second, found, { id: "T2" })];
  const summary = await research.summarise({ ...viewOf(`${first} ${second}`), readings: [], executed }, plainEffects());
  expect(summary.claims.map(({ section, text }) => [section, text])).toEqual([
    [first, one.slice(2)],
    [second, other.slice(2)],
  ]);
});

test.each([
  [
    "When was the Cape Farrow lighthouse built?",
    ["a:The Cape Farrow lighthouse was built in 1874 by Ada Penrose.", "b:The mill was built in 1822.", "c:Ada Penrose came from Tolmere."],
    [0, 2],
  ],
  ["Who leads Veldt Mills?", ["a:Veldt Mills is led by Hedda Lowe.", "b:Lead pipes were laid in Tolmere."], [0]],
  ["雪原T7什么时候上市？", ["a:雪原T7于2019年上市。", "b:雪原T8于2021年上市。"], [0]],
])("a question alone is not shown with sentences that only share words with it: “%s”", async (question, sentences, kept) => {
  const found = findingsOf(...sentences);
  const summary = await research.summarise({ ...viewOf(question), readings: [], executed: [executedOf(question, found)] }, plainEffects());
  expect(summary.claims.map(({ text }) => text)).toEqual(kept.map((at) => sentences[at]?.slice(2)));
});

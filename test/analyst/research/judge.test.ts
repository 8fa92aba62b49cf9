import { expect, test } from "vitest";
import { createExtractiveResearch } from "../../../src/analyst/extractive/research/analyst.ts";
import type { Findings } from "../../../src/domain/ports/research-analyst.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { executedOf, findingsOf, todoOf, viewOf } from "./research-views.ts";

const research = createExtractiveResearch();

function assess(question: string, findings: Findings, round = 1, roundsLeft = 3) {
  const effects = plainEffects();
  const view = { ...viewOf(question), todo: todoOf(question), round, roundsLeft, findings };
  return research.assess(view, effects).then((assessment) => ({ assessment, events: effects.events }));
}

test.each([
  ["Which harbours froze?", "a:Ice lay on the quays of Tolmere.", "No quoted passage names “froze”."],
  ["哪些港口结冰了？", "a:塔尔码头边都是冰。", "引用的段落没有提到“港口结冰”。"],
  ["How many guests did the Veldt Mast have in 1911?", "a:The Veldt Mast had 4,300 guests in 1908.", "No quoted passage names “1911”."],
])(
  "a plan of one todo is judged as strictly as one of several, and what was found is not looked for again: “%s”",
  async (question, sentence, why) => {
    const { assessment } = await assess(question, findingsOf(sentence));
    expect(assessment).toMatchObject({ taskCompleted: false, nextAction: "complete", summary: why });
    const executed = [executedOf(question, findingsOf(sentence))];
    const verdict = await research.verify({ ...viewOf(question), role: "verifier", executed }, plainEffects());
    expect(verdict.tasks).toEqual([{ id: "T1", completed: false, feedback: why }]);
  },
);

test.each([
  ["When was the Harrow Bridge painted with seaside colours?", "Harrow Bridge painted"],
  ["银湾大桥是哪一年用海蓝色油漆重刷的？", "银湾大桥 用海蓝色 油漆"],
])("what is asked again is looked for in fewer words where one round is left: “%s”", async (question, query) => {
  const todo = todoOf(question, { doneCriteria: question });
  const view = { ...viewOf(question), todo, round: 1, roundsLeft: 1, findings: findingsOf() };
  expect(await research.assess(view, plainEffects())).toMatchObject({ nextAction: "continue", nextQuery: query });
});

const DEPTH = "Compare the depth of Lake Kest and Lake Ardle.";
test.each([
  ["one sentence speaks of all of it", DEPTH, ["a:Lake Ardle is twice as deep as Lake Kest."], true],
  ["one sentence speaks of all of it", "对比星河湖和沙洲湖的深度。", ["a:星河湖的深度比沙洲湖大得多。"], true],
  ["no sentence speaks of all of it", DEPTH, ["a:Lake Kest is a deep lake.", "b:Lake Ardle is cold."], false],
  ["a sentence speaks of something else", DEPTH, ["a:Lake Ardle is twice as long as Lake Kest."], false],
  ["no sentence names a price", "Compare the price of Lake Kest and Lake Ardle.", ["a:Lake Ardle is twice as deep as Lake Kest."], false],
  ["a year is in no sentence", "星河仪器公司2015年和2016年的营收是多少？", ["a:星河仪器公司2021年的营收是38亿元。"], false],
])("a whole question whose parts had failed is judged by what it asks: %s", async (_, question, sentences, answered) => {
  const whole = todoOf(question, { id: "T3", doneCriteria: question.replace(/[.。]$/, "?") });
  const findings = findingsOf(...sentences);
  const assessed = await research.assess({ ...viewOf(question), todo: whole, round: 1, roundsLeft: 0, findings }, plainEffects());
  const verdict = await research.verify({ ...viewOf(question), role: "verifier", executed: [{ todo: whole, findings }] }, plainEffects());
  expect([assessed.taskCompleted, verdict.allCompleted]).toEqual([answered, answered]);
});

test("two names are not made one where only the search sees them", async () => {
  const { assessment } = await assess("Did anyone from Tolmere visit people in Aldermoor?", findingsOf());
  expect(assessment.nextQuery).toContain("Tolmere");
  expect(assessment.nextQuery).toContain(", Aldermoor");
});

test("a todo is complete where its claims name its subject and tell what kind of thing is asked for", async () => {
  const found = findingsOf("a:The Orin Bridge is painted green.", "b:The Orin Bridge was opened on 12 May 1931.");
  const { assessment, events } = await assess("When was the Orin Bridge opened?", found);
  expect(assessment).toEqual({
    taskCompleted: true,
    shouldContinue: false,
    nextAction: "complete",
    summary: "The Orin Bridge was opened on 12 May 1931.",
    nextQuery: null,
  });
  expect(events).toEqual([
    { type: "component", component: "executor-response", partial: false, props: { ...assessment, status: "completed", todoId: "T1" } },
  ]);
});

test("what was not found is looked for once more without the words around it, and then given up", async () => {
  const question = "When was the Harrow Bridge opened?";
  const { assessment } = await assess(question, findingsOf());
  expect(assessment).toMatchObject({
    taskCompleted: false,
    shouldContinue: true,
    nextAction: "continue",
    nextQuery: "Harrow Bridge opened",
  });
  expect(assessment.summary).toBe("Nothing was found.");
  const { assessment: second } = await assess(question, findingsOf("a:The Harrow Bridge is closed in storms."), 2);
  expect(second).toEqual({
    taskCompleted: false,
    shouldContinue: false,
    nextAction: "complete",
    summary: "The quoted passages name no date.",
    nextQuery: null,
  });
  expect((await assess(question, findingsOf(), 1, 0)).assessment.nextAction).toBe("complete");
});

test.each([
  ["When was the Orin Bridge opened?", "a:The Harrow Bridge was opened in 1974.", "No quoted passage names “Orin Bridge”."],
  [
    "What was the revenue of Tolmere Shipyards in 2021?",
    "a:The revenue of Tolmere Shipyards was 2.1 billion in 2022.",
    "No quoted passage names “2021”.",
  ],
  [
    "How many stations does the Kest Line have?",
    "a:The Kest Line has small stations of yellow brick.",
    "The quoted passages name no figure.",
  ],
  ["雾川大桥是哪一年通车的？", "a:雾川大桥连接老城区与码头区。", "引用的段落没有给出日期。"],
  ["雾川大桥是哪一年通车的？", "a:银湾大桥于1996年通车。", "引用的段落没有提到“雾川大桥”。"],
  ["Who owns the Heron Mill?", "a:The Heron Mill was built in 1822 by Karl Brandt.", "No quoted passage names “owns”."],
  ["How deep is the Orsa Shaft?", "a:The Orsa Shaft was closed in 1961.", "The quoted passages name no “depth”."],
  ["How old is the Heron Mill?", "a:The Heron Mill grinds 12 tonnes a day.", "The quoted passages name no age."],
  [
    "How many sluices does the Heron Mill have?",
    "a:The sluices of the Heron Mill were mended in 1911.",
    "The quoted passages name no figure.",
  ],
  ["雾川市有哪些岛屿？", "a:雾川市的人口是214万。", "引用的段落没有提到“岛屿”。"],
  ["银湾水塔有多高？", "a:银湾水塔建于1931年。", "引用的段落没有给出“高度”。"],
])("“%s” is not answered by “%s”", async (question, sentence, feedback) => {
  const verdict = await research.verify(
    { ...viewOf(`${question}${question}`), role: "verifier", executed: [executedOf(question, findingsOf(sentence))] },
    plainEffects(),
  );
  expect(verdict.allCompleted).toBe(false);
  expect(verdict.tasks).toEqual([{ id: "T1", completed: false, feedback }]);
});

test.each([
  ["When was the Orin Bridge opened?", "a:The Orin Bridge opened in 1931."],
  ["Who founded Tolmere Shipyards?", "a:Tolmere Shipyards was founded by Johan Vire."],
  ["How long is the Orin Bridge?", "a:The Orin Bridge is 1,240 metres long."],
  ["What is the population of Tolmere?", "a:Tolmere has 214,000 inhabitants."],
  ["雾川大桥是哪一年通车的？", "a:雾川大桥于1958年通车。"],
  ["银湾地铁有多少个车站？", "a:银湾地铁有31个车站。"],
  ["Who owns the Heron Mill?", "a:The Heron Mill belongs to the parish of Tolmere."],
  ["How old is the Heron Mill?", "a:The Heron Mill was completed in 1822."],
  ["What is the range of the Kite Glider?", "a:The Kite Glider can reach a place 300 km away."],
  ["雾川市有哪些岛屿？", "a:白石岛和灯心岛在雾川市南面。"],
  ["谁拥有银湾水塔？", "a:银湾水塔属于银湾自来水公司。"],
  ["银湾水塔有多少年历史？", "a:银湾水塔建于1931年，至今已有90年历史。"],
  ["银湾水塔的票价是多少？", "a:银湾水塔的门票每人30元。"],
])("“%s” is answered by “%s”", async (question, sentence) => {
  const verdict = await research.verify(
    { ...viewOf(`${question}${question}`), role: "verifier", executed: [executedOf(question, findingsOf(sentence))] },
    plainEffects(),
  );
  expect(verdict.allCompleted).toBe(true);
});

test("a verifier looks at the question that a reworded todo still has to answer", async () => {
  const reworded = { doneCriteria: "When was the Orin Bridge opened?", status: "completed" as const };
  const executed = [executedOf("Orin Bridge opened", findingsOf("a:The Orin Bridge is green."), reworded)];
  const verdict = await research.verify({ ...viewOf("When was the Orin Bridge opened?"), role: "verifier", executed }, plainEffects());
  expect(verdict).toEqual({
    allCompleted: false,
    overallFeedback: "1 of 1 questions is not answered.",
    tasks: [{ id: "T1", completed: false, feedback: "The quoted passages name no date." }],
  });
});

test("what the conversation answered holds without passages, and rules judge in no other role", async () => {
  const view = { ...viewOf("它有多长？"), executed: [executedOf("它有多长？", findingsOf(), { answeredBy: "conversation" })] };
  expect((await research.verify({ ...view, role: "verifier" }, plainEffects())).allCompleted).toBe(true);
  const effects = plainEffects();
  expect(await research.verify({ ...view, role: "reviewer" }, effects)).toEqual({ allCompleted: true, overallFeedback: "", tasks: [] });
  expect(effects.events).toEqual([]);
});

test("one claim has to say what is asked of the subject, also where it was found in fewer words", async () => {
  const reworded = (doneCriteria: string) => ({ doneCriteria, rounds: 1, status: "completed" as const });
  const judge = (question: string, sentence: string) =>
    research.verify(
      { ...viewOf(question), role: "verifier", executed: [executedOf("fewer words", findingsOf(sentence), reworded(question))] },
      plainEffects(),
    );
  expect((await judge("Who painted the Harrow Bridge?", "a:The Harrow Bridge was designed by Karl Brandt.")).allCompleted).toBe(false);
  expect((await judge("Who painted the Harrow Bridge?", "a:The Harrow Bridge was painted by Hedda Lowe.")).allCompleted).toBe(true);
  expect((await judge("银湾市的妻子是谁？", "a:银湾市的人口是148万。")).allCompleted).toBe(false);
  expect((await judge("银湾市的市长是谁？", "a:银湾市的市长是何海平。")).allCompleted).toBe(true);
});

test("the words that a model's sentence quotes name what the sentence calls “it”, also in another language", async () => {
  const quoted = findingsOf("a:The Orin Bridge was opened on 12 May 1931.");
  const found: Findings = { ...quoted, claims: quoted.claims.map((claim) => ({ ...claim, text: "It opened in 1931." })) };
  expect((await assess("When was the Orin Bridge opened?", found)).assessment).toMatchObject({
    taskCompleted: true,
    summary: "It opened in 1931.",
  });
  expect((await assess("When was the Harrow Bridge opened?", found)).assessment.taskCompleted).toBe(false);
  const chinese = findingsOf("a:雾川大桥于1958年通车。");
  const translated: Findings = { ...chinese, claims: chinese.claims.map((claim) => ({ ...claim, text: "The bridge opened in 1958." })) };
  expect((await assess("雾川大桥是哪一年通车的？", translated)).assessment.taskCompleted).toBe(true);
});

test.each([
  ["How many guests did the Veldt Mast have?", "a:The Veldt Mast is white.", "b:The mill had 4,300 guests."],
  ["银湾水塔的票价是多少？", "a:银湾水塔是白色的。", "b:磨坊的门票每人30元。"],
])("a figure of another document, which names nothing that is asked about, is no answer to “%s”", async (question, ...sentences) => {
  const executed = [executedOf(question, findingsOf(...sentences))];
  const verdict = await research.verify({ ...viewOf(`${question}${question}`), role: "verifier", executed }, plainEffects());
  expect(verdict.allCompleted).toBe(false);
});

test.each([
  [
    "the year is told of something else",
    "What was the turnover of Veldt Mills in 1911?",
    ["a:The turnover of Veldt Mills was 3 million crowns in 1908.", "b:Veldt Mills bought two boats in 1911."],
  ],
  [
    "the year is told of something else",
    "雾川造船厂2015年的产值是多少？",
    ["a:雾川造船厂2013年的产值为3亿元。", "b:雾川造船厂2015年买了两条船。"],
  ],
  [
    "the sentence is about another number",
    "How heavy is the Kite Glider 4?",
    ["a:The Kite Glider 4 is red.", "b:The Kite Glider 5 weighs 31 kg."],
  ],
  ["the sentence is about another code", "雪原T7的重量是多少？", ["a:雪原T7是红色的。", "b:雪原T8重31公斤。"]],
  [
    "the sentence is about another name",
    "Who is the keeper of Cape Farrow?",
    ["a:Cape Farrow is rocky.", "b:The keeper is Nils Brandt of Cape Hollow."],
  ],
  ["the sentence is about another name", "银湾造船集团的董事长是谁？", ["a:银湾造船集团有三座船坞。", "b:雾川造船集团的董事长是何海平。"]],
])("a single todo is not answered where %s: “%s”", async (_, question, sentences) => {
  const { assessment } = await assess(question, findingsOf(...sentences));
  expect(assessment).toMatchObject({ taskCompleted: false, nextQuery: null });
});

test.each([
  ["What is the load of the copper-iron cable?", ["a:A nickel-zinc cable has a load of 90 kN.", "a:A copper-iron cable bears only 40 kN."]],
  ["What is the load of the copper-iron cable?", ["a:A copper-iron cable has a load of 40 kN."]],
  ["When was Aldermoor Abbey closed?", ["a:Aldermoor Abbey stands on a hill.", "a:It was closed in 1537."]],
  ["银湾造船集团的董事长是谁？", ["a:银湾造船集团的董事长是何海平。"]],
])("a sentence takes its relation from a figure beside it and its subject from what it refers to: “%s”", async (question, sentences) => {
  const plain = findingsOf(...sentences);
  const citations = plain.citations.map((one, i) => ({ ...one, start: 100 * i, end: 100 * i + one.quote.length }));
  expect((await assess(question, { ...plain, citations })).assessment.taskCompleted).toBe(true);
});

test("the title of a document says whom its sentences are about", async () => {
  const question = "How heavy is the Kite Glider 4?";
  const found = findingsOf("a:It weighs 29 kg.");
  expect((await assess(question, found)).assessment.taskCompleted).toBe(false);
  expect((await assess(question, { ...found, titles: { a: "Kite Glider 4 – manual" } })).assessment.taskCompleted).toBe(true);
  expect((await assess(question, { ...found, titles: { a: "Kite Glider 5 – manual" } })).assessment.taskCompleted).toBe(false);
});

test("a thing that runs is no leader, and a shelf life is no length", async () => {
  const runs = "Who runs Veldt Mills?";
  expect((await assess(runs, findingsOf("a:Veldt Mills employs 90 people and runs four looms."))).assessment.taskCompleted).toBe(false);
  expect((await assess(runs, findingsOf("a:Hedda Lowe runs Veldt Mills."))).assessment.taskCompleted).toBe(true);
  expect((await assess("云岭饼的保质期有多长？", findingsOf("a:云岭饼的保质期可达三年。"))).assessment.taskCompleted).toBe(true);
  expect((await assess("云岭饼的保质期有多长？", findingsOf("a:云岭饼有保质期。"))).assessment.taskCompleted).toBe(false);
});

test("who somebody is tells not what became of them", async () => {
  const question = "雾川造船集团的首席工程师退休于哪一年？";
  expect((await assess(question, findingsOf("a:雾川造船集团2011年的首席工程师是何海平。"))).assessment.taskCompleted).toBe(false);
  expect((await assess(question, findingsOf("a:雾川造船集团的首席工程师何海平2011年退休。"))).assessment.taskCompleted).toBe(true);
});

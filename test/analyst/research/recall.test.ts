import { expect, test } from "vitest";
import { createExtractiveResearch } from "../../../src/analyst/extractive/research/analyst.ts";
import { executedOf, findingsOf, todoOf } from "./research-views.ts";

const research = createExtractiveResearch();
const open = { id: "T9", status: "pending" as const };

function fromEvidence(question: string, sentence: string) {
  const executed = [executedOf("Something else entirely?", findingsOf(sentence))];
  return research.recall({ todo: todoOf(question, open), language: "auto", history: [], executed });
}

function fromConversation(question: string, earlier: string, answer = "1931.") {
  return research.recall({ todo: todoOf(question, open), language: "auto", history: [{ question: earlier, answer }], executed: [] });
}

test.each([
  ["When was the Orin Bridge opened?", "a:The Orin Bridge was opened on 12 May 1931."],
  ["When was the Orin Bridge opened?", "a:The Orin Bridge opened in 1931."],
  ["How long is the Orin Bridge?", "a:The Orin Bridge is 1,240 metres long."],
  ["How many stations does the Kest Line have?", "a:The Kest Line has 22 stations."],
  ["雾川大桥是哪一年通车的？", "a:雾川大桥于1958年通车。"],
  ["银湾地铁有多少个车站？", "a:银湾地铁有31个车站。"],
  ["雾川市的人口是多少？", "a:雾川市的人口是326万。"],
])("“%s” is answered already by “%s”", (question, sentence) => {
  const recalled = fromEvidence(question, sentence);
  expect(recalled).toMatchObject({ from: "evidence", text: sentence.slice(2) });
  expect(recalled?.findings.claims.map(({ text }) => text)).toEqual([sentence.slice(2)]);
  expect(recalled?.findings.citations).toHaveLength(1);
});

test.each([
  ["When was Tolmere Shipyards founded?", "a:Johan Vire of Tolmere Shipyards founded a rope walk in 1899."],
  ["When was Tolmere Shipyards founded?", "a:Tolmere Shipyards, founded by Johan Vire, built a dock in 1909."],
  ["When was the Orin Bridge opened?", "a:The Orin Bridge was not opened in 1930."],
  ["When was the Orin Bridge opened?", "a:The Orin Bridge was to be opened before 1930."],
  ["When was the Orin Bridge opened?", "a:The toll house of the Orin Bridge was opened in 2003."],
  ["When was the Orin Bridge opened?", "a:The Orin Bridge was closed in 2003."],
  ["How many stations does the Kest Line have?", "a:The Kest Line has 22 tunnels and pretty stations."],
  ["How many stations does the Kest Line have?", "a:The Kest Line and the Coast Line have 37 stations."],
  ["Who founded Tolmere Shipyards?", "a:Johan Vire and the founded Tolmere Shipyards."],
  ["Why was the Orin Bridge opened?", "a:The Orin Bridge was opened in 1931."],
  ["What was the revenue of Tolmere Shipyards in 2021?", "a:The revenue of Tolmere Shipyards was 2.1 billion crowns in 2022."],
  ["雾川公司何时成立？", "a:雾川公司创办人林澈在2003年成立了星河公司。"],
  ["雾川大桥是哪一年通车的？", "a:雾川大桥计划于1958年通车。"],
  ["雾川大桥是哪一年通车的？", "a:雾川大桥旁边的隧道于1990年通车。"],
  ["雾川大桥是哪一年通车的？", "a:银湾大桥于1996年通车。"],
  ["雾川大桥是谁设计的？", "a:雾川大桥由林澈设计。"],
])("“%s” is not certainly answered by “%s”", (question, sentence) => {
  expect(fromEvidence(question, sentence)).toBeNull();
});

test.each([
  ["When was the Orin Bridge opened?", "When did the Orin Bridge open?"],
  ["When was the Orin Bridge opened?", "When was Orin Bridge opened?"],
  ["雾川大桥什么时候通车？", "请问雾川大桥是何时通车的？"],
])("“%s” was answered where “%s” was", (question, earlier) => {
  expect(fromConversation(question, earlier)).toEqual({
    from: "conversation",
    text: "1931.",
    findings: { claims: [], citations: [], reason: null },
  });
});

test.each([
  ["Who beat Tolmere?", "Who did Tolmere beat?"],
  ["Who is the mayor of Tolmere?", "Who was the mayor of Tolmere?"],
  ["When was the Orin Bridge opened?", "Where was the Orin Bridge opened?"],
  ["When was the Orin Bridge opened?", "When was the Harrow Bridge opened?"],
  ["What was the revenue in 2021?", "What was the revenue in 2022?"],
  ["Why was the bridge closed?", "Why was the bridge not closed?"],
  ["雾川大桥什么时候通车？", "银湾大桥什么时候通车？"],
  ["雾川市的市长是谁？", "雾川市的前市长是谁？"],
  ["为什么茶叶涨价？", "为什么茶叶没涨价？"],
])("“%s” is not what “%s” asked", (question, earlier) => {
  expect(fromConversation(question, earlier)).toBeNull();
});

test.each([
  [
    "雾川大桥什么时候通车？",
    "## 雾川大桥\n\n雾川大桥于1958年通车[1]。\n\n## 银湾茶\n\n- 银湾茶味道清淡。[2]\n\n> 引文",
    "雾川大桥于1958年通车。",
  ],
  [
    "When was the Orin Bridge opened?",
    "# Report\n\n**Bridges**\n\n* The [Orin Bridge](https://example.org) was opened in 1931 [1][2].\n* Barley is ground in Kest. [3]\n\n| a | b |",
    "The Orin Bridge was opened in 1931.",
  ],
])("of an earlier answer to “%s” only the sentence that answers is said, as plain text", (question, answer, sentence) => {
  expect(fromConversation(question, question, answer)?.text).toBe(sentence);
});

test("a turn of a run names the run, and what that has borne out is taken with its quotes", () => {
  const question = "雾川湖的面积是多少？";
  const todo = todoOf(question, open);
  const view = { todo, language: "auto", history: [{ question, answer: "42平方公里。", run: "r1" }], executed: [] };
  expect(research.recall(view)).toMatchObject({ from: "conversation", earlierRun: "r1", findings: { claims: [] } });
  const earlier = findingsOf("a:雾川湖的面积是42平方公里。", "b:银湾茶味道清淡。");
  const recalled = research.recall({ ...view, earlier });
  expect(recalled).toMatchObject({ from: "conversation", text: "雾川湖的面积是42平方公里。" });
  expect(recalled?.findings.claims.map(({ text }) => text)).toEqual(["雾川湖的面积是42平方公里。"]);
  expect(recalled?.findings.citations.map(({ sourceId }) => sourceId)).toEqual(["a"]);
});

test("a turn that was not answered answers nothing", () => {
  const question = "When was the Orin Bridge opened?";
  const refused = "The sources do not answer the question: they never mention “Orin”.";
  expect(fromConversation(question, question, refused)).toBeNull();
  expect(fromConversation(question, question, "  ")).toBeNull();
  expect(fromConversation("雾川大桥何时通车？", "雾川大桥何时通车？", "来源没有回答这个问题：其中找不到“雾川”。")).toBeNull();
});

test.each([
  ["How tall is the Orin Mast?", "Let me find out how tall the Orin Mast is."],
  ["How tall is the Orin Mast?", "How tall is the Orin Mast? In metres or in feet?"],
  ["How tall is the Orin Mast?", "The Orin Mast might be some 80 metres tall."],
  ["How tall is the Orin Mast?", "The Orin Mast is very tall."],
  ["How tall is the Orin Mast?", "I couldn’t find how tall the Orin Mast is. The Kest Mast is 90 metres tall."],
  ["When was the Orin Bridge opened?", "I'm not sure when the Orin Bridge was opened in those years after 1900."],
  ["When was the Orin Bridge opened?", "The Orin Bridge was opened by the queen."],
  ["When was the Orin Bridge opened?", "The Orin Bridge was not opened in 1930."],
  ["When does the Kest Mill open?", "The Kest Mill opens."],
  ["How many guests does the Kest Mill take?", "The Kest Mill takes guests, and I will count them for you."],
  ["How many guests came to the Kest Mill in 2021?", "Guests came to the Kest Mill in 2021."],
  ["Who is the mayor of Tolmere?", "The mayor of Tolmere is elected by the people."],
  ["Who is the mayor of Tolmere?", "Could you tell me which Tolmere you mean, Tolmere Bay or Tolmere Hill?"],
  ["Why is the Kest Mill closed?", "Sorry, there is no information about why the Kest Mill is closed."],
  ["Why is the Kest Mill closed?", "This question was not answered.\n\nWhy is the Kest Mill closed? No passage answers it."],
  ["Why is the Kest Mill closed?", "That is a good question."],
  ["When was the Orin Bridge opened?", "My knowledge ends in 2023."],
  ["雾川大桥何时通车？", "我的知识截至2023年。"],
  ["雾川大桥何时通车？", "抱歉，我不清楚雾川大桥何时通车。"],
  ["雾川大桥何时通车？", "我来查一下雾川大桥何时通车，请稍等1分钟。"],
  ["雾川大桥何时通车？", "雾川大桥可能是1958年通车的。"],
  ["雾川大桥何时通车？", "雾川大桥已经通车。"],
  ["银湾塔有多高？", "没有找到银湾塔的高度。雾川塔高88米。"],
  ["银湾塔有多高？", "银湾塔非常高。"],
  ["银湾地铁有多少个车站？", "您问的是银湾地铁1号线有多少个车站吗？"],
  ["雾川市的市长是谁？", "雾川市有市长。"],
  ["雾川市的市长是谁？", "无法确定雾川市的市长是谁。"],
  ["雾川大桥为什么关闭？", "对不起，暂无雾川大桥关闭的资料。"],
])("“%s” is not answered by having said “%s”", (question, said) => {
  expect(fromConversation(question, question, said)).toBeNull();
});

test.each([
  ["How tall is the Orin Mast?", "Sorry for the wait! The Orin Mast is 86 metres tall.", "The Orin Mast is 86 metres tall."],
  ["When was the Orin Bridge opened?", "On 12 May 1931. Shall I look for its architect?", "On 12 May 1931."],
  ["Who is the mayor of Tolmere?", "The mayor of Tolmere is Ada Vire.", "The mayor of Tolmere is Ada Vire."],
  [
    "Why is the Kest Mill closed?",
    "That is a good question. The mill is closed as its wheel is broken.",
    "The mill is closed as its wheel is broken.",
  ],
  ["银湾塔有多高？", "好的，我来回答。银湾塔高120米。", "银湾塔高120米。"],
  ["雾川市的市长是谁？", "雾川市的市长是林澈。", "雾川市的市长是林澈。"],
  ["雾川大桥为什么关闭？", "雾川大桥因大雪关闭。", "雾川大桥因大雪关闭。"],
])("of what was said to “%s” before, in “%s”, the statement answers", (question, said, statement) => {
  expect(fromConversation(question, question, said)?.text).toBe(statement);
});

test("what a run has said that did not answer is no answer, an earlier one is", () => {
  const question = "When was the Orin Bridge opened?";
  const open9 = { todo: todoOf(question, open), language: "auto", executed: [] };
  const failed = { question, answer: "The Orin Bridge was opened in 1930.", run: "r2", unanswered: true as const };
  expect(research.recall({ ...open9, history: [failed] })).toBeNull();
  const history = [{ question, answer: "The Orin Bridge was opened in 1931.", run: "r1" }, failed];
  expect(research.recall({ ...open9, history })).toMatchObject({ text: "The Orin Bridge was opened in 1931.", earlierRun: "r1" });
});

test("a completed todo of equal words hands over what it has found, a failed one nothing", () => {
  const findings = findingsOf("a:The Orin Bridge, in the rain, was opened at last in 1931.");
  const recall = (status: "completed" | "failed") =>
    research.recall({
      todo: todoOf("When did the Orin Bridge open?", open),
      language: "auto",
      history: [],
      executed: [executedOf("When was the Orin Bridge opened?", findings, { status })],
    });
  expect(recall("completed")).toEqual({ from: "evidence", text: "The Orin Bridge, in the rain, was opened at last in 1931.", findings });
  expect(recall("failed")).toBeNull();
});

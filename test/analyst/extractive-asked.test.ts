import { expect, test } from "vitest";
import { answer, type Piece, reading, readingOf, write } from "./readings.ts";

const metro = reading("metro", "", [
  ["paragraph", "Why is the metro late? Because of a signal failure. Anna Berg leads the works."],
  ["paragraph", "The metro has 30 trains. The metro opened in 2012."],
]);
const REFUND = "Write to the help desk within seven days.";

test("the sentence behind a question is its answer, and the question itself is no quote", async () => {
  const claims = await answer("Why is the metro late?", [metro]);
  expect(claims).toContain("Because of a signal failure.");
  expect(claims).not.toContain("Why is the metro late?");
  expect((await write("When did the metro open?", [metro])).claims.map(({ text }) => text)).toContain("The metro opened in 2012.");
});

test.each([
  [
    "a paragraph each",
    [
      ["paragraph", "How do I get a refund?"],
      ["paragraph", REFUND],
    ],
  ],
  ["one paragraph", [["paragraph", `How do I get a refund? ${REFUND}`]]],
  ["lines of a paragraph", [["paragraph", `The desk is open daily.\nHow do I get a refund?\n${REFUND}`]]],
  [
    "emphasis",
    [
      ["paragraph", "**How do I get a refund?**"],
      ["paragraph", REFUND],
    ],
  ],
  [
    "an item with an item",
    [
      ["list-item", "How do I get a refund?"],
      ["list-item", REFUND],
    ],
  ],
] satisfies [string, Piece[]][])("a question and its answer are found as %s", async (_, pieces) => {
  const help = reading("help", "", [["heading1", "Help"], ...pieces, ["heading1", "Ferries"], ["paragraph", "Ferries sail all day long."]]);
  expect(await answer("How do I get a refund?", [help])).toEqual([REFUND]);
});

test("questions and answers marked by letters are found in a text without blocks", async () => {
  const text = `# Help\n\nQ: How do I get a refund?\nA: ${REFUND}\n\nQ: How do I pay?\nA: By card, at the gate.\n`;
  expect(await answer("How do I get a refund?", [readingOf("faq", "", text)])).toEqual([`A: ${REFUND}`]);
  expect(await answer("How do I pay?", [readingOf("faq", "", text)])).toEqual(["A: By card, at the gate."]);
});

test("the items of a list answer the question above them", async () => {
  const help = reading("help", "", [
    ["paragraph", "What do I need for a refund?"],
    ["list-item", "the printed ticket"],
    ["list-item", "a bank account"],
  ]);
  expect(await answer("What do I need for a refund?", [help])).toEqual(["the printed ticket", "a bank account"]);
});

test("a Chinese question in a text is answered by what follows it", async () => {
  const help = reading("help", "帮助", [
    ["paragraph", "怎样退款？"],
    ["paragraph", "请在七天内联系客服。"],
    ["paragraph", "怎样付款？"],
    ["paragraph", "在入口处刷卡。"],
  ]);
  expect(await answer("怎样退款？", [help])).toEqual(["请在七天内联系客服。"]);
  expect(await answer("怎样付款？", [help])).toEqual(["在入口处刷卡。"]);
});

test("a question without an answer answers nothing, and the reason speaks of the one thing asked for", async () => {
  const list = reading("list", "", [
    ["paragraph", "How do I get a refund?"],
    ["paragraph", "How do I pay?"],
  ]);
  expect((await write("How do I get a refund?", [list])).reason).toBe(
    "The sources do not answer the question: they mention “refund”, but no passage tells what is asked of it.",
  );
  expect((await write("怎样退款？", [reading("zh", "", [["paragraph", "怎样退款？"]])])).reason).toBe(
    "来源没有回答这个问题：提到了“退款”，但没有一个段落说明所问的内容。",
  );
});

test("a figure in the answer to a question for one is what was asked for", async () => {
  const help = reading("help", "", [["paragraph", "How much is the entrance fee? Five euros for everybody. Dogs wait outside."]]);
  expect(await answer("How much is the entrance fee?", [help])).toContain("Five euros for everybody.");
});

test("an item with a question of its own is no answer to the question before it", async () => {
  const help = reading("help", "Help", [
    ["paragraph", "How do I get a refund?"],
    ["paragraph", "Write to the help desk within seven days."],
    ["list-item", "How do I change my seat? Ask the conductor."],
  ]);
  expect(await answer("How do I get a refund?", [help])).toEqual([REFUND]);
  expect(await answer("How do I change my seat?", [help])).toEqual(["How do I change my seat? Ask the conductor."]);
});

test("a question amid a paragraph is answered by one sentence", async () => {
  const page = reading("page", "", [
    ["paragraph", "The pier is old. Is the ferry safe? Nobody was hurt so far. Dogs wait outside the hall all day."],
  ]);
  expect(await answer("Is the ferry safe?", [page])).toEqual(["Nobody was hurt so far."]);
});

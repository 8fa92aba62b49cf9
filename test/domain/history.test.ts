import { describe, expect, it } from "vitest";
import { splitAtQuestion } from "../../src/domain/conversation.ts";
import { conversationTurns, historyMessages, runToTurn } from "../../src/domain/history.ts";
import { NO_BLOCKS, QUOTED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";

const user = (content: string) => ({ role: "user", content }) as const;
const assistant = (content: string) => ({ role: "assistant", content }) as const;

describe("a conversation becomes turns", () => {
  it.each([
    [
      "pairs",
      [user("灯塔在哪里？"), assistant("在海边。"), user("b"), assistant("B")],
      [
        ["灯塔在哪里？", "在海边。"],
        ["b", "B"],
      ],
    ],
    [
      "a question that nobody answered",
      [user("a"), user("b"), assistant("B")],
      [
        ["a", ""],
        ["b", "B"],
      ],
    ],
    ["answers in a row", [user("a"), assistant("一"), assistant("二")], [["a", "一\n\n二"]]],
    [
      "an answer before the first question",
      [assistant("您好！"), user("a"), assistant("A")],
      [
        ["", "您好！"],
        ["a", "A"],
      ],
    ],
    ["messages without text", [user("a"), assistant(" \n"), user(""), assistant("A")], [["a", "A"]]],
    ["the question itself at the end", [user("a"), assistant("A"), user(" 现在呢？ ")], [["a", "A"]]],
    [
      "another question at the end",
      [user("a"), assistant("A"), user("现在")],
      [
        ["a", "A"],
        ["现在", ""],
      ],
    ],
    ["nothing", [], []],
    ["half a character", [user("a\ud83d"), assistant("A")], [["a\ufffd", "A"]]],
  ])("%s", (_, messages, turns) => {
    expect(conversationTurns(splitAtQuestion(messages, "现在呢？").before)).toEqual(
      turns.map(([question, answer]) => ({ question, answer })),
    );
  });

  it("which keeps the last ten turns, and 4,000 characters of each text", () => {
    const messages = Array.from({ length: 40 }, (_, index) => [user(`q${index}`), assistant("答".repeat(5_000))]).flat();
    const turns = conversationTurns(messages);
    expect(turns.map(({ question }) => question)).toEqual(["q30", "q31", "q32", "q33", "q34", "q35", "q36", "q37", "q38", "q39"]);
    expect(turns.every(({ answer }) => answer === "答".repeat(4_000))).toBe(true);
    expect(conversationTurns([user("问".repeat(5_000))])[0]?.question).toBe("问".repeat(4_000));
  });
});

it("gives turns back as messages, cut, cleaned, and never without content", () => {
  const history = [
    { question: "", answer: "您好" },
    { question: "问".repeat(3_000), answer: "" },
    { question: "https://example.org/mine", answer: `see https://example.org/x ${"答".repeat(3_000)}` },
  ];
  expect(historyMessages(history, (answer) => answer.replace("https://example.org/x", "there"))).toEqual([
    { role: "user", content: "…" },
    { role: "assistant", content: "您好", toolCalls: [] },
    { role: "user", content: `${"问".repeat(2_000)}…` },
    { role: "assistant", content: "…", toolCalls: [] },
    { role: "user", content: "https://example.org/mine" },
    { role: "assistant", content: `see there ${"答".repeat(1_990)}…`, toolCalls: [] },
  ]);
});

describe("an ended run becomes a turn", () => {
  it("with its answer", () => {
    const text = "灯塔建于1874年。";
    const claims = [{ text, citations: [1], ...QUOTED, section: "", origins: 1 }];
    const citations = [{ id: 1, sourceId: "s", contentHash: "h", start: 0, end: 9, quote: text }];
    const rest = { closest: [], sources: [], coverage: coverage(1), ledger: [] };
    const report = { ...NO_BLOCKS, markdown: text, claims, citations, ...rest };
    expect(runToTurn({ question: "灯塔建于哪一年？", report })).toEqual({ question: "灯塔建于哪一年？", answer: text });
  });

  it("with no text if it has left no report", () => {
    expect(runToTurn({ question: "Why?", report: null })).toEqual({ question: "Why?", answer: "" });
  });
});

import type { JsonValue } from "../../../src/domain/json.ts";

const TODO = { doneCriteria: "", keyFacts: ["the year", "人口 👨‍👩‍👧"], priority: 12, dependsOn: [] };

/** Each component in English and in Chinese, with escapes, quotes, line ends and emoji. */
export const SAMPLES: readonly (readonly [name: string, props: JsonValue])[] = [
  [
    "planner-response",
    {
      needsMorePlanning: false,
      question: null,
      reasoning: 'Two "facts", one\\two\nlines.',
      todos: [
        { id: "T1", description: "How tall is the tower?", ...TODO },
        { id: "T2", description: "When was it built?", ...TODO, dependsOn: ["T1"] },
      ],
    },
  ],
  [
    "planner-response",
    { needsMorePlanning: true, question: "哪一座“灯塔”？😀", reasoning: "", todos: [{ id: "一", description: "灯塔有多高？", ...TODO }] },
  ],
  [
    "executor-response",
    {
      ...{ taskCompleted: true, shouldContinue: false, nextAction: "complete", status: "completed" },
      ...{ todoId: "T1", summary: "It is 90 m tall.\tSure.", nextQuery: null },
    },
  ],
  ["executor-response", { nextAction: "continue", todoId: "一", summary: "还缺年份 🙂", nextQuery: "灯塔 建成 年份" }],
  [
    "verifier-response",
    {
      allCompleted: false,
      overallFeedback: "The year is missing.",
      tasks: [
        { id: "T1", completed: true, feedback: "" },
        { id: "T2", completed: false, feedback: "没有引文说明年份。" },
      ],
    },
  ],
  ["summary-response", { answer: "# Height\n\nIt is 90 metres tall.\n\n- “好的” 😀\n", answers: "partly", missing: ["Who built it?"] }],
  ["summary-response", { answer: "灯塔高九十米。🗼它建于一九三一年。", answers: "fully", missing: [] }],
];

export const wrapped = (name: string, props: JsonValue) => JSON.stringify({ type: "component", component: name, props });
const escaped = (text: string) => text.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The notations in which models write a component; the reader accepts all of them. */
export const FORMS: readonly [string, (name: string, props: JsonValue) => string][] = [
  ["wrapped", wrapped],
  ["bare", (_, props) => JSON.stringify(props)],
  ["indented", (_, props) => JSON.stringify(props, null, 2)],
  ["in a fence with prose", (name, props) => `好的，结果如下：\n\`\`\`json\n${wrapped(name, props)}\n\`\`\`\n希望有帮助。`],
  ["behind a mark of byte order", (name, props) => `\ufeff${wrapped(name, props)}`],
  [
    "with trailing commas",
    (_, props) =>
      JSON.stringify(props)
        .replaceAll(/([}\]])/g, ",$1")
        .replaceAll(/([{[]),/g, "$1"),
  ],
  ["in escapes", (name, props) => escaped(wrapped(name, props))],
];

/** Returns the lengths at which a text is cut: every eleventh byte, so that each byte of a character is met, and each of the last forty. */
export function cutsOf(size: number): number[] {
  return Array.from({ length: size }, (_, length) => length).filter((length) => length % 11 === 0 || length > size - 40);
}

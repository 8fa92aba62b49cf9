const TODO = { doneCriteria: "two sources", keyFacts: ["the year", "人口"], priority: 1, dependsOn: [] };

/** A complete example of each component that the page knows. */
export const COMPLETE_COMPONENTS: readonly (readonly [name: string, props: Readonly<Record<string, unknown>>])[] = [
  [
    "planner-response",
    {
      reasoning: "Two facts are missing.",
      todos: [
        { id: "T1", description: "How tall is the tower?", ...TODO },
        { id: "二", description: "灯塔建于哪一年？", ...TODO, dependsOn: ["T1"] },
      ],
      question: "Which lighthouse?",
    },
  ],
  [
    "executor-response",
    { nextAction: "continue", status: "executing", todoId: "T1", summary: "The year is missing. ".repeat(12), nextQuery: "灯塔 建成 年份" },
  ],
  [
    "verifier-response",
    {
      allCompleted: false,
      overallFeedback: "The year is missing.",
      tasks: [
        { id: "T1", completed: true, feedback: "" },
        { id: "二", completed: false, feedback: "没有引文说明年份。" },
      ],
    },
  ],
  [
    "summary-response",
    { answer: "# Height\n\nIt is **90 metres** tall.\n\n- “好的”\n- 第二\n\n灯塔建于1874年。", answers: "partly", missing: ["Who?"] },
  ],
  [
    "todo-list",
    {
      todos: [
        { id: "T1", description: "How tall?", status: "completed", result: "90 m" },
        { id: "T2", description: "年份", status: "pending" },
      ],
    },
  ],
  [
    "table",
    {
      caption: "城市",
      columns: ["Name", "人口"],
      rows: [
        ["Aldermoor", 1874],
        ["Tolmere", 90.5],
        ["第三", null],
      ],
    },
  ],
  [
    "time-series",
    {
      title: "Ships",
      unit: "a year",
      points: [
        ["2021", 3],
        ["2022", null],
        ["2023", 9.5],
        ["2024", 7],
      ],
    },
  ],
  [
    "source-card",
    { title: "The lighthouse of Aldermoor", url: "https://example.org/lighthouse", publisher: "Aldermoor News", quote: "Built in 1874." },
  ],
];

/** Stages of props as a model writes them: fields one after another, lists and texts in two steps. */
export function growing(props: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const stages: Record<string, unknown>[] = [{}];
  let known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "string" && value.length > 20) stages.push({ ...known, [name]: value.slice(0, value.length / 2) });
    if (Array.isArray(value)) stages.push(...value.map((_, index) => ({ ...known, [name]: value.slice(0, index) })));
    known = { ...known, [name]: value };
    stages.push(known);
  }
  return [...stages, props];
}

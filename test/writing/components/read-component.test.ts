import { describe, expect, it } from "vitest";
import { COMPONENT_SCHEMAS } from "../../../src/domain/components.ts";
import type { JsonValue } from "../../../src/domain/json.ts";
import { type ComponentSchema, formatOf, readComponent } from "../../../src/writing/components/read-component.ts";
import { REVIEWER } from "../../fakes/reviewer.ts";
import { cutsOf, FORMS, SAMPLES, wrapped } from "./samples.ts";

const formNamed = (name: string) =>
  formatOf(COMPONENT_SCHEMAS[name as keyof typeof COMPONENT_SCHEMAS] as unknown as ComponentSchema<unknown>);
const read = (name: string, text: string, cut = false) => readComponent(text, formNamed(name), (one) => one, cut);
const ENDLESS = { ok: false, fault: "Its JSON object ended before its end.", cut: true };

/** Strings that look like the end of an object. */
const TRAPS: readonly (readonly [string, JsonValue])[] = [
  [
    "summary-response",
    { answer: 'A block ends with "}". 也可写作 {"a": [1]}}。 Or with ]}', answers: "partly", missing: ['What is "]}}"?'] },
  ],
  ["executor-response", { nextAction: "continue", summary: "缺 `}`，见 {x: [1]}", todoId: "T1", nextQuery: 'json "}}" 结尾' }],
];

describe.each([...SAMPLES, ...TRAPS])("%s", (name, props) => {
  it.each(FORMS)("%s, ended early, is read completely or not at all", (_, write) => {
    const text = write(name, props);
    const whole = read(name, text);
    expect(whole.ok).toBe(true);
    const bytes = Buffer.from(text);
    const faults: string[] = [];
    for (const length of cutsOf(bytes.length)) {
      const part = new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
      const reading = read(name, part);
      if (reading.ok && JSON.stringify(reading) !== JSON.stringify(whole)) faults.push(`${length} bytes are read as the whole: ${part}`);
    }
    expect(faults).toEqual([]);
  });

  it("is not read if the last bracket is missing", () => {
    expect(read(name, wrapped(name, props).slice(0, -1))).toEqual(ENDLESS);
    expect(read(name, `好的：\n\`\`\`json\n${wrapped(name, props).slice(0, -1)}\n\`\`\`\n希望有帮助。`)).toEqual(ENDLESS);
  });
});

/** The todos of a plan as other programs report them. */
const TODOS = [
  { id: "1", description: "灯塔有多高？", status: "completed", result: "九十米" },
  { id: "2", description: "When was it built?", status: "executing", isCurrent: true },
  { id: "3", description: "谁建的？", status: "pending" },
];
const T1 = { id: "T1", status: "completed" };
const T2 = { id: "T2", status: "failed", isCurrent: true };

it.each([
  ["summary-response", { summary: "灯塔高九十米。" }, { answer: "灯塔高九十米。", answers: null, missing: [] }],
  [
    "planner-response",
    { summary: "Two facts.", todos: [{ id: "T1", description: "How tall?", status: "pending" }] },
    { reasoning: "Two facts.", todos: [{ id: "T1", description: "How tall?" }] },
  ],
  ["executor-response", { todos: TODOS }, { todoId: "2", status: "executing" }],
  ["executor-response", { todos: TODOS, taskCompleted: true, summary: "1931" }, { todoId: "", taskCompleted: true, summary: "1931" }],
  ["executor-response", { nextAction: "retry", todos: TODOS }, { nextAction: "retry", todoId: "" }],
])("a %s of the first documents is read flat and under props, completely or not at all: %j", (name, theirs, ours) => {
  const flat = JSON.stringify({ type: "component", component: name, ...theirs });
  for (const text of [flat, wrapped(name, theirs), JSON.stringify(theirs)]) {
    const whole = read(name, text);
    expect(whole).toMatchObject({ ok: true, props: ours });
    const bytes = Buffer.from(text);
    for (const length of cutsOf(bytes.length)) {
      const reading = read(name, new TextDecoder().decode(bytes.subarray(0, length), { stream: true }));
      if (reading.ok) expect(reading).toEqual(whole);
    }
  }
});

describe("an executor's component", () => {
  const executed = (props: object) => read("executor-response", JSON.stringify({ component: "executor-response", ...props }));

  it.each([
    ["by its mark", { todos: [T1, T2] }],
    ["beside fields without a value", { taskCompleted: null, status: null, nextAction: null, todos: [T2] }],
  ])("takes the status of the current todo %s", (_, props) => {
    expect(executed(props)).toMatchObject({ ok: true, props: { todoId: "T2", status: "failed" } });
  });

  it.each([
    ["none is current", { todos: [T1, { ...T2, isCurrent: false }] }],
    ["its status is in other words", { todos: [{ ...T2, status: "已完成" }] }],
    ["its own status is none", { status: "all good", todos: [T2] }],
    ["todos are no list", { todos: { T2 } }],
    ["another object has a status", { progress: { status: "completed" }, currentTodo: T1 }],
  ])("takes no status where %s", (_, props) => {
    expect(executed({ summary: "Still looking.", ...props })).toMatchObject({ ok: false });
  });

  it("reads fields beside `props` too, but prefers those under `props`", () => {
    const props = { taskCompleted: true, todos: [{ ...T2, status: "completed" }] };
    expect(executed({ taskCompleted: false, nextAction: "skip", props })).toMatchObject({
      props: { taskCompleted: true, nextAction: "skip" },
    });
    expect(executed({ nextAction: "skip", props: {} })).toMatchObject({ props: { nextAction: "skip" } });
  });
});

const INNER = '{"type":"component","component":"executor-response","taskCompleted":true}';

it.each([
  ["executor-response", `{"component":"executor-response","taskCompleted":false,"previous":${INNER}}`, { taskCompleted: false }],
  ["summary-response", '{"answer":"","summary":"Real."}', { answer: "Real." }],
  ["summary-response", '{"answer":"One.\n\nTwo."}', { answer: "One.\n\nTwo." }],
  ["summary-response", '{"answer":"灯塔高九十米。","unanswered":[]}', { answer: "灯塔高九十米。", missing: [] }],
  ["summary-response", '{"answer":"灯塔高九十米。","missing":[],}', { answer: "灯塔高九十米。", missing: [] }],
  ["summary-response", "{'answer': '灯塔高九十米。', 'missing': []}", { answer: "灯塔高九十米。", missing: [] }],
  ["summary-response", '{"answer":"灯塔高九十米。" "missing":[]}', { answer: "灯塔高九十米。", missing: [] }],
])("reads the first object as a %s, with line ends, other names and odd quotes: %s", (name, text, props) => {
  expect(read(name, text)).toMatchObject({ ok: true, props });
});

describe("a component that is cut off", () => {
  const TASKS = '"tasks":[{"id":"甲","completed":true,"feedback":""}]';

  it.each([
    ["behind the last of its fields", `{"allCompleted":true,"overallFeedback":"没有缺的",${TASKS}`],
    ["behind the first of a list", '{"allCompleted":false,"overallFeedback":"","tasks":[{"id":"甲","completed":true}'],
    ["behind a list that another field may follow", `{"allCompleted":true,${TASKS}`],
    ["behind a comma", `{"allCompleted":true,${TASKS},`],
    ["behind a colon", `{"allCompleted":true,${TASKS},"overallFeedback":`],
    ["within a text", `{"allCompleted":true,${TASKS},"overallFeedback":"Two of the thr`],
    ["within a word", `{"overallFeedback":"",${TASKS},"allCompleted":tru`],
    ["within a text that looks like an end", `{"allCompleted":true,${TASKS},"overallFeedback":"Write {\\"a\\": [1]}`],
  ])("is reported as cut off %s", (_, text) => {
    const thought = `<think>怎么判？</think>\n${wrapped("verifier-response", null).replace("null}", text)}`;
    for (const written of [text, `\`\`\`json\n${text}`, thought]) expect(read("verifier-response", written)).toEqual(ENDLESS);
  });

  it("counts as cut off if the server's finish reason is length, whatever the text", () => {
    const fault = "It was cut off before its end.";
    expect(read("summary-response", '{"answer":"灯塔高', true)).toEqual({ ok: false, fault, cut: true });
  });
});

describe("a plan", () => {
  const [BUILT, BERTHS] = ["When was the lighthouse built?", "How many berths does the harbour have?"];
  const [built, berths] = [{ description: BUILT }, { description: BERTHS }];

  it.each([
    ["texts", [BUILT, BERTHS]],
    [
      "a list of objects",
      [
        { ...built, priority: "high" },
        { ...berths, keyFacts: {}, dependsOn: "none" },
      ],
    ],
    ["texts under todos", { todos: [BUILT, BERTHS] }],
    ["another component", { component: "todo-list", props: { todos: [built, berths] } }],
    ["`todos` before other lists", { notes: ["a note"], todos: [built, berths] }],
  ])("is a list of texts or objects: %s", (_, plan) => {
    const todos = [
      { id: "", ...built, priority: 1, dependsOn: [] },
      { id: "", ...berths, keyFacts: [], dependsOn: [] },
    ];
    expect(read("planner-response", JSON.stringify(plan))).toMatchObject({ ok: true, props: { todos } });
  });

  it("has ids and dependencies as texts, whatever their type", () => {
    const todos = [
      { id: 1, ...built },
      { id: 2, ...berths, dependsOn: [1] },
      { description: "Which?", dependsOn: ["2"] },
    ];
    const { props } = read("planner-response", JSON.stringify({ todos })) as { props: { todos: { id: string; dependsOn: string[] }[] } };
    expect(props.todos.map(({ id, dependsOn }) => [id, ...dependsOn])).toEqual([["1"], ["2", "1"], ["", "2"]]);
  });
});

it.each([
  ["summary-response", '{answer: "灯塔高九十米。", missing: []}', "It is not a JSON object."],
  ["summary-response", '{"answer":"灯塔高九十米。,"missing":[]}', "Its JSON object ended before its end."],
  ["summary-response", '{"answer":"灯塔高九十米。","missing":[}', "Its JSON object ended before its end."],
  ["summary-response", '{"answer":"灯塔" "高九十米。","missing":[]}', "Its JSON object cannot be parsed."],
  ["summary-response", '{"component":"planner-response","summary":"灯塔"}', "`component` must be summary-response."],
  ["summary-response", '{"component":"planner-response","todos":[]} {"answer":"灯塔"}', "`component` must be summary-response."],
  ["summary-response", '{"response":{"answer":"灯塔高九十米。"}}', "`answer` is missing."],
  ["summary-response", '{"answer":["灯塔"]}', "`answer` must be a string."],
  ["summary-response", "没有 JSON", "It is not a JSON object."],
  ["summary-response", " \n", "It is empty."],
  ["planner-response", '{"todos":"How tall?"}', "`todos` is missing."],
  ["planner-response", '{"todos":{"id":"lamp","description":"What burns?"}}', "`todos` is missing."],
  ["planner-response", '{"numbers":[1,2]}', "`todos` is missing."],
  ["planner-response", '{"todos":[{"id":"T1"}]}', "`todos.0.description` is missing."],
  [
    "verifier-response",
    '{"allCompleted":"perhaps","tasks":[{"id":"一"}]}',
    "`allCompleted` must be a boolean. `tasks.0.completed` is missing.",
  ],
  [
    "executor-response",
    '{"summary":"嗯"}',
    "`nextAction` is missing, and so are taskCompleted, shouldContinue and status; one of them is needed.",
  ],
])("names the fault of a %s: %s", (name, text, fault) => {
  expect(read(name, text)).toMatchObject({ ok: false, fault });
});

it("names the fault of a component that a deployment adds", () => {
  const reading = readComponent('{"allCompleted":true,"risk":"huge"}', formatOf(REVIEWER.component), (one) => one, false);
  expect(reading).toEqual({ ok: false, fault: "`risk` must be one of low, high.", cut: false });
});

import { describe, expect, it } from "vitest";
import { COMPONENT_SCHEMAS } from "../../../src/domain/components.ts";
import type { JsonValue } from "../../../src/domain/json.ts";
import { type ComponentSchema, formatOf } from "../../../src/writing/components/component-format.ts";
import { readComponent } from "../../../src/writing/components/read-component.ts";
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

describe("in the forms of the first documents", () => {
  const TODOS = [
    { id: "1", description: "灯塔有多高？", status: "completed", result: "九十米" },
    { id: "2", description: "When was it built?", status: "executing", isCurrent: true },
    { id: "3", description: "谁建的？", status: "pending" },
  ];
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
  ])("%s %j is read flat and under props, completely or not at all", (name, theirs, ours) => {
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

  const executed = (props: object) => read("executor-response", JSON.stringify({ component: "executor-response", ...props }));
  const T1 = { id: "T1", status: "completed" };
  const T2 = { id: "T2", status: "failed" };

  it.each([
    ["by its mark", { todos: [T1, { ...T2, isCurrent: true }] }],
    ["beside fields without a value", { taskCompleted: null, status: null, nextAction: null, todos: [{ ...T2, isCurrent: true }] }],
  ])("takes the status of the current todo %s", (_, props) => {
    expect(executed(props)).toMatchObject({ ok: true, props: { todoId: "T2", status: "failed" } });
  });

  it.each([
    ["none is current", { todos: [T1, T2] }],
    ["its status is in other words", { todos: [{ ...T2, isCurrent: true, status: "已完成" }] }],
    ["its own status is none", { status: "all good", todos: [{ ...T2, isCurrent: true }] }],
    ["todos are no list", { todos: { T2: { status: "failed", isCurrent: true } } }],
    ["another object has a status", { progress: { status: "completed" }, currentTodo: T1 }],
  ])("takes no status where %s", (_, props) => {
    expect(executed({ summary: "Still looking.", ...props })).toMatchObject({ ok: false });
  });

  it("reads fields beside `props` too, but prefers those under `props`", () => {
    const props = { taskCompleted: true, todos: [{ ...T2, status: "completed", isCurrent: true }] };
    expect(executed({ taskCompleted: false, nextAction: "skip", props })).toMatchObject({
      props: { taskCompleted: true, nextAction: "skip" },
    });
    expect(executed({ nextAction: "skip", props: {} })).toMatchObject({ props: { nextAction: "skip" } });
  });

  it.each([
    ["executor-response", '{"type":"component","component":"summary-response","props":{"answer":"A"}}', { ok: false }],
    [
      "executor-response",
      '{"id":"m","type":"component","component":"executor-response","taskCompleted":false,"previous":{"type":"component","component":"executor-response","taskCompleted":true}}',
      { props: { taskCompleted: false } },
    ],
    [
      "planner-response",
      '{"type":"component","component":"todo-list","props":{"todos":[{"id":"T1","description":"a?"}]}}',
      { props: { todos: [{ id: "T1", description: "a?" }] } },
    ],
    ["summary-response", '{"answer":"","summary":"Real."}', { props: { answer: "Real." } }],
    [
      "planner-response",
      '{"todos":["How tall?","何时建成？"]}',
      {
        props: {
          todos: [
            { id: "", description: "How tall?" },
            { id: "", description: "何时建成？" },
          ],
        },
      },
    ],
  ])("reads the first object or list as a %s: %s", (name, text, expected) => {
    expect(read(name, text)).toMatchObject(expected);
  });
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
    expect(read("verifier-response", text)).toEqual(ENDLESS);
    expect(read("verifier-response", `\`\`\`json\n${text}`)).toEqual(ENDLESS);
    expect(read("verifier-response", `<think>怎么判？</think>\n${wrapped("verifier-response", null).replace("null}", text)}`)).toEqual(
      ENDLESS,
    );
  });

  it("counts as cut off if the server's finish reason is length, whatever the text", () => {
    const fault = "It was cut off before its end.";
    expect(read("summary-response", '{"answer":"灯塔高', true)).toEqual({ ok: false, fault, cut: true });
  });

  it.each([
    ["with the name that the list had before", '{"answer":"灯塔高九十米。","unanswered":[]}'],
    ["with trailing commas", '{"answer":"灯塔高九十米。","missing":[],}'],
    ["in single quotes", "{'answer': '灯塔高九十米。', 'missing': []}"],
    ["without a comma", '{"answer":"灯塔高九十米。" "missing":[]}'],
  ])("is not cut off %s", (_, text) => {
    expect(read("summary-response", text)).toEqual({ ok: true, props: { answer: "灯塔高九十米。", answers: null, missing: [] } });
  });
});

it("reads line ends in a text, which JSON does not allow", () => {
  expect(read("summary-response", '{"answer":"One.\n\nTwo."}')).toMatchObject({ ok: true, props: { answer: "One.\n\nTwo." } });
});

describe("what is no complete object of the schema", () => {
  it.each([
    ["without quotes around keys", '{answer: "灯塔高九十米。", missing: []}', "It is not a JSON object."],
    ["with a quote that is missing", '{"answer":"灯塔高九十米。,"missing":[]}', "Its JSON object ended before its end."],
    ["with a list that does not close", '{"answer":"灯塔高九十米。","missing":[}', "Its JSON object ended before its end."],
    ["with two values for a key", '{"answer":"灯塔" "高九十米。","missing":[]}', "Its JSON object cannot be parsed."],
    ["of another component", '{"component":"planner-response","summary":"灯塔"}', "`component` must be summary-response."],
    [
      "of another component first",
      '{"component":"planner-response","todos":[]} {"answer":"灯塔"}',
      "`component` must be summary-response.",
    ],
    ["in a wrapper of its own", '{"response":{"answer":"灯塔高九十米。"}}', "`answer` is missing."],
    ["in a list of words", '{"answer":["灯塔"]}', "`answer` must be a string."],
  ])("is a fault: %s", (_, text, fault) => {
    expect(read("summary-response", text)).toMatchObject({ ok: false, fault });
  });
});

describe("a plan", () => {
  const BUILT = "When was the lighthouse built?";
  const BERTHS = "How many berths does the harbour have?";
  it.each([
    [
      "steps with titles",
      {
        thought: "Two.",
        steps: [
          { title: "Built", description: BUILT },
          { title: "Berths", description: BERTHS },
        ],
      },
    ],
    [
      "objects by their longest text",
      {
        plan: {
          tasks: [
            { id: 1, name: "Built", task: BUILT },
            { q: BERTHS, by: "researcher", doneCriteria: BUILT.repeat(2) },
          ],
        },
      },
    ],
    ["texts", [BUILT, BERTHS]],
    [
      "a list of objects",
      [
        { description: BUILT, priority: "high" },
        { description: BERTHS, keyFacts: {}, dependsOn: "none" },
      ],
    ],
    ["another component", { component: "todo-list", props: { todos: [{ description: BUILT }, { description: " ", title: BERTHS }] } }],
    ["`todos` before other lists", { notes: ["a note"], todos: [{ description: BUILT }, { description: BERTHS }] }],
  ])("is any list of texts or objects: %s", (_, plan) => {
    expect(read("planner-response", JSON.stringify(plan))).toMatchObject({
      ok: true,
      props: {
        todos: [
          { description: BUILT, priority: 1, dependsOn: [] },
          { description: BERTHS, keyFacts: [], dependsOn: [] },
        ],
      },
    });
  });

  it("has ids and dependencies as texts, whatever their type", () => {
    const plan = {
      steps: [
        { id: 1, step: BUILT },
        { id: 2, step: BERTHS, dependsOn: [1] },
        { step: "Which?", dependsOn: ["2"] },
      ],
    };
    expect(read("planner-response", JSON.stringify(plan))).toMatchObject({
      props: {
        todos: [
          { id: "1", dependsOn: [] },
          { id: "2", dependsOn: ["1"] },
          { id: "", dependsOn: ["2"] },
        ],
      },
    });
  });

  it.each([
    ['{"todos":"How tall?"}', "`todos` is missing."],
    ['{"todos":{"id":"lamp","description":"What burns?"}}', "`todos` is missing."],
    ['{"numbers":[1,2]}', "`todos` is missing."],
    ['{"todos":[{"id":"T1"}]}', "`todos.0.description` is missing."],
  ])("is not %s", (text, fault) => {
    expect(read("planner-response", text)).toEqual({ ok: false, fault, cut: false });
  });
});

describe("a missing field is reported by name", () => {
  it.each([
    ["planner-response", '{"reasoning":"嗯"}', "`todos` is missing."],
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
    ["summary-response", "没有 JSON", "It is not a JSON object."],
    ["summary-response", " \n", "It is empty."],
  ])("is reported in a %s: %s", (name, text, fault) => {
    expect(read(name, text)).toEqual({ ok: false, fault, cut: false });
  });

  it("is reported for components that a deployment adds", () => {
    const reading = readComponent('{"allCompleted":true,"risk":"huge"}', formatOf(REVIEWER.component), (one) => one, false);
    expect(reading).toEqual({ ok: false, fault: "`risk` must be one of low, high.", cut: false });
  });
});

import { expect, it } from "vitest";
import { decideNext, type LoopView } from "../../../src/nodes/agent/decide.ts";
import type { AgentMessage } from "../../../src/nodes/agent/state.ts";
import { createPolicy } from "../../../src/nodes/agent/termination-policy.ts";

const anyText = (text: string) => createPolicy()(text, ["finish_task"]);
const user = (content: string): AgentMessage => ({ role: "user", content });
const nudge: AgentMessage = { role: "user", content: "Answer now.", mark: "nudge" };
const goOn: AgentMessage = { role: "user", content: "Go on.", mark: "continue" };
const said = (content: string, ...names: string[]): AgentMessage => ({
  role: "assistant",
  content,
  toolCalls: names.map((name, index) => ({ id: `c${index}`, name, arguments: "{}" })),
});
const result = (callId: string, name: string, more: Partial<AgentMessage> = {}): AgentMessage =>
  ({ role: "tool", callId, name, content: "result", ...more }) as AgentMessage;

const QUESTION = user("灯塔是谁建的？");

function next(messages: readonly AgentMessage[], more: Partial<LoopView> = {}) {
  return decideNext({
    messages,
    finishReason: "stop",
    controls: { finish_task: "stop", ask_user: "wait" },
    policy: anyText,
    asksUser: false,
    crowded: false,
    spent: null,
    failure: null,
    isStuck: false,
    maySearch: false,
    thinksLeft: 5,
    stepsLeft: 20,
    ...more,
  });
}

const THINK = { type: "think", say: null };
const NUDGED = { type: "think", say: { mark: "nudge" } };
const [ALL, STOP] = [
  { type: "act", mode: "all" },
  { type: "act", mode: "stop" },
];
const CAPPED = { type: "write", reason: "step_cap" };
const answered = (text: string) => ({ type: "conclude", reason: "answered", text });
const ended = (reason: string, text?: string | null) => ({ type: "conclude", reason, ...(text !== undefined && { text }) });
/** What the server says of a response. */
const because = (finishReason: LoopView["finishReason"]) => ({ finishReason });
const CALLED = [QUESTION, said("", "search")];
const FOUND = [...CALLED, result("c0", "search")];
const FINISHED = [QUESTION, said("", "finish_task")];
const DONE = result("c0", "finish_task");
const DECLINED = result("c0", "finish_task", { mark: "declined" });

it.each<[string, readonly AgentMessage[], Partial<LoopView>, object]>([
  ["asks the model first", [QUESTION], because(null), THINK],
  ["takes a plain text for the answer", [QUESTION, said("艾达·彭罗斯。")], {}, answered("艾达·彭罗斯。")],
  ["takes a greeting for the answer", [user("Hi!"), said("Hello!")], {}, answered("Hello!")],
  ["makes calls", CALLED, because("tool_calls"), ALL],
  ["makes calls although the server says stop", [QUESTION, said("I look.", "search")], {}, ALL],
  ["asks the user before calls that change something", [QUESTION, said("", "note")], { asksUser: true }, { type: "confirm" }],
  ["asks the user nothing where no step is left for the calls", [QUESTION, said("", "note")], { asksUser: true, stepsLeft: 1 }, CAPPED],
  ["ends the task before the user is asked about calls beside it", [QUESTION, said("", "note", "finish_task")], { asksUser: true }, STOP],
  ["makes the whole calls of a response that was cut", CALLED, because("length"), ALL],
  ["takes a text for the answer although the server speaks of calls", [QUESTION, said("1874.")], because("tool_calls"), answered("1874.")],
  ["thinks again after a result", FOUND, because("tool_calls"), THINK],
  ["stops at finish_task", [QUESTION, said("Done.", "finish_task")], because("tool_calls"), STOP],
  ["stops at finish_task whatever the finish reason", FINISHED, because("length"), STOP],
  [
    "sees finish_task although its result stands last",
    [QUESTION, said("Done.", "finish_task"), DONE],
    because("tool_calls"),
    ended("finish_task", "Done."),
  ],
  [
    "sees finish_task among other results",
    [QUESTION, said("", "search", "finish_task"), result("c0", "search", { mark: "declined" }), result("c1", "finish_task")],
    {},
    ended("finish_task"),
  ],
  ["goes on where finish_task declined", [...FINISHED, DECLINED], because("tool_calls"), THINK],
  [
    "does not count a finish_task of an earlier question",
    [user("Hi"), said("", "finish_task"), DONE, QUESTION],
    because("tool_calls"),
    THINK,
  ],
  [
    "does not count an earlier finish_task with the same call id",
    [user("Hi"), said("", "finish_task"), DONE, ...FOUND],
    because("tool_calls"),
    THINK,
  ],
  ["counts a finish_task before a nudge of the loop", [...FINISHED, DONE, nudge], {}, ended("finish_task")],
  ["makes one of ten finish_task", [QUESTION, said("", ...Array<string>(10).fill("finish_task"))], because("cut"), STOP],
  ["stops before ordinary calls", [QUESTION, said("", "search", "finish_task", "calculator")], {}, STOP],
  ["waits beside finish_task", [QUESTION, said("", "finish_task", "ask_user")], {}, { type: "ask" }],
  ["waits before finish_task", [QUESTION, said("", "ask_user", "finish_task")], {}, { type: "ask" }],
  ["waits before ordinary calls", [QUESTION, said("", "search", "ask_user")], because("tool_calls"), { type: "ask" }],
  ["waits at the caps too", [QUESTION, said("", "ask_user")], { thinksLeft: 0, stepsLeft: 0 }, { type: "ask" }],
  ["thinks again after the user's answer", [QUESTION, said("", "finish_task", "ask_user"), DECLINED, result("c1", "ask_user")], {}, THINK],
  ["does not know a control tool by its name", FINISHED, { controls: {} }, ALL],
  ["knows a control tool by its effect", [QUESTION, said("", "hand_over")], { controls: { hand_over: "wait" } }, { type: "ask" }],
  ["nudges an empty text", [QUESTION, said(" \n")], {}, NUDGED],
  ["nudges a response that speaks of calls and has none", [QUESTION, said("")], because("tool_calls"), NUDGED],
  ["nudges a stock phrase", [QUESTION, said("好的，我明白了")], {}, NUDGED],
  ["does not nudge twice in a row", [QUESTION, said("好的，我明白了"), nudge, said("好的，我明白了。")], {}, answered("好的，我明白了。")],
  ["ends without an answer where there is none after a nudge", [QUESTION, said(""), nudge, said("")], {}, ended("no_answer", null)],
  ["may nudge again after a call", [QUESTION, said(""), nudge, said("", "search"), result("c0", "search"), said("")], {}, NUDGED],
  [
    "goes on once where the answer is cut off",
    [QUESTION, said("The first")],
    because("length"),
    { type: "think", say: { mark: "continue" } },
  ],
  ["does not go on twice", [QUESTION, said("One, "), goOn, said("two, ")], because("length"), answered("One, two, ")],
  ["puts the parts of an answer together", [QUESTION, said("One, "), goOn, said("two.")], {}, answered("One, two.")],
  ["keeps what the filter left", [QUESTION, said("One")], because("content_filter"), answered("One")],
  ["ends where the filter left nothing", [QUESTION, said("")], because("content_filter"), ended("no_answer")],
  ["ends at repetition", [QUESTION, said("I look. ".repeat(50))], because("repetition"), ended("no_progress", null)],
  ["shortens what is too large", FOUND, { crowded: true }, { type: "compress" }],
  ["shortens before anything else", [...FINISHED, DONE], { crowded: true }, { type: "compress" }],
  ["does not shorten for an answer that is there", [QUESTION, said("1874.")], { crowded: true }, answered("1874.")],
  ["writes at the cap of its steps", FOUND, { thinksLeft: 0 }, CAPPED],
  ["takes an answer at the cap", [QUESTION, said("1874.")], { thinksLeft: 0, stepsLeft: 0 }, answered("1874.")],
  ["does not nudge at the cap", [QUESTION, said("")], { thinksLeft: 0 }, CAPPED],
  ["makes no calls without steps for the answer", CALLED, { stepsLeft: 0 }, CAPPED],
  ["writes where calls bring nothing", FOUND, { isStuck: true }, { type: "write", reason: "no_progress" }],
  ["writes where a budget is spent", [QUESTION], { spent: "token_budget", finishReason: null }, { type: "write", reason: "token_budget" }],
  ["stops although a budget is spent", FINISHED, { spent: "time_budget" }, STOP],
  [
    "concludes where the model failed",
    [QUESTION],
    { failure: { code: "model_unavailable", message: "gone" } },
    { type: "conclude", text: null, detail: "model_unavailable: gone" },
  ],
])("%s", (_, messages, more, expected) => {
  expect(next(messages, more)).toMatchObject(expected);
});

it.each([
  ...["", "  ", "好的，我明白了", "好的,我明白了!", "可以，我会直接回答用户的问题。", "I will answer directly"],
  "Okay, I will answer directly: it is 1874.",
  "如果需要使用工具，请告诉我",
  "如果需要使用工具，我會調用相應的工具。",
  "好的，我明白了。灯塔建于1874年。",
  `如果需要使用工具，我会调用相应的工具。${"\n".repeat(90)}`,
  "１．如果需要使用工具，我会调用相应的工具。",
  "If tools are needed, I will call them.",
])("finds no answer in %j", (text) => {
  expect(anyText(text)).toEqual(expect.stringContaining("not an answer"));
});

it.each([
  ...["1874", "是", "No.", "你好！有什么可以帮您？", "好的，灯塔建于1874年。", "好的。", "明白", "Sure.", "Understood."],
  "Let me answer with a number: 42.",
  "我明白了这个问题的难处，但是没有资料。",
  `I will answer directly${".".repeat(100)}`,
  `如果需要使用工具，我会调用相应的工具。${"灯塔建于1874年，由艾达·彭罗斯设计，灯里烧的是鲸油，后来改用电灯。".repeat(3)}`,
  "如果需要使用锤子，我会调用工人。",
  "需要工具。",
])("finds an answer in %j", (text) => {
  expect(anyText(text)).toBeNull();
});

it("looks for the phrases of the settings as whole words, whatever their punctuation", () => {
  const policy = createPolicy({ policy: "stock_phrases", phrases: ["Beep boop, human!", "稍等片刻"] });
  for (const text of ["beep boop human", "稍等片刻，灯塔建于1874年。"]) expect(policy(text, [])).not.toBeNull();
  expect(policy("Beep boop, humanity!", [])).toBeNull();
});

it("reads any text as an answer, or none, if the settings say so", () => {
  const anything = createPolicy({ policy: "any_text", phrases: [] });
  expect([anything("好的，我明白了", []), anything(" ", [])]).toEqual([null, expect.any(String)]);
  const strict = createPolicy({ policy: "finish_task", phrases: [] });
  expect(strict("1874", ["finish_task"])).toContain("finish_task");
  expect(strict("1874", [])).toBeNull();
});

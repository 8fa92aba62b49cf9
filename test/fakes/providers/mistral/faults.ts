import type { Body, NeutralRequest } from "../neutral.ts";
import { objectsIn, stringIn, textIn, unknownKeys } from "../values.ts";
import { isCallId } from "./ids.ts";
import { orderFault } from "./order.ts";

const FIELDS = [
  ...["model", "messages", "temperature", "top_p", "max_tokens", "stream", "stop", "random_seed", "metadata", "response_format", "tools"],
  ...["tool_choice", "presence_penalty", "frequency_penalty", "n", "prediction", "parallel_tool_calls", "prompt_mode", "safe_prompt"],
  ...["guardrails", "reasoning_effort"],
];
const MESSAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content"],
  user: ["role", "content"],
  assistant: ["role", "content", "tool_calls", "prefix"],
  tool: ["role", "content", "tool_call_id", "name"],
};
const CHOICES = ["auto", "none", "any", "required"];
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** One entry of the list that comes with status 422. */
export interface Detail {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** Why Mistral refuses messages with status 400. */
export interface Fault {
  readonly message: string;
  readonly type: string;
  readonly code: string;
}

/** Returns the fields that Mistral does not know or take. */
export function detailsOf(body: Body): Detail[] {
  const { tool_choice: choice } = body;
  return [
    ...(typeof choice === "string" && !CHOICES.includes(choice) ? [unknownChoice(choice)] : []),
    ...unknownKeys(body, FIELDS).map((key) => forbidden(["body", key], body[key])),
    ...objectsIn(body["messages"]).flatMap((message, at) => {
      const role = stringIn(message["role"]);
      const keys = unknownKeys(message, MESSAGE_FIELDS[role] ?? Object.keys(message));
      return keys.map((key) => forbidden(["body", "messages", at, role, key], message[key]));
    }),
  ];
}

const forbidden = (loc: Detail["loc"], input: unknown): Detail => ({
  type: "extra_forbidden",
  loc,
  msg: "Extra inputs are not permitted",
  input,
});

const unknownChoice = (input: string): Detail => ({
  type: "enum",
  loc: ["body", "tool_choice"],
  msg: `Input should be ${CHOICES.map((choice) => `'${choice}'`).join(", ")}`,
  input,
});

/** Returns why Mistral refuses the messages; undefined if it does not. */
export function messagesFault(body: Body, neutral: NeutralRequest): Fault | undefined {
  const messages = objectsIn(body["messages"]);
  const order = orderFault(messages.map(({ role }) => stringIn(role)));
  if (order !== undefined) return inOrder(order);
  return idFault(messages) ?? countFault(messages) ?? emptyFault(messages) ?? toolFault(neutral);
}

const inOrder = (message: string): Fault => ({ message, type: "invalid_request_message_order", code: "3230" });

function idFault(messages: readonly Body[]): Fault | undefined {
  const ids = messages.flatMap(({ tool_calls: calls, tool_call_id: answered, role }) => [
    ...objectsIn(calls).map(({ id }) => stringIn(id)),
    ...(role === "tool" ? [stringIn(answered)] : []),
  ]);
  const bad = ids.find((id) => !isCallId(id));
  if (bad === undefined) return undefined;
  return { message: `Tool call id was ${bad} but has to be 9 of a-z, A-Z, 0-9.`, type: "invalid_function_call", code: "3280" };
}

function countFault(messages: readonly Body[]): Fault | undefined {
  for (const [at, { tool_calls: calls }] of messages.entries()) {
    const asked = objectsIn(calls).length;
    if (asked === 0) continue;
    const after = messages.slice(at + 1);
    const end = after.findIndex(({ role }) => role !== "tool");
    if ((end === -1 ? after.length : end) !== asked) return inOrder("Not the same number of function calls and responses");
  }
  return undefined;
}

function emptyFault(messages: readonly Body[]): Fault | undefined {
  const empty = messages.some(
    ({ role, content, tool_calls: calls }) => role === "assistant" && textIn(content) === "" && objectsIn(calls).length === 0,
  );
  if (!empty) return undefined;
  return {
    message: "Assistant message must have either content or tool_calls, but not none.",
    type: "invalid_request_assistant_message",
    code: "3240",
  };
}

function toolFault({ tools }: NeutralRequest): Fault | undefined {
  const bad = tools.find(({ name }) => !NAME.test(name));
  if (bad === undefined) return undefined;
  return {
    message: `Function name was ${bad.name} but has to be 1 to 64 of a-z, A-Z, 0-9, underscores and dashes.`,
    type: "invalid_request_function",
    code: "3270",
  };
}

import { z } from "zod";
import { type Fields, fieldsOf, parseJson, textOf } from "../util/json-fields.ts";
import type { ChatMessage } from "./chat.ts";
import { canonicalJson, type JsonValue } from "./json.ts";
import type { ThreadResult } from "./tool.ts";

const MAX_MESSAGES = 100;
export const MAX_MESSAGE_LENGTH = 20_000;
const MAX_CONVERSATION_LENGTH = 200_000;
const MAX_NAME_LENGTH = 200;
const MAX_CALLS = 64;

const TextSchema = z.string().max(MAX_MESSAGE_LENGTH);
const NameSchema = z.string().min(1).max(MAX_NAME_LENGTH);

const CallSchema = z.object({
  id: NameSchema,
  type: z.literal("function").optional(),
  function: z.object({ name: NameSchema, arguments: TextSchema }),
});

/** Messages as in the Chat Completions API. Other fields of an assistant's message, which servers add, are dropped. */
const ConversationMessageSchema = z.discriminatedUnion(
  "role",
  [
    z.strictObject({ role: z.literal("user"), content: TextSchema }),
    z.object({ role: z.literal("assistant"), content: TextSchema.nullish(), tool_calls: z.array(CallSchema).max(MAX_CALLS).nullish() }),
    z.object({ role: z.literal("tool"), tool_call_id: NameSchema, content: TextSchema }),
  ],
  { error: "must be user, assistant or tool; what a system message says belongs into systemContext" },
);
export type ConversationMessage = z.infer<typeof ConversationMessageSchema>;

export const ConversationSchema = z
  .array(ConversationMessageSchema)
  .max(MAX_MESSAGES)
  .refine(
    (messages) => messages.reduce((sum, message) => sum + lengthOf(message), 0) <= MAX_CONVERSATION_LENGTH,
    `must not have more than ${MAX_CONVERSATION_LENGTH} characters together`,
  )
  .superRefine((messages, context) => {
    for (const [index, message] of messages.entries())
      if (message.role === "tool" && callOf(messages, index) === undefined)
        context.addIssue({ code: "custom", path: [index, "tool_call_id"], message: "is not the id of a call before it" });
  })
  .describe(
    "Earlier messages of a conversation that the client keeps, oldest first, with `tool_calls` and messages of the role `tool`. They come after the messages of the thread.",
  );

function lengthOf(message: ConversationMessage): number {
  const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
  return calls.reduce((sum, call) => sum + call.function.arguments.length, message.content?.length ?? 0);
}

/** Returns the call that a tool's message at `index` answers: the latest one with its id. */
function callOf(messages: readonly ConversationMessage[], index: number) {
  const message = messages[index];
  const calls = messages.slice(0, index).flatMap((one) => (one.role === "assistant" ? (one.tool_calls ?? []) : []));
  return message?.role === "tool" ? calls.findLast(({ id }) => id === message.tool_call_id)?.function : undefined;
}

/** Returns the messages before the question, and what was already done for it, if the last message of the user repeats it. */
export function splitAtQuestion(messages: readonly ConversationMessage[], question: string) {
  const at = messages.findLastIndex(({ role, content }) => role === "user" && content?.trim() !== "");
  const repeats = messages[at]?.content?.trim().toWellFormed() === question.trim().toWellFormed();
  return { before: repeats ? messages.slice(0, at) : messages, begun: repeats ? messages.slice(at + 1) : [] };
}

const FINISH = "finish_task";
const ASK = "ask_user";

interface SpokenMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Returns what was said: texts, the answer within a call that ended a task, and the user's answers to questions of the model. */
export function spokenMessages(messages: readonly ConversationMessage[]): SpokenMessage[] {
  return messages.flatMap((message, index): SpokenMessage[] => {
    const { role, content } = message;
    if (role === "user") return [{ role, content }];
    if (role === "tool") return callOf(messages, index)?.name === ASK ? [{ role: "user", content }] : [];
    const questions = callsTo(ASK, message).map(({ question }) => textOf(question));
    return [{ role, content: [finalText(message), ...questions].filter(Boolean).join("\n\n") }];
  });
}

/** Returns the longest of the text and the texts of a call that ends the task. */
function finalText(message: Extract<ConversationMessage, { role: "assistant" }>): string {
  const given = callsTo(FINISH, message).flatMap(({ answer, summary }) => [textOf(answer), textOf(summary)]);
  return [message.content ?? "", ...given].reduce((longest, text) => (text.length > longest.length ? text : longest));
}

/** Returns the arguments of each call to this tool. */
function callsTo(name: string, { tool_calls: calls }: Extract<ConversationMessage, { role: "assistant" }>): Fields[] {
  const own = (calls ?? []).filter((call) => call.function.name === name);
  return own.map((call) => fieldsOf(parseJson(call.function.arguments)));
}

/**
 * Returns the results of calls, the newest first and one for equal calls, so that a run shows them to its model and does not repeat the
 * calls. They come from the client, so nothing can be cited from them. @param at when the run is created, in milliseconds since 1970
 */
export function resultsIn(messages: readonly ConversationMessage[], at: number): ThreadResult[] {
  const results = messages.flatMap((message, index): ThreadResult[] => {
    const call = callOf(messages, index);
    const args = call && (parseJson(call.arguments || "{}") as JsonValue | undefined);
    if (call === undefined || args === undefined) return [];
    return [{ run: "", name: call.name, arguments: args, text: message.content ?? "", hits: [], at }];
  });
  return [...new Map(results.map((result) => [canonicalJson([result.name, result.arguments]), result])).values()].toReversed();
}

/**
 * Returns what was done for a question as the agent's own messages. It ends with the call that ended the task, if there is one. Open calls
 * of the last response are made by the agent; those before get a result that says that there is none.
 */
export function begunMessages(messages: readonly ConversationMessage[]): ChatMessage[] {
  const end = messages.findIndex((message) => message.role === "assistant" && callsTo(FINISH, message).length > 0);
  const begun = end === -1 ? messages : messages.slice(0, end + 1);
  const last = begun.findLastIndex(({ role }) => role === "assistant");
  return begun.flatMap((message, index): ChatMessage[] => {
    if (message.role !== "assistant") return message.role === "user" ? [message] : [];
    const calls = (message.tool_calls ?? []).map((call) => ({ id: call.id, ...call.function }));
    const next = begun.findIndex(({ role }, at) => at > index && role !== "tool");
    const answers = begun.slice(index + 1, next === -1 ? undefined : next).filter((one) => one.role === "tool");
    const results = calls.flatMap(({ id: callId, name }): ChatMessage[] => {
      const content = answers.findLast((one) => one.tool_call_id === callId)?.content;
      if (content === undefined && index === last) return [];
      return [{ role: "tool", callId, name, content: content ?? "There is no result." }];
    });
    return [{ role: "assistant", content: message.content ?? "", toolCalls: calls }, ...results];
  });
}

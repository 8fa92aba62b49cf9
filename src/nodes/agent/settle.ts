import type { ModelToolCall } from "../../domain/chat.ts";
import { unanswered } from "./decide/read-messages.ts";
import type { AgentMessage } from "./state.ts";

/** The result of a call that was not made: every call of a response has one, or a strict server refuses the conversation. */
export function notExecuted({ id, name }: ModelToolCall, why: string): AgentMessage {
  return { role: "tool", callId: id, name, content: `Not executed: ${why}.`, mark: "declined", brief: `${name}: not executed` };
}

/** `messages` with a result for every call of the last response. */
export function settled(messages: readonly AgentMessage[], why: string): AgentMessage[] {
  return [...messages, ...unanswered(messages).map((call) => notExecuted(call, why))];
}

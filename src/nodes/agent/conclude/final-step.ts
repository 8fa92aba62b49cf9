import { DossierError } from "../../../errors.ts";
import type { AgentStateValue } from "../../../graphs/agent/state.ts";
import type { NextStep } from "../decide/decide-next.ts";
import type { Decide } from "../decide/decide-state.ts";
import { answerAt, currentTurn } from "../decide/read-messages.ts";

export type FinalStep = Extract<NextStep, { type: "write" | "conclude" }>;

/** Why the loop has ended. */
export function finalStep(state: AgentStateValue, decide: Decide): FinalStep {
  const step = decide(state);
  if (step.type === "write" || step.type === "conclude") return step;
  throw new DossierError("internal", `The agent concludes although its next step is to ${step.type}.`);
}

/** The answer in the model's words; null where it gave none. What a stop tool hands over comes before what was said beside it. */
export function textOf(state: AgentStateValue, step: FinalStep): string | null {
  if (step.type === "write") return state.written ?? begunAnswer(state);
  if (step.reason !== "finish_task") return step.text;
  const said = currentTurn(state.messages).flatMap((message) => (message.role === "assistant" ? [message.content] : []));
  return [state.finished, step.text, ...said.toReversed()].find((text) => text !== null && text.trim() !== "") ?? null;
}

/** Whether the answer ends where its length limit was. */
export function isCut(state: AgentStateValue, step: FinalStep): boolean {
  if (step.type === "write") return state.written === null ? begunAnswer(state) !== null : state.cut;
  return step.reason === "answered" && state.finishReason === "length";
}

/** An answer that was cut off, where neither the rest nor another one could be had. */
function begunAnswer({ messages, finishReason }: AgentStateValue): string | null {
  if (finishReason !== "length") return null;
  const said = messages.at(-1)?.mark === "continue" ? messages.slice(0, -1) : messages;
  const last = said.at(-1);
  const text = last?.role === "assistant" && last.toolCalls.length === 0 ? answerAt(said) : "";
  return text.trim() === "" ? null : text;
}

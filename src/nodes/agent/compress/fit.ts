import type { ChatRequest } from "../../../domain/chat.ts";
import { isTooLarge } from "../request.ts";
import type { AgentMessage, AgentStateValue } from "../state.ts";
import { LEVELS, shorten } from "./shorten.ts";

export interface Fitted {
  readonly request: ChatRequest;
  readonly messages: AgentMessage[];
  readonly forgottenTurns: number;
}

type Build = (messages: readonly AgentMessage[], kept: Pick<AgentStateValue, "forgottenTurns">) => Promise<ChatRequest>;

/** The request of `messages`, made shorter step by step as far as it takes to fit; null where nothing helps. */
export async function fitToModel(state: AgentStateValue, messages: readonly AgentMessage[], build: Build): Promise<Fitted | null> {
  const turns = state.task.history.length;
  for (const level of LEVELS) {
    const shorter = shorten(messages, level);
    const forgottenTurns = Math.max(state.forgottenTurns, Math.ceil(turns * level.forget));
    const request = await build(shorter, { forgottenTurns });
    if (!isTooLarge(request, state)) return { request, messages: shorter, forgottenTurns };
  }
  return null;
}

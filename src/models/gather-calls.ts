import type { ChatDelta, ChatReply } from "../domain/chat.ts";
import { callsInText, mayBeCalls } from "./protocol-in-text.ts";

/** Where calls are written as text, holds back content that may turn out to be one. */
export class GatheredCalls {
  #state: "open" | "held" | "unknown";
  #held = "";

  constructor(inText: boolean) {
    this.#state = inText ? "unknown" : "open";
  }

  /** What of a piece can be handed on. */
  pass(delta: ChatDelta): ChatDelta {
    if (this.#state === "open") return delta;
    this.#held += delta.content;
    if (this.#state === "unknown") {
      const calls = mayBeCalls(this.#held);
      if (calls !== null) this.#state = calls ? "held" : "open";
    }
    const open = (this.#state as string) === "open";
    const content = open ? this.#held : "";
    if (open) this.#held = "";
    return { ...delta, content };
  }

  /** The last piece and the whole, with calls where the text was some. A text that was cut off is none. */
  end(delta: ChatDelta, reply: ChatReply): { delta: ChatDelta; reply: ChatReply } {
    if (this.#state === "open") return { delta, reply };
    const calls = reply.finishReason === "stop" ? callsInText(reply.content) : null;
    if (calls === null) return { delta: { ...delta, content: this.#held + delta.content }, reply };
    return {
      delta: { ...delta, toolCalls: calls },
      reply: { ...reply, content: "", toolCalls: calls, finishReason: "tool_calls" },
    };
  }
}

import type { ChatDelta, ChatReply, ModelToolCall } from "../domain/chat.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { callsInTags, callsInText, mayBeCalls } from "./calls-in-text.ts";

/**
 * Where tools are offered, holds back content that may turn out to be calls: any form where they had to be described in words
 * (`inText`); otherwise only calls of offered tools between the tags that a server should have read.
 */
export class GatheredCalls {
  readonly #inText: boolean;
  readonly #names: ReadonlySet<string>;
  #state: "open" | "held" | "unknown";
  #held = "";

  constructor(tools: readonly ToolDescription[], inText: boolean) {
    this.#inText = inText;
    this.#names = new Set(tools.map(({ name }) => name));
    this.#state = tools.length > 0 ? "unknown" : "open";
  }

  /** What of a piece can be handed on. */
  pass(delta: ChatDelta): ChatDelta {
    if (this.#state === "open") return delta;
    this.#held += delta.content;
    if (this.#state === "unknown") {
      const calls = mayBeCalls(this.#held, { json: this.#inText });
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
    const calls = reply.finishReason === "stop" ? this.#read(reply.content) : null;
    if (calls === null) return { delta: { ...delta, content: this.#held + delta.content }, reply };
    return {
      delta: { ...delta, toolCalls: calls },
      reply: { ...reply, content: "", toolCalls: calls, finishReason: "tool_calls" },
    };
  }

  #read(content: string): ModelToolCall[] | null {
    if (this.#inText) return callsInText(content);
    const calls = callsInTags(content);
    return calls?.every(({ name }) => this.#names.has(name)) ? calls : null;
  }
}

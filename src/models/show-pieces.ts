import type { ChatDelta, ChatReply } from "../domain/chat.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { CallOptions, TextFilter } from "../domain/ports/models.ts";
import { sanitizeModelCall } from "../evidence/sanitize-output.ts";
import { splitUnopened } from "./split-thinking.ts";

const TAKEN_BACK = "What was shown turned out to be the model's reasoning; its answer follows.";

interface Place {
  readonly callId: string;
  readonly try: number;
}

/** Tells readers of one try what its pieces say, through the filters. */
export class ShownTry {
  readonly #options: CallOptions;
  readonly #effects: Effects;
  #place: Place;
  readonly #filters: { content: TextFilter | undefined; readonly reasoning: TextFilter | undefined };
  readonly #calls = new Set<string>();
  #any = false;
  #heard = "";

  constructor(options: CallOptions, effects: Effects, place: Place) {
    this.#options = options;
    this.#effects = effects;
    this.#place = place;
    this.#filters = { content: options.shown?.content?.(), reasoning: options.shown?.reasoning?.() };
  }

  piece({ content, reasoning, toolCalls }: ChatDelta): void {
    this.#any = true;
    if (reasoning !== "") this.#say("reasoning", this.#filters.reasoning?.push(reasoning));
    if (content !== "") {
      this.#heard += content;
      this.#options.onContent?.(content);
      this.#say("content", this.#filters.content?.push(content));
    }
    this.#sayCalls(toolCalls);
  }

  /** The response is whole. Where only that is known, it is told as one piece. */
  end(reply: ChatReply): void {
    if (!this.#any) this.piece({ content: reply.content, reasoning: reply.reasoning, toolCalls: [] });
    this.#say("reasoning", this.#filters.reasoning?.end());
    this.#takeBack(reply);
    this.#say("content", this.#filters.content?.end());
    this.#sayCalls(reply.toolCalls);
    this.#effects.emit({ type: "call-ended", ...this.#place, finishReason: reply.finishReason, model: reply.model });
  }

  /** What was heard as content has only at its end been found to be reasoning: the answer is told anew, as another try. */
  #takeBack({ content }: ChatReply): void {
    if (this.#heard === content || splitUnopened(this.#heard) === null) return;
    this.#place = { ...this.#place, try: this.#place.try + 1 };
    this.#effects.emit({ type: "call-restarted", ...this.#place, reason: TAKEN_BACK });
    this.#options.restart?.();
    this.#filters.content = this.#options.shown?.content?.();
    this.#calls.clear();
    if (content !== "") this.piece({ content, reasoning: "", toolCalls: [] });
  }

  #say(type: "content" | "reasoning", delta = ""): void {
    if (delta !== "") this.#effects.emit({ type, node: this.#options.node, ...this.#place, delta });
  }

  #sayCalls(all: ChatReply["toolCalls"]): void {
    const calls = all.filter(({ id }) => !this.#calls.has(id));
    for (const { id } of calls) this.#calls.add(id);
    if (calls.length === 0) return;
    const known = this.#options.shown?.known ?? [];
    this.#effects.emit({ type: "tool-calls", ...this.#place, calls: calls.map((call) => sanitizeModelCall(call, known)) });
  }
}

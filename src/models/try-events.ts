import type { ChatDelta, ChatReply, ModelToolCall } from "../domain/chat.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { CallOptions, TextFilter } from "../domain/ports/models.ts";
import { CLEAN_MODEL_CALL, sanitizeModelCall } from "../evidence/sanitize-output.ts";
import { createTurns } from "../util/turns.ts";
import { deltaPieces } from "./delta-pieces.ts";
import { splitAtClosingTag } from "./spoken-text.ts";

const RETRACTED = "What was shown turned out to be the model's reasoning; its answer follows.";

type Place = { readonly callId: string; readonly try: number };

/** Emits what a call brings, piece by piece and cleaned, as events of one try. */
export class TryEvents {
  readonly #options: CallOptions;
  readonly #effects: Effects;
  #place: Place;
  readonly #filters: { content: TextFilter | undefined; readonly reasoning: TextFilter | undefined };
  readonly #calls = new Set<string>();
  hasPieces = false;
  #content = "";
  #reasoning = "";

  constructor(options: CallOptions, effects: Effects, place: Place) {
    this.#options = options;
    this.#effects = effects;
    this.#place = place;
    this.#filters = { content: options.shown?.content?.(), reasoning: options.shown?.reasoning?.() };
  }

  piece({ content, reasoning, toolCalls }: ChatDelta): void {
    this.hasPieces = true;
    this.#reasoning += reasoning;
    if (reasoning !== "") this.#emitReasoning(this.#filters.reasoning?.push(reasoning));
    if (content !== "") {
      this.#content += content;
      this.#options.onContent?.(content);
      this.#emitContent(this.#filters.content?.push(content));
    }
    // A long call is emitted at the end, where it may be cleaned in a worker.
    const calls = this.#newCalls(toolCalls.filter((call) => CLEAN_MODEL_CALL.sizeOf(call, []) <= CLEAN_MODEL_CALL.inlineSize));
    this.#emitCalls(calls.map((call) => sanitizeModelCall(call, this.#known)));
  }

  /** Shows what the pieces did not. */
  async end(reply: ChatReply): Promise<void> {
    await this.#pieces("", restOf(reply.reasoning, this.#reasoning));
    this.#emitReasoning(this.#filters.reasoning?.end());
    if (!reply.content.startsWith(this.#content) && splitAtClosingTag(this.#content) !== null) this.#retract();
    await this.#pieces(restOf(reply.content, this.#content), "");
    this.#emitContent(this.#filters.content?.end());
    const calls: ModelToolCall[] = [];
    for (const call of this.#newCalls(reply.toolCalls)) {
      calls.push(await this.#effects.compute(CLEAN_MODEL_CALL, call, this.#known));
    }
    this.#emitCalls(calls);
    this.#effects.emit({ type: "call-ended", ...this.#place, finishReason: reply.finishReason, model: reply.model });
  }

  async #pieces(content: string, reasoning: string): Promise<void> {
    const turn = createTurns(this.#effects.signal);
    for (const piece of deltaPieces({ content, reasoning, toolCalls: [] })) {
      this.piece(piece);
      await turn();
    }
  }

  /** Begins a new try if the text shown so far turns out to be reasoning. */
  #retract(): void {
    this.#place = { ...this.#place, try: this.#place.try + 1 };
    this.#effects.emit({ type: "call-restarted", ...this.#place, reason: RETRACTED });
    this.#options.restart?.();
    this.#filters.content = this.#options.shown?.content?.();
    this.#calls.clear();
    this.#content = "";
  }

  #emitReasoning(delta = ""): void {
    if (delta !== "") this.#effects.emit({ type: "reasoning", node: this.#options.node, ...this.#place, delta });
  }

  /** The node has not checked the text yet, so it is a draft. */
  #emitContent(delta = ""): void {
    if (delta !== "") this.#effects.emit({ type: "content", node: this.#options.node, ...this.#place, delta, draft: true });
  }

  get #known(): readonly string[] {
    return this.#options.shown?.known ?? [];
  }

  #newCalls(all: ChatReply["toolCalls"]): ModelToolCall[] {
    const calls = all.filter(({ id }) => !this.#calls.has(id));
    for (const { id } of calls) this.#calls.add(id);
    return calls;
  }

  #emitCalls(calls: ModelToolCall[]): void {
    if (calls.length > 0) this.#effects.emit({ type: "tool-calls", ...this.#place, calls });
  }
}

function restOf(whole: string, shown: string): string {
  return whole.startsWith(shown) ? whole.slice(shown.length) : "";
}

import {
  type ChatDelta,
  type ChatReply,
  type ChatRequest,
  countWide,
  estimateInput,
  estimateTokens,
  type FinishReason,
  type ModelToolCall,
  type TokenUsage,
} from "../domain/chat.ts";
import { parseJson } from "../util/json-fields.ts";
import type { CallFragment, ChunkParts } from "./langchain-messages.ts";
import { RepetitionDetector } from "./repetition-detector.ts";
import { splitAtClosingTag, ThinkingSplitter } from "./split-thinking.ts";
import { TemplateTokens } from "./template-tokens.ts";
import { CallAssembler } from "./tool-calls.ts";

/** Tokens per character. The estimates are low, so that no answer within the limit is cut. */
const WIDE_TOKENS = 0.6;
const OTHER_TOKENS = 0.25;
const TOLERANCE = 1.25;
const SLACK_TOKENS = 500;

/** Enforces the output limit, because some servers ignore it. */
class OutputBound {
  #room: number;

  constructor(maxOutputTokens: number) {
    this.#room = maxOutputTokens * TOLERANCE + SLACK_TOKENS;
  }

  get full(): boolean {
    return this.#room < 0;
  }

  take(piece: string): string {
    const wide = countWide(piece);
    const tokens = wide * WIDE_TOKENS + (piece.length - wide) * OTHER_TOKENS;
    const share = Math.min(1, Math.max(0, this.#room) / Math.max(tokens, 1));
    this.#room -= tokens;
    return share < 1 ? piece.slice(0, share * piece.length).replace(/[\ud800-\udbff]$/, "") : piece;
  }
}

type AnswerRequest = Pick<ChatRequest, "messages" | "tools" | "schema" | "maxOutputTokens" | "stopTools">;

export class ReplyAssembler {
  hasBegun = false;
  /** Whether the content has `</think>` without `<think>`. The final value is known after `end()`. */
  lacksOpeningTag: boolean;
  readonly #stops = new Set<string>();
  readonly #request: AnswerRequest;
  readonly #calls: CallAssembler;
  readonly #tokens = new TemplateTokens();
  readonly #thinking: ThinkingSplitter;
  readonly #watches = {
    content: new RepetitionDetector(),
    reasoning: new RepetitionDetector(),
    calls: new RepetitionDetector(),
    sent: new RepetitionDetector(),
  };
  #content = "";
  #reasoning = "";
  #model = "";
  #usage: TokenUsage | null = null;
  readonly #bound: OutputBound;
  #finish: FinishReason | null = null;
  #ownEnding: "cut" | "repetition" | "length" | null = null;

  constructor(request: AnswerRequest, { lacksOpeningTag = false } = {}) {
    this.#request = request;
    this.#calls = new CallAssembler(new Set(request.tools.map(({ name }) => name)));
    this.#bound = new OutputBound(request.maxOutputTokens);
    this.lacksOpeningTag = lacksOpeningTag;
    this.#thinking = new ThinkingSplitter({ lacksOpeningTag });
  }

  get endedEarly(): boolean {
    return this.#ownEnding !== null;
  }

  get hasFinishReason(): boolean {
    return this.#finish !== null;
  }

  push(parts: ChunkParts): ChatDelta {
    this.#model ||= parts.model;
    this.#finish = parts.finish ?? this.#finish;
    if (parts.content !== "" || parts.reasoning !== "" || parts.calls.length > 0 || parts.finish !== null) this.hasBegun = true;
    this.#addUsage(parts.usage);
    const { calls, ...text } = this.#takeText(parts);
    const toolCalls = this.#takeCalls([...parts.calls, ...calls], parts.finish);
    this.#stopIfTooMuch();
    return { ...text, toolCalls };
  }

  end(): { delta: ChatDelta; reply: ChatReply } {
    const { content, reasoning } = this.#endText();
    const whole = this.#ownEnding === null && this.#finish !== "length" && this.#finish !== "content_filter";
    const toolCalls = this.#ownEnding === "cut" ? [] : this.#endCalls(whole);
    const split = splitAtClosingTag(this.#content);
    this.lacksOpeningTag ||= split !== null;
    const thought = this.#watches.sent.shorten(this.#watches.reasoning.shorten(this.#reasoning));
    const reply = {
      content: this.#watches.sent.shorten(this.#watches.content.shorten(split?.content ?? this.#content)),
      reasoning: thought + (split?.reasoning ?? ""),
      toolCalls: this.#calls.calls,
      finishReason: this.#finishReason(),
      model: this.#model,
      usage: this.#counted(),
    };
    return { delta: { content, reasoning, toolCalls }, reply };
  }

  /**
   * The class of a provider may report a part with each chunk, as LangChain adds them up. Output that is reported before the answer begins
   * is reported again at its end.
   */
  #addUsage(usage: ChunkParts["usage"]): void {
    if (usage === null) return;
    const { inputTokens = 0, outputTokens = 0 } = this.#usage ?? {};
    const output = this.hasBegun ? usage.outputTokens : 0;
    this.#usage = { inputTokens: inputTokens + usage.inputTokens, outputTokens: outputTokens + output, estimated: false };
  }

  #endText(): { content: string; reasoning: string } {
    const rest = this.#tokens.end();
    if (this.#ownEnding === null) this.#takeCalls(rest.calls, null);
    const before = this.#thinking.push(rest.content);
    const after = this.#thinking.end();
    const content = before.content + after.content;
    const reasoning = rest.reasoning + before.reasoning + after.reasoning;
    this.#content += content;
    this.#reasoning += reasoning;
    return { content, reasoning };
  }

  #takeText(parts: ChunkParts): { content: string; reasoning: string; calls: CallFragment[] } {
    const reasoned = this.#bound.take(parts.reasoning);
    const spoken = this.#tokens.push(this.#bound.take(parts.content));
    const thought = reasoned + spoken.reasoning;
    const sent = spoken.content;
    const split = sent === "" ? { content: "", reasoning: "" } : this.#thinking.push(sent);
    const reasoning = thought + split.reasoning;
    this.#content += split.content;
    this.#reasoning += reasoning;
    if (this.lacksOpeningTag) this.#watches.sent.push(sent);
    this.#watches.content.push(split.content);
    this.#watches.reasoning.push(reasoning);
    return { content: split.content, reasoning, calls: spoken.calls };
  }

  #takeCalls(calls: readonly CallFragment[], finish: FinishReason | null): ModelToolCall[] {
    const complete: ModelToolCall[] = [];
    for (const fragment of calls) {
      const taken = this.#calls.push(fragment, (text) => this.#bound.take(text));
      this.#watches.calls.push(taken.text);
      complete.push(...taken.complete);
      if (this.#stopsAt(complete) || this.#calls.tooMuch) return complete;
    }
    if (finish === "tool_calls" || finish === "stop") complete.push(...this.#calls.end(true));
    this.#stopsAt(complete);
    return complete;
  }

  /** A model may call a stop tool and then `ask_user`, so only the second call to a stop tool ends the answer. */
  #stopsAt(complete: ModelToolCall[]): boolean {
    for (const call of complete)
      if (this.#request.stopTools.includes(call.name) && parseJson(call.arguments) !== undefined) this.#stops.add(call.id);
    const [, second] = this.#stops;
    if (second === undefined) return false;
    this.#ownEnding = "cut";
    complete.splice(complete.findIndex(({ id }) => id === second));
    const ids = this.#calls.calls.map(({ id }) => id);
    this.#calls.keepUpTo(ids.slice(0, ids.indexOf(second)).findLast((id) => id !== "") ?? "");
    return true;
  }

  #stopIfTooMuch(): void {
    if (this.#ownEnding !== null) return;
    if (Object.values(this.#watches).some(({ repeats }) => repeats)) this.#ownEnding = "repetition";
    else if (this.#calls.tooMuch || this.#bound.full) this.#ownEnding = "length";
  }

  #endCalls(whole: boolean): ModelToolCall[] {
    if (this.#watches.calls.repeats) this.#calls.shortenLast((text) => this.#watches.calls.shorten(text));
    return this.#calls.end(whole);
  }

  #finishReason(): FinishReason {
    const natural = this.#calls.calls.length > 0 ? "tool_calls" : "stop";
    if (this.#ownEnding !== null) return this.#ownEnding;
    return this.#finish === "length" || this.#finish === "content_filter" ? this.#finish : natural;
  }

  /** The server has not counted all of an answer that ended early. */
  #counted(): TokenUsage {
    const estimate = this.#estimate();
    if (this.#usage === null || this.#usage.inputTokens === 0) return estimate;
    if (!this.endedEarly || this.#usage.outputTokens >= estimate.outputTokens) return this.#usage;
    return { ...estimate, inputTokens: this.#usage.inputTokens };
  }

  #estimate(): TokenUsage {
    const output = this.#content + this.#reasoning + this.#calls.calls.map((call) => call.name + call.arguments).join("");
    return { inputTokens: estimateInput(this.#request), outputTokens: estimateTokens(output), estimated: true };
  }
}

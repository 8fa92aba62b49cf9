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
import { countOf, type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from "../util/json-fields.ts";
import { RepetitionDetector } from "./repetition-detector.ts";
import { splitAtClosingTag, ThinkingSplitter } from "./split-thinking.ts";
import { CallAssembler } from "./tool-calls.ts";

export function readChunk(data: unknown) {
  const chunk = fieldsOf(data);
  const choice = fieldsOf(listOf(chunk["choices"]).find((one) => (countOf(fieldsOf(one)["index"]) ?? 0) === 0));
  const message = isFields(choice["delta"]) ? choice["delta"] : fieldsOf(choice["message"]);
  const legacy = isFields(message["function_call"]) ? [{ index: -1, function: message["function_call"] }] : [];
  const parts = partsOf(message["content"]);
  return {
    content: parts.content + textOf(message["refusal"]),
    // Some servers send the same text in both fields.
    reasoning: textOf(message["reasoning_content"]) || textOf(message["reasoning"]) || parts.reasoning,
    calls: [...listOf(message["tool_calls"]), ...legacy],
    finish: finishOf(choice["finish_reason"]),
    usage: usageOf(chunk["usage"]) ?? usageOf(fieldsOf(chunk["x_groq"])["usage"]),
    model: textOf(chunk["model"]),
    error: errorOf(chunk["error"]) ?? errorOf(choice["error"]),
  };
}

type ChunkParts = ReturnType<typeof readChunk>;

function partsOf(content: unknown): { content: string; reasoning: string } {
  const parts = listOf(content).map(fieldsOf);
  const thinking = parts.flatMap((part) => [
    textOf(part["thinking"]),
    ...listOf(part["thinking"]).map((one) => textOf(fieldsOf(one)["text"])),
  ]);
  return { content: textOf(content) + parts.map((part) => textOf(part["text"])).join(""), reasoning: thinking.join("") };
}

const FINISHES = new Map<string, FinishReason>([
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["content_filter", "content_filter"],
]);

function finishOf(reason: unknown): FinishReason | null {
  const text = textOf(reason);
  return text === "" ? null : (FINISHES.get(text) ?? "stop");
}

function usageOf(value: unknown): TokenUsage | null {
  const inputTokens = countOf(fieldsOf(value)["prompt_tokens"]);
  const outputTokens = countOf(fieldsOf(value)["completion_tokens"]);
  if (inputTokens === null || outputTokens === null) return null;
  return { inputTokens, outputTokens, estimated: false };
}

function errorOf(value: unknown): Fields | null {
  if (isFields(value)) return value;
  return typeof value === "string" && value !== "" ? { message: value } : null;
}

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
    const most = piece.length * WIDE_TOKENS;
    if (most < this.#room) {
      const wide = countWide(piece);
      this.#room -= wide * WIDE_TOKENS + (piece.length - wide) * OTHER_TOKENS;
      return piece;
    }
    for (let at = 0; at < piece.length; at += 1) {
      this.#room -= countWide(piece.charAt(at)) > 0 ? WIDE_TOKENS : OTHER_TOKENS;
      if (this.full) return piece.slice(0, at).replace(/[\ud800-\udbff]$/, "");
    }
    return piece;
  }
}

type AnswerRequest = Pick<ChatRequest, "messages" | "tools" | "schema" | "maxOutputTokens" | "stopTools">;

export class ReplyAssembler {
  hasBegun = false;
  /** Whether the content has `</think>` without `<think>`. The final value is known after `end()`. */
  lacksOpeningTag: boolean;
  readonly #stops = new Set<string>();
  readonly #request: AnswerRequest;
  readonly #calls = new CallAssembler();
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

  push(data: unknown): ChatDelta {
    const parts = readChunk(data);
    this.#model ||= parts.model;
    this.#usage = parts.usage ?? this.#usage;
    this.#finish = parts.finish ?? this.#finish;
    if (parts.content !== "" || parts.reasoning !== "" || parts.calls.length > 0 || parts.finish !== null) this.hasBegun = true;
    const text = this.#takeText(parts);
    const toolCalls = this.#takeCalls(parts);
    this.#stopIfTooMuch();
    return { ...text, toolCalls };
  }

  end(): { delta: ChatDelta; reply: ChatReply } {
    const { content, reasoning } = this.#thinking.end();
    this.#content += content;
    this.#reasoning += reasoning;
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
      usage: this.#usage ?? this.#estimate(),
    };
    return { delta: { content, reasoning, toolCalls }, reply };
  }

  #takeText(parts: ChunkParts): { content: string; reasoning: string } {
    const thought = this.#bound.take(parts.reasoning);
    const sent = this.#bound.take(parts.content);
    const split = sent === "" ? { content: "", reasoning: "" } : this.#thinking.push(sent);
    const reasoning = thought + split.reasoning;
    this.#content += split.content;
    this.#reasoning += reasoning;
    if (this.lacksOpeningTag) this.#watches.sent.push(sent);
    this.#watches.content.push(split.content);
    this.#watches.reasoning.push(reasoning);
    return { content: split.content, reasoning };
  }

  #takeCalls({ calls, finish }: ChunkParts): ModelToolCall[] {
    const complete: ModelToolCall[] = [];
    for (const fragment of calls) {
      const taken = this.#calls.push(fragment, (text) => this.#bound.take(text));
      this.#watches.calls.push(taken.text);
      complete.push(...taken.complete);
      if (this.#stopsAt(complete)) return complete;
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

  #estimate(): TokenUsage {
    const output = this.#content + this.#reasoning + this.#calls.calls.map((call) => call.name + call.arguments).join("");
    return { inputTokens: estimateInput(this.#request), outputTokens: estimateTokens(output), estimated: true };
  }
}

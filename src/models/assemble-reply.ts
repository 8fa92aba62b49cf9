import {
  type ChatDelta,
  type ChatReply,
  type ChatRequest,
  estimateInput,
  estimateTokens,
  type FinishReason,
  type ModelToolCall,
  type TokenUsage,
} from "../domain/chat.ts";
import { CallAssembler } from "./assemble-calls.ts";
import { parseJson } from "./raw-json.ts";
import { type ChunkParts, readChunk } from "./read-chunk.ts";
import { RepetitionWatch } from "./repetition.ts";
import { splitUnopened, ThinkingSplitter } from "./split-thinking.ts";

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
/** The fewest tokens that a character takes; an answer within its limit must not be cut, so this is less than the usual estimate. */
const WIDE_TOKENS = 0.6;
const OTHER_TOKENS = 0.25;
const MORE_THAN_ASKED = 1.25;
const SLACK_TOKENS = 500;

/** How much of a response is taken from a server that does not keep to the limit it was given. */
class OutputBound {
  #room: number;

  constructor(maxOutputTokens: number) {
    this.#room = maxOutputTokens * MORE_THAN_ASKED + SLACK_TOKENS;
  }

  /** Whether more came than was taken. */
  get full(): boolean {
    return this.#room < 0;
  }

  /** As much of a piece as there is room for. */
  take(piece: string): string {
    for (let at = 0; at < piece.length; at += 1) {
      this.#room -= WIDE.test(piece.charAt(at)) ? WIDE_TOKENS : OTHER_TOKENS;
      if (this.full) return piece.slice(0, at).replace(/[\ud800-\udbff]$/, "");
    }
    return piece;
  }
}

type Asked = Pick<ChatRequest, "messages" | "tools" | "schema" | "maxOutputTokens" | "stopTools">;

/** Turns the raw chunks of one response into pieces and a whole reply. Pure: what it makes follows from the chunks alone. */
export class ReplyAssembler {
  /** The ids of complete calls that stop the loop. */
  readonly #stops = new Set<string>();
  readonly #asked: Asked;
  readonly #calls = new CallAssembler();
  readonly #thinking: ThinkingSplitter;
  readonly #watches = {
    content: new RepetitionWatch(),
    reasoning: new RepetitionWatch(),
    calls: new RepetitionWatch(),
    /** Of what may be held back, as it was sent. */
    sent: new RepetitionWatch(),
  };
  #content = "";
  #reasoning = "";
  #model = "";
  #usage: TokenUsage | null = null;
  readonly #bound: OutputBound;
  #finish: FinishReason | null = null;
  #ours: "cut" | "repetition" | "length" | null = null;
  #began = false;
  #unopened: boolean;

  /** `unopened`: the model's reasoning is known to come without an opening tag. */
  constructor(asked: Asked, { unopened = false } = {}) {
    this.#asked = asked;
    this.#bound = new OutputBound(asked.maxOutputTokens);
    this.#unopened = unopened;
    this.#thinking = new ThinkingSplitter({ unopened });
  }

  /** Whether the reasoning was found to come without an opening tag; known at the end. */
  get unopened(): boolean {
    return this.#unopened;
  }

  /** Whether anything of the answer has come. */
  get began(): boolean {
    return this.#began;
  }

  /** Whether nothing more is wanted: the rest is to be cut off on the wire. */
  get enough(): boolean {
    return this.#ours !== null;
  }

  /** Whether the server has said how the answer ended. */
  get finished(): boolean {
    return this.#finish !== null;
  }

  /** Takes a chunk as the server sent it. */
  push(data: unknown): ChatDelta {
    const parts = readChunk(data);
    this.#model ||= parts.model;
    this.#usage = parts.usage ?? this.#usage;
    this.#finish = parts.finish ?? this.#finish;
    if (parts.content !== "" || parts.reasoning !== "" || parts.calls.length > 0 || parts.finish !== null) this.#began = true;
    const said = this.#say(parts);
    const toolCalls = this.#takeCalls(parts);
    this.#stopIfTooMuch();
    return { ...said, toolCalls };
  }

  /** The rest and the whole, when nothing more comes. */
  end(): { delta: ChatDelta; reply: ChatReply } {
    const { content, reasoning } = this.#thinking.end();
    this.#content += content;
    this.#reasoning += reasoning;
    const whole = this.#ours === null && this.#finish !== "length" && this.#finish !== "content_filter";
    const toolCalls = this.#ours === "cut" ? [] : this.#endCalls(whole);
    const unopened = splitUnopened(this.#content);
    this.#unopened ||= unopened !== null;
    const said = this.#watches.sent.shorten(this.#watches.content.shorten(unopened?.content ?? this.#content));
    const thought = this.#watches.sent.shorten(this.#watches.reasoning.shorten(this.#reasoning));
    const reply = {
      content: said,
      reasoning: thought + (unopened?.reasoning ?? ""),
      toolCalls: this.#calls.calls,
      finishReason: this.#finishReason(),
      model: this.#model,
      usage: this.#usage ?? this.#estimate(),
    };
    return { delta: { content, reasoning, toolCalls }, reply };
  }

  #say(parts: ChunkParts): { content: string; reasoning: string } {
    const thought = this.#bound.take(parts.reasoning);
    const sent = this.#bound.take(parts.content);
    const split = sent === "" ? { content: "", reasoning: "" } : this.#thinking.push(sent);
    const reasoning = thought + split.reasoning;
    this.#content += split.content;
    this.#reasoning += reasoning;
    if (this.#unopened) this.#watches.sent.push(sent);
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

  /** A second call that stops the loop is complete, and is dropped. The first one does not end the response: one that asks the user may follow. */
  #stopsAt(complete: ModelToolCall[]): boolean {
    for (const call of complete)
      if (this.#asked.stopTools.includes(call.name) && parseJson(call.arguments) !== undefined) this.#stops.add(call.id);
    const [, second] = this.#stops;
    if (second === undefined) return false;
    this.#ours = "cut";
    complete.splice(complete.findIndex(({ id }) => id === second));
    const ids = this.#calls.calls.map(({ id }) => id);
    this.#calls.keepUpTo(ids.slice(0, ids.indexOf(second)).findLast((id) => id !== "") ?? "");
    return true;
  }

  #stopIfTooMuch(): void {
    if (this.#ours !== null) return;
    if (Object.values(this.#watches).some(({ repeats }) => repeats)) this.#ours = "repetition";
    else if (this.#calls.tooMuch || this.#bound.full) this.#ours = "length";
  }

  #endCalls(whole: boolean): ModelToolCall[] {
    if (this.#watches.calls.repeats) this.#calls.shortenLast((text) => this.#watches.calls.shorten(text));
    return this.#calls.end(whole);
  }

  #finishReason(): FinishReason {
    const natural = this.#calls.calls.length > 0 ? "tool_calls" : "stop";
    if (this.#ours !== null) return this.#ours;
    return this.#finish === "length" || this.#finish === "content_filter" ? this.#finish : natural;
  }

  #estimate(): TokenUsage {
    const said = this.#content + this.#reasoning + this.#calls.calls.map((call) => call.name + call.arguments).join("");
    return { inputTokens: estimateInput(this.#asked), outputTokens: estimateTokens(said), estimated: true };
  }
}

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
import { isFields, parseJson } from "../util/json-fields.ts";
import type { CallFragment, ChunkParts } from "./langchain-messages.ts";
import { RepetitionDetector } from "./repetition-detector.ts";
import { SpokenText, splitAtClosingTag } from "./spoken-text.ts";
import { CallAssembler, CallsInText } from "./tool-calls.ts";

/** More than any model writes with one token, in UTF-16 code units. */
const CHARACTERS_PER_TOKEN = 5;
const SLACK_CHARACTERS = 2_000;
/** A Chinese, Japanese or Korean character takes as many tokens as so many others. */
const WIDE = 2.4;

type AnswerRequest = Pick<ChatRequest, "messages" | "tools" | "toolChoice" | "schema" | "maxOutputTokens" | "stopTools">;

/** Puts an answer together from its chunks, and ends one that repeats itself or is longer than requested. */
export class ReplyAssembler {
  hasBegun = false;
  readonly #request: AnswerRequest;
  readonly #calls: CallAssembler;
  readonly #text = new SpokenText();
  readonly #callsInText: CallsInText;
  readonly #watches = { content: new RepetitionDetector(), reasoning: new RepetitionDetector() };
  #content = "";
  #reasoning = "";
  #model = "";
  #usage: TokenUsage | null = null;
  /** How many characters may follow. Some servers ignore the output limit. */
  #room: number;
  #finish: FinishReason | null = null;
  #ownEnding: "cut" | "repetition" | "length" | null = null;

  /** @param toolsInText whether the model was asked to write its calls as text */
  constructor(request: AnswerRequest, { toolsInText = false } = {}) {
    const names = new Set(request.tools.map(({ name }) => name));
    this.#request = request;
    this.#room = request.maxOutputTokens * CHARACTERS_PER_TOKEN + SLACK_CHARACTERS;
    this.#calls = new CallAssembler(names);
    this.#callsInText = new CallsInText(request.toolChoice === "none" ? new Set() : names, toolsInText);
  }

  get endedEarly(): boolean {
    return this.#ownEnding !== null;
  }

  get hasFinishReason(): boolean {
    return this.#finish !== null;
  }

  /** Returns what the chunk adds to the answer. Calls are known at the end. */
  push(parts: ChunkParts): ChatDelta {
    this.#model ||= parts.model;
    this.#finish = parts.finish ?? this.#finish;
    if (parts.content !== "" || parts.reasoning !== "" || parts.calls.length > 0 || parts.finish !== null) this.hasBegun = true;
    this.#addUsage(parts.usage);
    const reasoned = this.#bounded(parts.reasoning);
    const { calls, ...spoken } = this.#text.push(this.#bounded(parts.content));
    const delta = this.#add(spoken.content, reasoned + spoken.reasoning);
    this.#addCalls([...parts.calls, ...calls]);
    this.#stopIfTooMuch();
    return delta;
  }

  end(): { delta: ChatDelta; reply: ChatReply } {
    const { calls, ...rest } = this.#text.end();
    this.#addCalls(calls);
    const delta = this.#add(rest.content, rest.reasoning);
    const split = splitAtClosingTag(this.#content);
    const said = this.#watches.content.shorten(split?.content ?? this.#content);
    const made = this.#endCalls();
    const finishReason = this.#finishReason(made);
    const written = finishReason === "stop" ? this.#callsInText.read(said) : null;
    const reply = {
      content: written === null ? said : "",
      reasoning: this.#watches.reasoning.shorten(this.#reasoning) + (split?.reasoning ?? ""),
      toolCalls: written ?? made,
      finishReason: written === null ? finishReason : "tool_calls",
      model: this.#model,
      usage: this.#counted(made),
    } as const;
    const content = written === null ? delta.content + this.#callsInText.end() : "";
    return { delta: { ...delta, content, toolCalls: reply.toolCalls }, reply };
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

  #add(content: string, reasoning: string): ChatDelta {
    this.#content += content;
    this.#reasoning += reasoning;
    this.#watches.content.push(content);
    this.#watches.reasoning.push(reasoning);
    return { content: this.#callsInText.push(content), reasoning, toolCalls: [] };
  }

  #addCalls(calls: readonly CallFragment[]): void {
    for (const fragment of calls) if (!this.#calls.tooMuch) this.#calls.push({ ...fragment, text: this.#bounded(fragment.text) });
    // A model may call a stop tool and then `ask_user`, so only the second call to a stop tool ends the answer.
    if (calls.length > 0 && secondStop(this.#calls.complete, this.#request.stopTools) >= 0) this.#ownEnding ??= "cut";
  }

  #bounded(text: string): string {
    const size = text.length + (WIDE - 1) * countWide(text);
    const share = Math.max(0, this.#room) / Math.max(size, 1);
    this.#room -= size;
    return share < 1 ? text.slice(0, share * text.length).replace(/[\ud800-\udbff]$/, "") : text;
  }

  #stopIfTooMuch(): void {
    if (Object.values(this.#watches).some(({ repeats }) => repeats)) this.#ownEnding ??= "repetition";
    else if (this.#calls.tooMuch || this.#room < 0) this.#ownEnding ??= "length";
  }

  #endCalls(): ModelToolCall[] {
    const calls = this.#calls.end(!this.endedEarly && this.#finish !== "length" && this.#finish !== "content_filter");
    const stop = secondStop(calls, this.#request.stopTools);
    if (stop < 0) return calls;
    this.#ownEnding = "cut";
    return calls.slice(0, stop).filter(({ arguments: text }) => isFields(parseJson(text)));
  }

  #finishReason(toolCalls: readonly ModelToolCall[]): FinishReason {
    const natural = toolCalls.length > 0 ? "tool_calls" : "stop";
    if (this.#ownEnding !== null) return this.#ownEnding;
    return this.#finish === "length" || this.#finish === "content_filter" ? this.#finish : natural;
  }

  /** The server has not counted all of an answer that ended early. */
  #counted(toolCalls: readonly ModelToolCall[]): TokenUsage {
    const output = this.#content + this.#reasoning + toolCalls.map((call) => call.name + call.arguments).join("");
    const estimate = { inputTokens: estimateInput(this.#request), outputTokens: estimateTokens(output), estimated: true };
    if (this.#usage === null || this.#usage.inputTokens === 0) return estimate;
    if (!this.endedEarly || this.#usage.outputTokens >= estimate.outputTokens) return this.#usage;
    return { ...estimate, inputTokens: this.#usage.inputTokens };
  }
}

/** The index of the second call to a tool that ends the loop; -1 if there is none. */
function secondStop(calls: readonly Omit<ModelToolCall, "id">[], stopTools: readonly string[]): number {
  const isStop = ({ name, arguments: text }: Omit<ModelToolCall, "id">): boolean =>
    stopTools.includes(name) && parseJson(text) !== undefined;
  const first = calls.findIndex(isStop);
  return calls.findIndex((call, at) => at > first && isStop(call));
}

import { countOf, type Fields, fieldsOf, isFields, listOf, textOf } from "../../util/json-fields.ts";
import { type CallFragment, spokenIn } from "../langchain-messages.ts";

/** A piece of a tool call in OpenAI's form. */
export interface CallPiece extends CallFragment {
  /** Fields that OpenAI's form does not have, such as `extra_content`. */
  readonly attached: Fields;
}

export interface OpenAiChunk {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly CallPiece[];
  readonly finish: string;
  readonly usage: Fields | null;
  readonly model: string;
  readonly error: Fields | null;
  readonly attached: Fields;
  /** Whether the chunk has a message in place of a piece of one. */
  readonly isMessage: boolean;
}

/** Reads one chunk of a stream, or a whole answer, of a server that speaks OpenAI's protocol in its own way. */
export function readOpenAiChunk(data: unknown): OpenAiChunk {
  const chunk = fieldsOf(data);
  const choice = fieldsOf(listOf(chunk["choices"]).find((one) => (countOf(fieldsOf(one)["index"]) ?? 0) === 0));
  const isMessage = !isFields(choice["delta"]) && isFields(choice["message"]);
  const message = fieldsOf(isMessage ? choice["message"] : choice["delta"]);
  const spoken = spokenIn(message["content"]);
  const legacy = isFields(message["function_call"]) ? [{ index: -1, function: message["function_call"] }] : [];
  return {
    content: spoken.content + textOf(message["refusal"]),
    // Some servers send the same text in both fields.
    reasoning: textOf(message["reasoning_content"]) || textOf(message["reasoning"]) || spoken.reasoning,
    calls: [...listOf(message["tool_calls"]), ...legacy].map(callPiece),
    finish: textOf(choice["finish_reason"]),
    usage: usageOf(chunk["usage"]) ?? usageOf(fieldsOf(chunk["x_groq"])["usage"]),
    model: textOf(chunk["model"]),
    error: errorOf(chunk["error"]) ?? errorOf(choice["error"]) ?? bareError(chunk),
    attached: without(message, SHOWN_FIELDS),
    isMessage,
  };
}

const SHOWN_FIELDS = ["role", "content", "refusal", "tool_calls", "function_call", "name", "annotations", "audio", "token_ids"];
const CALL_FIELDS = ["index", "id", "type", "function", "name", "arguments"];

/** What is left is what the provider attached: it may want it back. */
function without(fields: Fields, known: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => !known.includes(key) && value !== null && value !== ""));
}

function callPiece(raw: unknown): CallPiece {
  const call = fieldsOf(raw);
  // Some servers put the fields of `function` one level higher.
  const { name, arguments: args } = isFields(call["function"]) ? call["function"] : call;
  const sent = isFields(args) ? JSON.stringify(args) : textOf(args);
  return {
    index: countOf(call["index"]),
    id: textOf(call["id"]),
    name: textOf(name),
    text: sent,
    attached: without(call, CALL_FIELDS),
  };
}

function usageOf(value: unknown): Fields | null {
  const usage = fieldsOf(value);
  return countOf(usage["prompt_tokens"]) === null || countOf(usage["completion_tokens"]) === null ? null : usage;
}

/** An error that stands in place of a chunk: servers differ in its key. */
function bareError(chunk: Fields): Fields | null {
  if ("choices" in chunk || "usage" in chunk) return null;
  const said = ["detail", "message", "msg", "errors", "error_message"].find((key) => key in chunk);
  return said === undefined ? null : { ...chunk, message: textOf(chunk[said]) || JSON.stringify(chunk[said]) };
}

function errorOf(value: unknown): Fields | null {
  if (isFields(value)) return value;
  return typeof value === "string" && value !== "" ? { message: value } : null;
}

/** Removes what a stream's last chunk says again: some servers end with the whole message, after its pieces. */
export class RepeatedMessage {
  readonly #said = { content: "", reasoning: "", calls: new Map<string, string>() };
  #pieces = 0;

  unrepeated(parts: OpenAiChunk): OpenAiChunk {
    const ends = parts.isMessage || parts.finish !== "";
    if (this.#pieces > 0 && ends && this.#repeats(parts)) return { ...parts, content: "", reasoning: "", calls: [], attached: {} };
    this.#said.content += parts.content;
    this.#said.reasoning += parts.reasoning;
    for (const { id, text } of parts.calls) if (id !== "") this.#said.calls.set(id, text);
    if (parts.content !== "" || parts.reasoning !== "" || parts.calls.length > 0) this.#pieces += 1;
    return parts;
  }

  /** A message after pieces is always the same answer. A piece is, if it has all of it: a short one may be equal by chance. */
  #repeats({ isMessage, content, reasoning, calls }: OpenAiChunk): boolean {
    if (isMessage) return true;
    if (content === "" && calls.length === 0) return false;
    const { content: said, calls: made } = this.#said;
    const sameText = content === said && (reasoning === "" || reasoning === this.#said.reasoning);
    return sameText && calls.every(({ id }) => made.has(id)) && (calls.length > 0 || this.#pieces > 1);
  }
}

import { jsonrepair } from "jsonrepair";
import type { ChatDelta, ChatReply, ModelToolCall } from "../domain/chat.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { fieldsOf, isFields, listOf, textOf } from "./raw-json.ts";

/** Calls that stand in the content: as a server that knows no tools was told, or as templates of models have them. */

const MAX_CALLS = 32;
/** The most space before a text that is waited out. */
const MAX_SPACE = 1_000;
/** What stands before and after each call in the form of Hermes and Qwen. */
const OPENING = "<tool_call>";
const TAGGED = /^(?:\s*<tool_call>(?:(?!<tool_call>)[\s\S])*<\/tool_call>)+\s*$/;
const EACH = /<tool_call>\s*([\s\S]*?)\s*<\/tool_call>/g;

/** Whether a text that begins like this may turn out to be calls between tags, or JSON (`json`); null while that cannot be said. */
function mayBeCalls(beginning: string, { json }: { readonly json: boolean }): boolean | null {
  const text = beginning.trimStart();
  if (beginning.length > MAX_SPACE && text === "") return false;
  if (text.startsWith(OPENING)) return true;
  if (OPENING.startsWith(text) || (json && (text === "`" || text === "``"))) return null;
  return json && /^(?:[{[]|```)/.test(text);
}

/** The calls that a whole text asks for, as JSON in the form it was told or one near to it; null where it is no such text. */
function callsInText(text: string): ModelToolCall[] | null {
  if (TAGGED.test(text)) return callsInTags(text);
  const inside = /^\s*```[a-z]*\s*([\s\S]*?)\s*(?:```[\s\S]*)?$/i.exec(text)?.[1] ?? text;
  const value = repaired(inside);
  if (Array.isArray(value)) return callsOf(value);
  return callsOf(isFields(value) && !("tool_calls" in value) ? [value] : listOf(fieldsOf(value)["tool_calls"]));
}

/** The calls of a text that is nothing but `<tool_call>{…}</tool_call>`, once or more often; null where it is no such text. */
function callsInTags(text: string): ModelToolCall[] | null {
  if (!TAGGED.test(text)) return null;
  return callsOf([...text.matchAll(EACH)].map(([, inside = ""]) => repaired(inside)));
}

/** Null where one of them is none, or there are none. */
function callsOf(asked: readonly unknown[]): ModelToolCall[] | null {
  const calls = asked.slice(0, MAX_CALLS).map(callOf);
  const whole = calls.flatMap((call, at) => (call === null ? [] : [{ id: `call-${at + 1}`, ...call }]));
  return whole.length === 0 || whole.length < calls.length ? null : whole;
}

function callOf(value: unknown): Omit<ModelToolCall, "id"> | null {
  const call = isFields(fieldsOf(value)["function"]) ? fieldsOf(fieldsOf(value)["function"]) : fieldsOf(value);
  const name = textOf(call["name"]);
  if (name === "" || !("arguments" in call || "parameters" in call)) return null;
  const given = call["arguments"] ?? call["parameters"] ?? {};
  return { name, arguments: typeof given === "string" ? given : JSON.stringify(given) };
}

function repaired(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

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

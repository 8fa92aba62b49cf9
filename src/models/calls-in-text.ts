import { jsonrepair } from "jsonrepair";
import type { ModelToolCall } from "../domain/chat.ts";
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
export function mayBeCalls(beginning: string, { json }: { readonly json: boolean }): boolean | null {
  const text = beginning.trimStart();
  if (beginning.length > MAX_SPACE && text === "") return false;
  if (text.startsWith(OPENING)) return true;
  if (OPENING.startsWith(text) || (json && (text === "`" || text === "``"))) return null;
  return json && /^(?:[{[]|```)/.test(text);
}

/** The calls that a whole text asks for, as JSON in the form it was told or one near to it; null where it is no such text. */
export function callsInText(text: string): ModelToolCall[] | null {
  if (TAGGED.test(text)) return callsInTags(text);
  const inside = /^\s*```[a-z]*\s*([\s\S]*?)\s*(?:```[\s\S]*)?$/i.exec(text)?.[1] ?? text;
  const value = repaired(inside);
  if (Array.isArray(value)) return callsOf(value);
  return callsOf(isFields(value) && !("tool_calls" in value) ? [value] : listOf(fieldsOf(value)["tool_calls"]));
}

/** The calls of a text that is nothing but `<tool_call>{…}</tool_call>`, once or more often; null where it is no such text. */
export function callsInTags(text: string): ModelToolCall[] | null {
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

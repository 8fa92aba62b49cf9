import type { ModelToolCall } from "../../domain/chat.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { ToolCall } from "../../domain/tool.ts";

/** A call with its arguments as a value; what is not JSON stays the text it is, which no tool's schema takes. */
export function toToolCall({ id, name, arguments: text }: ModelToolCall): ToolCall {
  const value = parsed(text);
  // Some servers write the text of the object as a text once more.
  return { id, name, arguments: typeof value === "string" ? parsed(value) : value };
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

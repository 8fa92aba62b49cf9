import type { Body, NeutralMessage, NeutralRequest } from "../neutral.ts";
import { numberIn, objectIn, objectsIn, stringIn, textIn } from "../values.ts";

/** Reads a request for a message. */
export function readMessages(body: Body): NeutralRequest {
  const format = objectIn(objectIn(body["output_config"])["format"]);
  return {
    model: stringIn(body["model"]),
    system:
      typeof body["system"] === "string"
        ? body["system"]
        : objectsIn(body["system"])
            .map(({ text }) => stringIn(text))
            .join("\n\n"),
    messages: objectsIn(body["messages"]).flatMap(readMessage),
    tools: objectsIn(body["tools"]).map(({ name, description, input_schema: schema }) => ({
      name: stringIn(name),
      description: stringIn(description),
      schema: objectIn(schema),
    })),
    schema: format["type"] === "json_schema" ? objectIn(format["schema"]) : null,
    schemaName: null,
    maxTokens: numberIn(body["max_tokens"]),
    stream: body["stream"] === true,
    body,
  };
}

/** Returns the blocks of a content; a string is one block of text. */
export const blocksOf = (content: unknown): Body[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);

/** Each result is a message of its own, before the text of its message. */
function readMessage({ role, content }: Body): NeutralMessage[] {
  const blocks = blocksOf(content);
  const results = blocks.filter(({ type }) => type === "tool_result");
  const text = textIn(blocks.filter(({ type }) => type === "text"));
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id, name, input }) => ({ id: stringIn(id), name: stringIn(name), args: input }));
  const told: NeutralMessage[] = results.map((result) => ({
    role: "tool",
    text: textIn(result["content"]),
    calls: [],
    callId: stringIn(result["tool_use_id"]),
  }));
  if (text === "" && results.length > 0) return told;
  return [...told, { role: role === "assistant" ? "assistant" : "user", text, calls, callId: null }];
}

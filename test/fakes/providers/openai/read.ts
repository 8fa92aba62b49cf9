import type { Body, NeutralMessage, NeutralRequest } from "../neutral.ts";
import { numberIn, objectIn, objectsIn, parsedOrText, stringIn, textIn } from "../values.ts";

/** Reads a chat completion request. */
export function readChat(body: Body): NeutralRequest {
  const messages = objectsIn(body["messages"]);
  const format = objectIn(body["response_format"]);
  const asked = objectIn(format["json_schema"]);
  return {
    model: stringIn(body["model"]),
    system: messages
      .filter(isSystem)
      .map(({ content }) => textIn(content))
      .join("\n\n"),
    messages: messages.filter((message) => !isSystem(message)).map(readMessage),
    tools: objectsIn(body["tools"]).map(({ function: tool }) => {
      const { name, description, parameters } = objectIn(tool);
      return { name: stringIn(name), description: stringIn(description), schema: objectIn(parameters) };
    }),
    schema: format["type"] === "json_schema" ? objectIn(asked["schema"]) : null,
    schemaName: typeof asked["name"] === "string" ? asked["name"] : null,
    maxTokens: numberIn(body["max_completion_tokens"] ?? body["max_tokens"]),
    stream: body["stream"] === true,
    body,
  };
}

/** Returns the messages from the last one of the user on: the turn that is going on. */
export function currentTurn(messages: readonly Body[]): Body[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
}

const isSystem = ({ role }: Body) => role === "system" || role === "developer";

function readMessage({ role, content, tool_calls: calls, tool_call_id: callId }: Body): NeutralMessage {
  return {
    role: role === "assistant" || role === "tool" ? role : "user",
    text: textIn(content),
    calls: objectsIn(calls).map(({ id, function: called }) => {
      const { name, arguments: args } = objectIn(called);
      return { id: stringIn(id), name: stringIn(name), args: typeof args === "string" ? parsedOrText(args) : args };
    }),
    callId: typeof callId === "string" ? callId : null,
  };
}

import type { Body, NeutralMessage, NeutralRequest } from "../neutral.ts";
import { numberIn, objectIn, objectsIn, stringIn } from "../values.ts";

/** Reads a chat request. A result has no id of a call: the name of its tool stands for it, if it is told. */
export function readOllama(body: Body): NeutralRequest {
  const messages = objectsIn(body["messages"]);
  const { format } = body;
  return {
    model: stringIn(body["model"]),
    system: messages
      .filter(({ role }) => role === "system")
      .map(({ content }) => stringIn(content))
      .join("\n\n"),
    messages: messages.filter(({ role }) => role !== "system").map(readMessage),
    tools: objectsIn(body["tools"]).map(({ function: tool }) => {
      const { name, description, parameters } = objectIn(tool);
      return { name: stringIn(name), description: stringIn(description), schema: objectIn(parameters) };
    }),
    schema: typeof format === "object" && format !== null ? objectIn(format) : null,
    schemaName: null,
    maxTokens: numberIn(objectIn(body["options"])["num_predict"]),
    stream: body["stream"] !== false,
    body,
  };
}

function readMessage({ role, content, tool_calls: calls, tool_name: name }: Body): NeutralMessage {
  return {
    role: role === "assistant" || role === "tool" ? role : "user",
    text: stringIn(content),
    calls: objectsIn(calls).map(({ id, function: called }) => {
      const { name: tool, arguments: args } = objectIn(called);
      return { id: typeof id === "string" ? id : null, name: stringIn(tool), args };
    }),
    callId: typeof name === "string" ? name : null,
  };
}

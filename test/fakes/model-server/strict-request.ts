import { firstOf, invalid, type Refusal } from "./refusal.ts";
import { historyFault } from "./strict-history.ts";

type Body = Readonly<Record<string, unknown>>;

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns why OpenAI's server would refuse the request with 400 before it asks a model; undefined if it would not. */
export function requestFault(body: Body): Refusal | undefined {
  if (typeof body["model"] !== "string" || body["model"] === "") return invalid("You must provide a model parameter.", "model");
  const messages = body["messages"];
  if (!Array.isArray(messages) || messages.length === 0)
    return invalid("'messages' must be an array with at least one message.", "messages");
  return firstOf([historyFault(messages), toolsFault(body), formatFault(body), streamFault(body)]);
}

function toolsFault(body: Body): Refusal | undefined {
  const tools = body["tools"];
  if (tools === undefined) {
    const stray = ["tool_choice", "parallel_tool_calls"].find((key) => body[key] !== undefined);
    return stray === undefined ? undefined : invalid(`'${stray}' is only allowed when 'tools' are specified.`, stray);
  }
  if (!Array.isArray(tools) || tools.length === 0) return invalid("'tools' must be an array with at least one tool.", "tools");
  return firstOf(tools.map((tool, at) => toolFault(tool, `tools[${at}]`)));
}

function toolFault(tool: { type?: unknown; function?: Body }, at: string): Refusal | undefined {
  if (tool.type !== "function" || tool.function === undefined) return invalid(`'${at}' must be of type 'function'.`, `${at}.type`);
  const { name, parameters } = tool.function;
  if (typeof name !== "string" || !NAME.test(name)) return invalid(`The name in '${at}' must match ${NAME.source}.`, `${at}.function.name`);
  if (typeof parameters === "object" && parameters !== null && !Array.isArray(parameters)) return undefined;
  return invalid(`The parameters in '${at}' must be a JSON schema object.`, `${at}.function.parameters`, "invalid_function_parameters");
}

function formatFault(body: Body): Refusal | undefined {
  const format = body["response_format"] as { type?: unknown; json_schema?: Body } | undefined;
  if (format?.type === "json_object" && !/json/i.test(JSON.stringify(body["messages"])))
    return invalid("'messages' must contain the word 'json' for a 'response_format' of type 'json_object'.", "messages");
  if (format?.type !== "json_schema") return undefined;
  const { name, schema } = format.json_schema ?? {};
  if (typeof name !== "string" || !NAME.test(name))
    return invalid(`The name of the schema must match ${NAME.source}.`, "response_format.json_schema.name");
  if (typeof schema === "object" && schema !== null) return undefined;
  return invalid("The schema is missing.", "response_format.json_schema.schema", "missing_required_parameter");
}

function streamFault(body: Body): Refusal | undefined {
  if (body["stream_options"] === undefined || body["stream"] === true) return undefined;
  return invalid("'stream_options' is only allowed when 'stream' is enabled.", "stream_options");
}

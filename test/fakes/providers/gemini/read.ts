import type { Body, NeutralMessage, NeutralRequest } from "../neutral.ts";
import type { Asking } from "../provider.ts";
import { numberIn, objectIn, objectsIn, stringIn } from "../values.ts";

/** The model and the method in a path. */
export const PATH = /^\/v1(?:beta)?\/models\/([^:]+):(generateContent|streamGenerateContent)$/;

/** Reads a request for content. Calls have no ids: their name stands for them. */
export function readContents({ path, body }: Asking): NeutralRequest {
  const [, model = "", method = ""] = PATH.exec(path) ?? [];
  const config = objectIn(body["generationConfig"]);
  const schema = config["responseJsonSchema"] ?? config["responseSchema"];
  return {
    model,
    system: objectsIn(objectIn(body["systemInstruction"] ?? body["system_instruction"])["parts"])
      .map(({ text }) => stringIn(text))
      .join("\n\n"),
    messages: objectsIn(body["contents"]).flatMap(readContent),
    tools: declarationsIn(body).map(({ name, description, parameters, parametersJsonSchema }) => ({
      name: stringIn(name),
      description: stringIn(description),
      schema: objectIn(parameters ?? parametersJsonSchema),
    })),
    schema: schema === undefined ? null : objectIn(schema),
    schemaName: null,
    maxTokens: numberIn(config["maxOutputTokens"]),
    stream: method === "streamGenerateContent",
    body,
  };
}

/** Returns the declared functions of all tools. */
export const declarationsIn = (body: Body): Body[] =>
  objectsIn(body["tools"]).flatMap((tool) => objectsIn(tool["functionDeclarations"] ?? tool["function_declarations"]));

/** Returns the parts of a content. */
export const partsIn = (content: Body | undefined): Body[] => objectsIn(content?.["parts"]);

function readContent(content: Body): NeutralMessage[] {
  const parts = partsIn(content);
  const told = parts
    .filter((part) => part["functionResponse"] !== undefined)
    .map(({ functionResponse: response }) => readResponse(objectIn(response)));
  const text = parts
    .filter((part) => part["thought"] !== true)
    .map((part) => stringIn(part["text"]))
    .join("");
  const calls = parts
    .filter((part) => part["functionCall"] !== undefined)
    .map(({ functionCall: call }) => ({ id: null, name: stringIn(objectIn(call)["name"]), args: objectIn(call)["args"] }));
  if (text === "" && told.length > 0) return told;
  return [...told, { role: content["role"] === "model" ? "assistant" : "user", text, calls, callId: null }];
}

function readResponse({ name, response }: Body): NeutralMessage {
  const { result } = objectIn(response);
  return { role: "tool", text: typeof result === "string" ? result : JSON.stringify(response), calls: [], callId: stringIn(name) };
}

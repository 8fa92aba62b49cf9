import type { Told } from "../../model-server/behavior.ts";
import { invalid, type Refusal } from "../../model-server/refusal.ts";
import { requestFault } from "../../model-server/strict-request.ts";
import { orderFault } from "../mistral/order.ts";
import type { Body } from "../neutral.ts";
import { objectIn, objectsIn, signatureOf, stringIn } from "../values.ts";
import { fieldFault } from "./fields.ts";
import { type Flavour, plainError } from "./flavour.ts";
import { currentTurn } from "./read.ts";

export const OPENAI: Flavour = {
  name: "openai",
  faultOf: (body) => requestFault(body) ?? fieldFault(body),
  errorBody: plainError,
};

/** A server that takes whatever has OpenAI's form. */
export const COMPATIBLE: Flavour = { name: "compatible", faultOf: () => undefined, errorBody: plainError };

/** Gemini's OpenAI endpoint: the first call of each message in the current turn must come back with its signature. */
export const GEMINI_ENDPOINT: Flavour = {
  name: "gemini",
  faultOf(body) {
    const bare = currentTurn(objectsIn(body["messages"]))
      .map(({ tool_calls: calls }) => objectsIn(calls)[0])
      .find((call) => call !== undefined && signatureIn(call) === "");
    if (bare === undefined) return undefined;
    const name = stringIn(objectIn(bare["function"])["name"]);
    return invalid(`A functionCall part has lost its thought_signature. Function call \`default_api:${name}\`.`);
  },
  errorBody: ({ status, error }) => [{ error: { code: status, message: error.message, status: "INVALID_ARGUMENT" } }],
  decorate: (chunk) => withCalls(chunk, signed),
};

/** DeepSeek: reasoning beside a call must come back in the current turn. */
export const DEEPSEEK: Flavour = {
  name: "deepseek",
  faultOf(body) {
    if (silentCallAt(body) === -1) return undefined;
    return invalid("In thinking mode, `reasoning_content` has to be passed back.", null, "invalid_request_error");
  },
  errorBody: plainError,
};

/** Kimi: the same, in other words. */
export const KIMI: Flavour = {
  name: "kimi",
  faultOf(body) {
    const at = silentCallAt(body);
    return at === -1
      ? undefined
      : invalid(`thinking is on, but reasoning_content is missing in the assistant's tool call message at index ${at}`);
  },
  errorBody: ({ error }) => ({ error: { message: error.message, type: error.type } }),
};

/** A chat template of Mistral's on someone else's server. */
export const MISTRAL_ROLES: Flavour = {
  name: "mistral-roles",
  faultOf(body) {
    const fault = orderFault(objectsIn(body["messages"]).map(({ role }) => stringIn(role)));
    return fault === undefined ? undefined : invalid(fault);
  },
  errorBody: ({ error }) => ({ object: "error", message: error.message, type: "invalid_request_message_order", param: null, code: "3230" }),
};

/** Bedrock behind LiteLLM: a history with calls needs `tools`. */
export const LITELLM_BEDROCK: Flavour = {
  name: "litellm-bedrock",
  faultOf(body) {
    const called = objectsIn(body["messages"]).some(({ role, tool_calls: calls }) => role === "tool" || objectsIn(calls).length > 0);
    if (!called || objectsIn(body["tools"]).length > 0) return undefined;
    return invalid("litellm.UnsupportedParamsError: Bedrock takes no tool calls in messages without the `tools=` param.");
  },
  errorBody: ({ status, error }) => ({ error: { message: error.message, type: null, param: null, code: String(status) } }),
};

/** LM Studio: JSON without a schema is no format that it knows. */
export const LM_STUDIO: Flavour = {
  name: "lm-studio",
  faultOf(body) {
    const { type } = objectIn(body["response_format"]);
    return type === "json_object" ? invalid("'response_format.type' has to be 'json_schema' or 'text'") : undefined;
  },
  errorBody: ({ error }) => ({ error: error.message }),
};

/** gpt-oss on vLLM: tokens of its channels stick to names and texts. */
export const GPT_OSS: Flavour = {
  name: "gpt-oss",
  faultOf: () => undefined,
  errorBody: ({ status, error }) => ({ error: { message: error.message, type: "BadRequestError", param: null, code: status } }),
  tell: (told: Told): Told => ({
    ...told,
    reasoningIn: told.reasoningIn ?? "reasoning",
    ...(told.kind === "text" ? { text: `<|channel|>final<|message|>${told.text}` } : { calls: told.calls.map(inChannel) }),
  }),
};

const inChannel = <Call extends { readonly name: string }>(call: Call): Call => ({ ...call, name: `${call.name}<|channel|>commentary` });

/** Returns where in the current turn an assistant has calls but no reasoning; -1 if nowhere. */
function silentCallAt(body: Body): number {
  const messages = objectsIn(body["messages"]);
  const turn = new Set(currentTurn(messages));
  return messages.findIndex(
    (message) => turn.has(message) && objectsIn(message["tool_calls"]).length > 0 && typeof message["reasoning_content"] !== "string",
  );
}

const signatureIn = (call: Body): string => stringIn(objectIn(objectIn(call["extra_content"])["google"])["thought_signature"]);

/** Only the first call of a message is signed. */
const signed = (call: Body, at: number): Body =>
  at > 0 || call["id"] === undefined
    ? call
    : { ...call, extra_content: { google: { thought_signature: signatureOf("gemini", stringIn(call["id"])) } } };

/** Returns a chunk or a completion with changed calls. */
function withCalls(chunk: Body, change: (call: Body, at: number) => Body): Body {
  const choices = objectsIn(chunk["choices"]).map((choice) => {
    const key = choice["delta"] === undefined ? "message" : "delta";
    const message = objectIn(choice[key]);
    const calls = message["tool_calls"];
    if (calls === undefined) return choice;
    return { ...choice, [key]: { ...message, tool_calls: objectsIn(calls).map((call, at) => change(call, Number(call["index"] ?? at))) } };
  });
  return { ...chunk, choices };
}

/** Returns a refusal with another status. */
export const withStatus = (refusal: Refusal, status: number): Refusal => ({ ...refusal, status });

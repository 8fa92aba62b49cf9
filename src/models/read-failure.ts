import { DossierError, toDossierError } from "../errors.ts";
import { alternatives } from "../util/alternatives.ts";
import { type Fields, fieldsOf, parseJson, textOf } from "../util/json-fields.ts";
import { maskValues } from "../util/mask-values.ts";
import type { ModelEndpoint } from "./completions-client.ts";

const MAX_MESSAGE = 300;
const PASSING = new Set([408, 409, 425, 429]);
const TOO_LONG = new RegExp(
  alternatives(`
    context_length_exceeded|maximum context|context (?:length|window|size)|exceeds? the (?:available )?context
    (?:prompt|input) (?:is )?too long|too many (?:input )?tokens|longer than the (?:model|context)
    max_model_len|exceed_context_size`),
  "i",
);
/** The request was correct, but the model wrote a tool call that the server could not parse. */
const BAD_CALL = /tool_use_failed|failed_generation/i;
const WITHOUT_CONNECTION = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_FAIL"],
  ...["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"],
]);
const NO_MONEY = /insufficient[_ ](?:quota|balance|credits?|funds)|exceeded your current quota|payment required/i;

interface ServerError {
  readonly status: number;
  readonly message: string;
  readonly text: string;
}

export function serverErrorOf(status: number, body: string): ServerError {
  const fields = fieldsOf(parseJson(body));
  const error = fieldsOf(fields["error"]);
  const words = [error["message"], fields["error"], fields["message"], fields["detail"], fieldsOf(error["metadata"])["raw"]].map(textOf);
  const plain = /<html|<!doctype/i.test(body) ? "a web page" : body;
  return { status, message: words.filter((one) => one !== "").join(": ") || plain, text: body };
}

export function streamErrorOf(error: Fields): ServerError {
  const text = JSON.stringify(error);
  const codes = [error["status_code"], error["status"], error["code"]].map(Number);
  const status = codes.find((code) => Number.isInteger(code) && code >= 400 && code < 600);
  return { status: status ?? statusInWords(text), message: textOf(error["message"]) || text, text };
}

function statusInWords(text: string): number {
  if (/rate_?limit|too many requests/i.test(text)) return 429;
  if (/invalid_request|invalid_prompt|BadRequest/i.test(text)) return 400;
  return 503;
}

/** Returns `model_unavailable` if another try may help, and `blocked` if the server refused the key. */
export function failureOf(complaint: ServerError, endpoint: ModelEndpoint, model: string): DossierError {
  const { status, text } = complaint;
  const words = excerpt(complaint.message, endpoint.apiKey);
  const host = new URL(endpoint.baseUrl).host;
  const refused = (why: string) => new DossierError("model_refused", `The model's server at ${host} ${why} It said: ${words}`);
  if (TOO_LONG.test(text) && (status === 400 || status === 413 || status === 422 || status === 500))
    return new DossierError(
      "context_too_large",
      `The conversation is too large for ${model}: ${words} Set MODEL_CONTEXT_TOKENS to the model's context size, and lower MODEL_MAX_OUTPUT_TOKENS.`,
    );
  if (BAD_CALL.test(text))
    return new DossierError(
      "model_output",
      `The model called a tool in a form that its server at ${host} could not read. It said: ${words}`,
    );
  if (status === 402 || (status === 429 && NO_MONEY.test(text)))
    return refused("refused the call: the account of OPENAI_API_KEY has no credit left.");
  if (PASSING.has(status) || status >= 500)
    return new DossierError("model_unavailable", `The model's server at ${host} answered ${status}: ${words}`);
  if (status === 401) return new DossierError("blocked", refused(`did not accept the key (${status}); check OPENAI_API_KEY.`).message);
  if (status === 403) return refused(`did not accept the key (${status}); check OPENAI_API_KEY.`);
  if (status === 404) return refused(`does not know the model ${model} or the address (404); check OPENAI_MODEL and OPENAI_BASE_URL.`);
  if (status < 400) return refused(`answered ${status} where an answer of a model was expected; check OPENAI_BASE_URL.`);
  return refused(`did not accept the request (${status}); check OPENAI_MODEL, or use another model.`);
}

export function connectionFailure(error: unknown, endpoint: ModelEndpoint): DossierError {
  if (error instanceof DossierError && error.code !== "unreachable" && error.code !== "timeout") return error;
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) return toDossierError(error);
  const host = new URL(endpoint.baseUrl).host;
  const why = excerpt(wordsOf(error), endpoint.apiKey);
  return new DossierError(
    "model_unavailable",
    `The connection to the model's server at ${host} failed: ${why} Check that it runs and that OPENAI_BASE_URL is right.`,
    { cause: error },
  );
}

export function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && WITHOUT_CONNECTION.has(String(error.code))) || isUnreached(error.cause);
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DossierError) return error.message;
  const deepest = error.cause instanceof Error ? wordsOf(error.cause) : "";
  return deepest || error.message || error.name;
}

/** Returns the beginning of a server's message on one line, and masks everything that looks like a key. */
export function excerpt(text: string, key: string | undefined): string {
  const ours = maskValues(text, key !== undefined && key.length > 3 ? [key] : []);
  const masked = ours.replace(/\b(?:sk|gsk|pk|key)-[\w*-]{6,}/g, "***").replace(/(Bearer )\S+/g, "$1***");
  const line = masked.replace(/\s+/g, " ").trim();
  const short = line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE - 1).toWellFormed()}…`;
  return /[.!?…。！？]$/.test(short) ? short : `${short}.`;
}

import { DossierError, toDossierError } from "../errors.ts";
import { type Fields, fieldsOf, isFields, parseJson, textOf } from "../util/json-fields.ts";
import { maskValues } from "../util/mask-values.ts";
import type { ModelEndpoint, Refusal } from "./exchange.ts";
import type { SizeLimit } from "./sizes.ts";

const MAX_MESSAGE = 300;
const PASSING = new Set([0, 408, 409, 425, 429]);
const WITHOUT_CONNECTION = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_FAIL"],
  ...["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"],
]);
/** OpenAI's code for an account without credit, whose status is that of too many requests. */
const NO_CREDIT = "insufficient_quota";

/** Where a call went: the settings' names begin with `variable`. */
interface Asked {
  readonly endpoint: ModelEndpoint;
  readonly model: string;
  readonly provider: { readonly variable: string };
}

/** The refusal in the error of a class, whose status is 0 if it names none, as in the middle of a stream. */
export function refusalOf(error: unknown): Refusal {
  const fields = error instanceof Error ? (error as unknown as Fields) : {};
  const http = fieldsOf(fields["$metadata"])["httpStatusCode"];
  const status = [fields["status"], fields["statusCode"], fields["status_code"], http].find((one) => Number.isInteger(one));
  const message = error instanceof Error ? error.message : String(error);
  return { status: Number(status ?? 0), headers: new Headers(), body: JSON.stringify({ error: { message } }) };
}

/** The refusal in the last line of an answer, in any protocol. Null if it is none. */
export function refusalIn(line: string): Refusal | null {
  const body = line.replace(/^data: ?/, "");
  const fields = fieldsOf(parseJson(body));
  const { error = fields["message"] } = fields;
  if (!isFields(error) && typeof error !== "string") return null;
  return isFields(fields["message"]) ? null : { status: statusOf(isFields(error) ? error : fields), headers: new Headers(), body };
}

/** The status that an error in an answer names; 0 if it names none. */
export function statusOf(error: Fields): number {
  const codes = [error["status_code"], error["status"], error["code"]].map(Number);
  return codes.find((code) => Number.isInteger(code) && code >= 400 && code < 600) ?? 0;
}

function wordsIn(body: string): string {
  const parsed = parseJson(body);
  const fields = fieldsOf(Array.isArray(parsed) ? parsed[0] : parsed);
  const error = fieldsOf(fields["error"]);
  const words = [error["message"], fields["error"], fields["message"], fields["detail"], fieldsOf(error["metadata"])["raw"]].map(textOf);
  const plain = /<html|<!doctype/i.test(body) ? "a web page" : body;
  return words.filter((one) => one !== "").join(": ") || plain;
}

/** Returns `model_unavailable` if another try may help, and `blocked` if the server refused the key. */
export function failureOf(
  refusal: Refusal,
  { endpoint, model, provider: { variable } }: Asked,
  size: SizeLimit | null = null,
): DossierError {
  const { status, body } = refusal;
  const words = excerpt(wordsIn(body), endpoint.apiKey);
  const host = new URL(endpoint.baseUrl).host;
  const { code, ...error } = fieldsOf(fieldsOf(parseJson(body))["error"]);
  const refused = (why: string) => new DossierError("model_refused", `The model's server at ${host} ${why} It said: ${words}`);
  if (size?.of === "context") return contextTooLarge(`The prompt is too large for ${model}: ${words}`, size.tokens);
  // The request was correct, but the model wrote a tool call that the server could not parse, and shows.
  const unread = `The model called a tool in a form that its server at ${host} could not read. It said: ${words}`;
  if ("failed_generation" in error) return new DossierError("model_output", unread);
  if (status === 402 || code === NO_CREDIT) return refused(`refused the call: the account of ${variable}_API_KEY has no credit left.`);
  if (PASSING.has(status) || status >= 500)
    return new DossierError("model_unavailable", `The model's server at ${host} answered ${status || "an error"}: ${words}`);
  if (status === 401) return new DossierError("blocked", refused(`did not accept the key (${status}); check ${variable}_API_KEY.`).message);
  if (status === 403) return refused(`did not accept the key (${status}); check ${variable}_API_KEY.`);
  if (status === 404)
    return refused(`does not know the model ${model} or the address (404); check the model's name and ${variable}_BASE_URL.`);
  if (status < 400) return refused(`answered ${status} where an answer of a model was expected; check ${variable}_BASE_URL.`);
  return refused(`did not accept the request (${status}) in any form that Dossier knows.`);
}

/** `limit` is the size of the context, if it is known. */
export function contextTooLarge(why: string, limit: number | null): DossierError {
  const advice = "MODEL_CONTEXT_TOKENS sets the size of the model's context.";
  return new DossierError("context_too_large", `${why} ${advice}`, { ...(limit !== null && { limitTokens: limit }) });
}

export function connectionFailure(error: unknown, endpoint: ModelEndpoint, variable = "OPENAI"): DossierError {
  if (error instanceof DossierError && error.code !== "unreachable" && error.code !== "timeout") return error;
  if (isFault(error)) return toDossierError(error);
  const host = new URL(endpoint.baseUrl).host;
  const why = excerpt(wordsOf(error), endpoint.apiKey);
  return new DossierError(
    "model_unavailable",
    `The connection to the model's server at ${host} failed: ${why} Check that it runs and that ${variable}_BASE_URL is right.`,
    { cause: error },
  );
}

/** Whether the error is one of a program. The TypeError of a `fetch` that failed has a cause. */
function isFault(error: unknown): boolean {
  if (error instanceof TypeError) return error.cause === undefined;
  return error instanceof RangeError || error instanceof ReferenceError;
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

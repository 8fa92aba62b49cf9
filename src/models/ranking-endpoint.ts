import { codeOfStatus } from "../domain/failures.ts";
import { DossierError, toDossierError } from "../errors.ts";

/** More than 32 vectors of 8,192 numbers, or than scores with their texts, ever take. */
const MAX_BYTES = 8_000_000;
const MAX_SAID = 200;

/** Sends a request to the configured server, and nowhere else; follows no redirect. */
type SemanticFetch = (
  url: string,
  request: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/** A server that scores or embeds texts. */
export interface SemanticEndpoint {
  /** What stands before `/rerank` or `/embeddings`, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Left out of requests where it is not set: some servers have one model only. */
  readonly model?: string | undefined;
  /** The setting that names the server, for messages. */
  readonly setting: string;
  readonly fetch: SemanticFetch;
}

/** What a server answered, whole. */
export interface SemanticAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Posts `body` as JSON to `path` below the base URL and reads the answer, of whatever status, up to 8 MB.
 * @throws DossierError with a code of the ledger; the reason of the signal
 */
export async function post(endpoint: SemanticEndpoint, path: string, body: object, signal: AbortSignal): Promise<SemanticAnswer> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(endpoint.apiKey !== undefined && { authorization: `Bearer ${endpoint.apiKey}` }),
  };
  const url = `${endpoint.baseUrl.replace(/\/+$/, "")}/${path}`;
  const sent = { ...(endpoint.model !== undefined && { model: endpoint.model }), ...body };
  try {
    const response = await endpoint.fetch(url, { method: "POST", headers, body: JSON.stringify(sent), signal });
    return { status: response.status, text: await readText(response, hostOf(endpoint)) };
  } catch (error) {
    signal.throwIfAborted();
    const cause = toDossierError(error);
    // A connection that breaks in the middle of an answer has an error of the system's own.
    if (cause.code !== "internal") throw cause;
    throw new DossierError("unreachable", `The connection to ${hostOf(endpoint)} broke off: ${cause.message}`, { cause });
  }
}

async function readText(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new DossierError("document_too_large", `${host} sent more than ${MAX_BYTES} bytes; the answer was not read to its end.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * The JSON of an answer.
 * @throws DossierError with a code of the ledger for a status other than 200 to 299, `unreadable` for what is no JSON
 */
export function jsonOf(answer: SemanticAnswer, endpoint: SemanticEndpoint): unknown {
  const { status, text } = answer;
  if (status < 200 || status >= 300) throw refusalOf(answer, endpoint);
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(endpoint, `is no JSON: ${saidBy(text, endpoint)}`);
  }
}

/** What a status that is no success means; with the first words of what the server said, without our key. */
function refusalOf({ status, text }: SemanticAnswer, endpoint: SemanticEndpoint): DossierError {
  const { setting } = endpoint;
  const ways: Readonly<Record<number, string>> = {
    401: ` Check ${setting}_API_KEY.`,
    403: ` Check ${setting}_API_KEY.`,
    404: ` ${setting}_BASE_URL must be what stands before /${setting.toLowerCase()}; check ${setting}_MODEL too.`,
  };
  const said = saidBy(text, endpoint);
  return new DossierError(codeOfStatus(status, "blocked"), `${hostOf(endpoint)} answered ${status}: ${said}${ways[status] ?? ""}`);
}

/** For an answer that is not what was asked for; `why` goes on after "The answer of HOST". */
export function unreadable(endpoint: SemanticEndpoint, why: string): DossierError {
  return new DossierError("unreadable", `The answer of ${hostOf(endpoint)} ${why}`);
}

/** The first words of what a server said, on one line, without our key, with a full stop. */
export function saidBy(text: string, { apiKey }: SemanticEndpoint): string {
  if (/<html|<!doctype/i.test(text.slice(0, 2_000))) return "a web page.";
  const masked = apiKey !== undefined && apiKey.length > 3 ? text.replaceAll(apiKey, "***") : text;
  const line = masked
    .slice(0, MAX_SAID * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (line === "") return "nothing.";
  if (line.length > MAX_SAID) return `${line.slice(0, MAX_SAID - 1).toWellFormed()}…`;
  return /[.!?。！？]$/.test(line) ? line : `${line}.`;
}

function hostOf({ baseUrl }: SemanticEndpoint): string {
  return new URL(baseUrl).host;
}

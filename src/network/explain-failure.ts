import { errors } from "undici";
import { DossierError } from "../errors.ts";

const UNRESOLVED = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_FAIL"]);
const SLOW = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];
/** Why nothing came, in words; any other code speaks for itself. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refuses connections",
  ECONNRESET: "it broke off the connection",
  UND_ERR_SOCKET: "it broke off the connection",
  EPIPE: "it broke off the connection",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  UND_ERR_HEADERS_OVERFLOW: "its headers are too long",
};

/** What went wrong with a request, as an error of ours; one that is hidden among the causes is given back as it is. */
export function explainFailure(error: unknown, host: string): DossierError {
  const all = causes(error);
  const ours = all.find((cause) => cause instanceof DossierError);
  if (ours !== undefined) return ours;
  const codes = all.flatMap((cause) => (cause instanceof Error && "code" in cause && cause.code !== undefined ? [String(cause.code)] : []));
  const options = { cause: error };
  if (all.some((cause) => SLOW.some((kind) => cause instanceof kind)) || codes.includes("ETIMEDOUT")) {
    return new DossierError("timeout", `${host} did not answer in time.`, options);
  }
  const [code = "no reason given"] = codes;
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING|BROTLI)/.test(code)) {
    return new DossierError("unreadable", `${host} sent a body that cannot be decompressed.`, options);
  }
  if (all.some((cause) => cause instanceof errors.HTTPParserError))
    return new DossierError("unreadable", `${host} sent an answer that is not HTTP.`, options);
  const why = UNRESOLVED.has(code) ? "its name could not be resolved" : (WORDS[code] ?? code);
  return new DossierError("unreachable", `${host} could not be reached (${why}).`, options);
}

/** An error with the errors that it hides. */
function causes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error];
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error, ...inner.flatMap(causes)];
}

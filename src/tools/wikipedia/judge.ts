import { DossierError, type ErrorCode } from "../../errors.ts";
import type { Judge } from "../services/service-client.ts";
import { ErrorAnswerSchema } from "./schema.ts";

/** Codes of the API, https://www.mediawiki.org/wiki/API:Errors_and_warnings; those of the search begin with `cirrussearch`. */
const CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(?:maxlag|ratelimited|actionthrottledtext|cirrussearch-too-busy-error)/, "rate_limited"],
  [/^(?:blocked|autoblocked|readapidenied|permissiondenied|assert)/, "blocked"],
  [/^(?:readonly|internal_api_error|cirrussearch|search-error|srsearch-error)/, "unreachable"],
];

/** An error comes with status 200 and its name in the body. */
export const judge: Judge = ({ text }) => {
  if (!text.trimStart().startsWith("{")) return null;
  const error = ErrorAnswerSchema.safeParse(parse(text)).data?.error;
  if (error === undefined) return null;
  const code = CODES.find(([pattern]) => pattern.test(error.code))?.[1] ?? "unreadable";
  return new DossierError(code, `wikipedia answered ${error.code}: ${(error.info ?? "no reason given").slice(0, 200)}`);
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import { DossierError, type ErrorCode } from "../errors.ts";

/** What Fastify and its plugins say, in our words. Their own texts are not part of the contract. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ["invalid_request", "The path of the request is not valid percent-encoded UTF-8."],
  FST_ERR_MAX_PARAM_LENGTH: ["not_found", "There is nothing at this address: a part of its path is too long for any name."],
  FST_ERR_CTP_BODY_TOO_LARGE: ["too_large", "The body is larger than this server reads."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send the body as application/json."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_request", "The body is not as long as Content-Length says."],
};

/**
 * The error of the catalogue that stands for `error`. Anything unknown is `internal` with the original as its cause;
 * what a framework blames on the client (a 4xx status) stays the client's.
 */
export function asDossierError(error: unknown): DossierError {
  if (error instanceof DossierError) return error;
  const { code, statusCode } = traitsOf(error);
  const known = Object.hasOwn(FRAMEWORK_ERRORS, code) ? FRAMEWORK_ERRORS[code] : undefined;
  if (known !== undefined) return new DossierError(known[0], known[1], { cause: error });
  if (statusCode === 404) return new DossierError("not_found", "There is nothing at this address.", { cause: error });
  if (statusCode >= 400 && statusCode < 500) {
    return new DossierError("invalid_request", "The request could not be understood.", { cause: error });
  }
  return new DossierError("internal", "Unexpected failure of a request.", { cause: error });
}

function traitsOf(error: unknown): { code: string; statusCode: number } {
  const { code, statusCode } = (typeof error === "object" && error !== null ? error : {}) as { code?: unknown; statusCode?: unknown };
  return { code: typeof code === "string" ? code : "", statusCode: typeof statusCode === "number" ? statusCode : 500 };
}

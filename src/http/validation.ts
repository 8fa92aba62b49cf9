import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import { DossierError, type Fault } from "../errors.ts";

/** Faults that are told at most; a body of a million strangers does not get a list of them. */
const MAX_FAULTS = 50;

const PART_NAMES: Readonly<Record<string, string>> = { body: "body", querystring: "query", headers: "headers" };

/**
 * Compiles a zod schema into Fastify's check of one part of a request. What does not fit is `invalid_request` with the
 * faults and their JSON pointers (50 at most); a path parameter that cannot name anything is `not_found`.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = "body" }) => {
  return (data: unknown) => {
    if (httpPart === "body" && (data === null || typeof data !== "object" || Array.isArray(data))) {
      return { error: refusal("body", [{ path: "", message: "must be a JSON object" }]) };
    }
    const result = schema.safeParse(data);
    return result.success ? { value: result.data } : { error: refusal(httpPart, faultsOf(result.error)) };
  };
};

/** For requests that carry no fields: an absent body and an empty object pass. @throws DossierError `invalid_request` */
export function refuseBody(request: FastifyRequest): void {
  const { body } = request;
  if (body === undefined || body === null) return;
  const fields = typeof body === "object" && !Array.isArray(body) ? Object.keys(body) : [""];
  if (fields.length === 0) return;
  const faults = fields.map((field) => ({ path: field && pointerOf([field]), message: "is not known; this request takes no body" }));
  throw refusal("body", faults);
}

function refusal(httpPart: string, faults: readonly Fault[]): DossierError {
  if (httpPart === "params") return new DossierError("not_found", "There is nothing at this address: its path names nothing.");
  const [first] = faults;
  const where = first?.path ? `${first.path} ` : "";
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new DossierError("invalid_request", `In the ${PART_NAMES[httpPart] ?? httpPart}: ${where}${first?.message ?? ""}${more}.`, {
    faults: faults.slice(0, MAX_FAULTS),
  });
}

/** One fault a place: an unknown field is named itself, not the object around it. */
function faultsOf(error: z.ZodError): Fault[] {
  return error.issues
    .flatMap((issue) => innermost(issue, []))
    .flatMap((issue): Fault[] => {
      if (issue.code !== "unrecognized_keys") return [{ path: pointerOf(issue.path), message: issue.message }];
      return issue.keys.map((key) => ({ path: pointerOf([...issue.path, key]), message: "is not a known field" }));
    });
}

/** Where one of several forms was meant, by its type, what is wrong with that one. */
function innermost(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): z.core.$ZodIssue[] {
  const here = { ...issue, path: [...above, ...issue.path] };
  if (issue.code !== "invalid_union") return [here];
  const meant = issue.errors.find((issues) => !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0));
  return meant === undefined ? [here] : meant.flatMap((inner) => innermost(inner, here.path));
}

/** A JSON pointer (RFC 6901) to the place that `path` leads to; empty for the whole. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

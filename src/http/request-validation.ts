import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import { plainIssue } from "../domain/plain-issue.ts";
import { DossierError, type Fault } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";

const MAX_FAULTS = 50;

const PART_NAMES: Readonly<Record<string, string>> = { body: "body", querystring: "query", headers: "headers" };

/** Checks a part of a request by its zod schema. A fault in the path is `not_found`, any other `invalid_request` with at most 50 faults. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = "body" }) => {
  return (data: unknown) => {
    if (httpPart === "body" && (data === null || typeof data !== "object" || Array.isArray(data))) {
      return { error: refusal("body", [{ path: "", message: "must be a JSON object" }]) };
    }
    const result = schema.safeParse(data, { error: plainIssue });
    return result.success ? { value: result.data } : { error: refusal(httpPart, faultsOf(result.error)) };
  };
};

/** For routes without a body; an empty object passes. @throws DossierError `invalid_request` */
export function refuseBody(request: FastifyRequest): void {
  const { body } = request;
  if (body === undefined || body === null) return;
  const fields = typeof body === "object" && !Array.isArray(body) ? Object.keys(body) : [""];
  if (fields.length === 0) return;
  const faults = fields.map((field) => ({ path: field && pointerOf([field]), message: "is not known; this request takes no body" }));
  throw refusal("body", faults);
}

function refusal(httpPart: string, faults: readonly Fault[]): DossierError {
  if (httpPart === "params")
    return new DossierError("not_found", "There is nothing at this address: a part of its path is not a valid name.");
  const [first] = faults;
  const where = first?.path ? `${first.path} ` : "";
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new DossierError("invalid_request", `In the ${PART_NAMES[httpPart] ?? httpPart}: ${where}${first?.message ?? ""}${more}.`, {
    faults: faults.slice(0, MAX_FAULTS),
  });
}

/** One fault per place; the path of an unknown field is its own, not that of its object. */
function faultsOf(error: z.ZodError): Fault[] {
  return error.issues
    .flatMap((issue) => innermost(issue, []))
    .flatMap((issue): Fault[] => {
      if (issue.code !== "unrecognized_keys") return [{ path: pointerOf(issue.path), message: issue.message }];
      return issue.keys.map((key) => ({ path: pointerOf([...issue.path, key]), message: "is not a known field" }));
    });
}

/** For a union, the faults of the first variant whose type fits. */
function innermost(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): z.core.$ZodIssue[] {
  const here = { ...issue, path: [...above, ...issue.path] };
  if (issue.code !== "invalid_union") return [here];
  const meant = issue.errors.find((issues) => !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0));
  return meant === undefined ? [here] : meant.flatMap((inner) => innermost(inner, here.path));
}

/** `path` as a JSON pointer (RFC 6901). */
function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Deepest nesting of a body, so that recursion elsewhere stays shallow. */
const MAX_DEPTH = 64;

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi;

/** A value inside the body; `parent` leads to its path, which is built for a fault only. */
interface Place {
  readonly value: unknown;
  readonly step: string;
  readonly parent: Place | null;
  readonly depth: number;
}

/** Accepts JSON in UTF-8 only. An empty body becomes `undefined`, which the route's schema checks. */
export function registerJsonBody(app: HttpApp): void {
  app.addHook("preParsing", async (request, reply) => refuseOtherEncodings(request, reply));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: string | Buffer) => {
    return body.length === 0 ? undefined : parseJsonBody(Buffer.from(body));
  });
}

function refuseOtherEncodings({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
  const codings = (headers["content-encoding"] ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  if (codings.some((coding) => coding !== "" && coding !== "identity")) {
    // By this header RFC 9110 tells a refused coding from a refused media type.
    reply.header("accept-encoding", "identity");
    throw new DossierError("unsupported_media_type", "The body has a Content-Encoding. Send it without compression.");
  }
  const charsets = [...(headers["content-type"] ?? "").matchAll(CHARSET)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  if (charsets.some((charset) => !/^utf-?8$/i.test(charset))) {
    throw new DossierError("unsupported_media_type", "The charset of the body is not UTF-8. Send it as application/json in UTF-8.");
  }
}

/** Refuses over 64 levels, keys that set a prototype, and NUL or half surrogate pairs, which databases and hashes treat differently. */
function parseJsonBody(bytes: Uint8Array): unknown {
  const value = parse(decode(bytes));
  // An explicit stack: input nested a million levels deep must not overflow the call stack.
  const places: Place[] = [{ value, step: "", parent: null, depth: 0 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    for (const inner of judge(place)) places.push(inner);
  }
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DossierError("invalid_json", "The body is not UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DossierError("invalid_json", "The body is not valid JSON.", { cause });
  }
}

function* judge(place: Place): Generator<Place> {
  const { value, depth } = place;
  if (typeof value === "string" && !isStorable(value)) throw fault(place, "must be well-formed Unicode without NUL");
  if (!isObject(value)) return;
  if (depth >= MAX_DEPTH) throw fault(place, `is nested deeper than ${MAX_DEPTH} levels`);
  for (const [step, item] of Object.entries(value)) {
    const inner = { value: item, step, parent: place, depth: depth + 1 };
    if (!isStorable(step) || reachesPrototype(inner)) throw fault(inner, "is not allowed as a field name");
    if (isObject(item) || typeof item === "string") yield inner;
  }
}

function reachesPrototype({ step, value }: Place): boolean {
  return step === "__proto__" || (step === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"));
}

const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function fault(place: Place, message: string): DossierError {
  const steps: string[] = [];
  for (let at = place; at.parent !== null; at = at.parent) steps.unshift(at.step.toWellFormed());
  const path = pointerOf(steps);
  return new DossierError("invalid_request", `In the body: ${path} ${message}.`, { faults: [{ path, message }] });
}

import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import { issueFaults, jsonPointer, plainIssue } from "../domain/plain-issue.ts";
import { DossierError, type Fault } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";

const MAX_FAULTS = 50;
const UNSTORABLE = "must be well-formed Unicode without NUL";

const PART_NAMES: Readonly<Record<string, string>> = { body: "body", querystring: "query", headers: "headers" };

/** An invalid path is `not_found`. Other invalid parts of a request are `invalid_request` with at most 50 faults. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = "body" }) => {
  return (data: unknown) => {
    if (httpPart === "body" && (data === null || typeof data !== "object" || Array.isArray(data))) {
      return { error: refusal("body", [{ path: "", message: "must be a JSON object" }]) };
    }
    // The body was checked when it was parsed.
    const faults = httpPart === "body" ? [] : unstorable(data);
    if (faults.length > 0) return { error: refusal(httpPart, faults) };
    const result = schema.safeParse(data, { error: plainIssue });
    return result.success
      ? { value: result.data }
      : { error: refusal(httpPart, issueFaults(result.error.issues.flatMap((issue) => unionIssues(issue, [])))) };
  };
};

function unstorable(data: unknown): Fault[] {
  const wrong = Object.entries(isObject(data) ? data : {}).filter(([, value]) => typeof value === "string" && !isStorable(value));
  return wrong.map(([name]) => ({ path: jsonPointer([name]), message: UNSTORABLE }));
}

export function refuseBody(request: FastifyRequest): void {
  const { body } = request;
  if (body === undefined || body === null) return;
  const fields = typeof body === "object" && !Array.isArray(body) ? Object.keys(body) : [""];
  if (fields.length === 0) return;
  const faults = fields.map((field) => ({ path: field && jsonPointer([field]), message: "is not known; this request takes no body" }));
  throw refusal("body", faults);
}

function refusal(httpPart: string, faults: readonly Fault[]): DossierError {
  if (httpPart === "params")
    return new DossierError("not_found", "There is nothing at this address: part of its path is not a valid name.");
  const [first] = faults;
  const where = first?.path ? `${first.path} ` : "";
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new DossierError("invalid_request", `In the ${PART_NAMES[httpPart] ?? httpPart}: ${where}${first?.message ?? ""}${more}.`, {
    faults: faults.slice(0, MAX_FAULTS),
  });
}

function unionIssues(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): z.core.$ZodIssue[] {
  const here = { ...issue, path: [...above, ...issue.path] };
  if (issue.code !== "invalid_union") return [here];
  const meant = issue.errors.find((issues) => !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0));
  return meant === undefined ? [here] : meant.flatMap((inner) => unionIssues(inner, here.path));
}

/** Bodies are nested at most this deep, so that recursive code cannot overflow the call stack. */
const MAX_DEPTH = 64;

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi;

interface BodyNode {
  readonly value: unknown;
  readonly key: string;
  readonly parent: BodyNode | null;
  readonly depth: number;
}

/** Makes the app accept only JSON in UTF-8. An empty body becomes `undefined`. */
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
    // RFC 9110 requires this header when the content encoding is the reason for 415.
    reply.header("accept-encoding", "identity");
    throw new DossierError("unsupported_media_type", "The body has a Content-Encoding. Send it without compression.");
  }
  const charsets = [...(headers["content-type"] ?? "").matchAll(CHARSET)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  if (charsets.some((charset) => !/^utf-?8$/i.test(charset))) {
    throw new DossierError("unsupported_media_type", "The charset of the body is not UTF-8. Send the body as application/json in UTF-8.");
  }
}

/** A body with more values is refused, before they are checked. The longest metadata has fewer. */
const MAX_VALUES = 20_000;

/** Refuses too many values, nesting above 64 levels, keys that set a prototype, NUL, and lone surrogates, which UTF-8 cannot encode. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const value = parse(decode(bytes));
  const nodes: BodyNode[] = [{ value, key: "", parent: null, depth: 0 }];
  let count = 1;
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    count += Array.isArray(node.value) ? node.value.length : isObject(node.value) ? Object.keys(node.value).length : 0;
    if (count > MAX_VALUES)
      throw new DossierError("invalid_request", `The body has more than ${MAX_VALUES} values. Nothing was stored; send less.`);
    for (const child of checkedChildren(node)) nodes.push(child);
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

function checkedChildren(node: BodyNode): BodyNode[] {
  const { value, depth } = node;
  if (typeof value === "string" && !isStorable(value)) throw faultAt(node, UNSTORABLE);
  if (!isObject(value)) return [];
  if (depth >= MAX_DEPTH) throw faultAt(node, `is nested deeper than ${MAX_DEPTH} levels`);
  const children = Object.entries(value).map(([key, item]) => ({ value: item as unknown, key, parent: node, depth: depth + 1 }));
  const wrong = children.find((child) => !isStorable(child.key) || setsPrototype(child));
  if (wrong !== undefined) throw faultAt(wrong, "is not allowed as a field name");
  return children.filter((child) => isObject(child.value) || typeof child.value === "string");
}

function setsPrototype({ key, value }: BodyNode): boolean {
  return key === "__proto__" || (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"));
}

const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function faultAt(node: BodyNode, message: string): DossierError {
  const keys: string[] = [];
  for (let at = node; at.parent !== null; at = at.parent) keys.unshift(at.key.toWellFormed());
  const path = jsonPointer(keys);
  return new DossierError("invalid_request", `In the body: ${path} ${message}.`, { faults: [{ path, message }] });
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { DossierError } from "../errors.ts";
import type { HttpApp } from "./http-app.ts";
import { pointerOf } from "./validation.ts";

/** Levels of nesting that are read; no schema of ours needs more, and recursion elsewhere stays shallow. */
const MAX_DEPTH = 64;

/** The charset of a media type, in quotes or without. */
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi;

/** A value and the way to it; the way is only spelled out for a fault. */
interface Place {
  readonly value: unknown;
  readonly step: string;
  readonly parent: Place | null;
  readonly depth: number;
}

/** Reads bodies as plain UTF-8 JSON and nothing else. An empty body is left `undefined` for the route's schema to judge. */
export function registerJsonBody(app: HttpApp): void {
  app.addHook("preParsing", async (request, reply) => refuseOtherEncodings(request, reply));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: string | Buffer) => {
    return body.length === 0 ? undefined : parseJsonBody(Buffer.from(body));
  });
}

/** What is said to be compressed or of another charset is refused by what it says, not by what its bytes look like. */
function refuseOtherEncodings({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
  const codings = (headers["content-encoding"] ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  if (codings.some((coding) => coding !== "" && coding !== "identity")) {
    // RFC 9110 tells by this header that it was the coding and not the type.
    reply.header("accept-encoding", "identity");
    throw new DossierError("unsupported_media_type", "The body has a Content-Encoding. Send it as it is, without compression.");
  }
  const charsets = [...(headers["content-type"] ?? "").matchAll(CHARSET)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  if (charsets.some((charset) => !/^utf-?8$/i.test(charset))) {
    throw new DossierError("unsupported_media_type", "The body has another charset than UTF-8. Send it as application/json in UTF-8.");
  }
}

/**
 * The value of a JSON body.
 * @throws DossierError `invalid_json` for what is no JSON or no UTF-8; `invalid_request` for a value nested deeper than
 * 64 levels, a key that reaches for a prototype, or a text with NUL or half a surrogate pair (neither can be stored
 * and hashed alike everywhere).
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const value = parse(decode(bytes));
  // A walk with its own stack: input nested a million deep must not exhaust that of the process.
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

/** Refuses what is wrong at `place` itself and names the places within it that are worth a look. */
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

import { decodeHTMLStrict } from "entities";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import { codeOfStatus } from "../../domain/failures.ts";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError, type ErrorCode } from "../../errors.ts";
import { writtenForms } from "../../util/mask-values.ts";
import { maskFailure } from "../mcp/secrets.ts";

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Returns an error that the service reports in its own format; null if the HTTP status alone tells the outcome. */
export type AnswerCheck = (answer: Answer) => DossierError | null;

/** The meaning of HTTP statuses: a code that differs from the usual one, and what helps. */
export type Statuses = Readonly<Record<number, { readonly code?: ErrorCode; readonly hint?: string }>>;

interface Refusals {
  readonly check?: AnswerCheck | undefined;
  readonly statuses?: Statuses | undefined;
  /** Is removed from error messages. */
  readonly secret?: string | undefined;
}

interface ServiceRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ServiceClient {
  /** @throws DossierError `unreadable` if the answer does not fit the schema */
  json<T>(schema: z.ZodType<T>, url: string | URL, context: CallContext, request?: ServiceRequest): Promise<T>;
  text(url: string | URL, context: CallContext, request?: ServiceRequest): Promise<string>;
}

const MAX_ANSWER_BYTES = 20_000_000;
const EXCERPT = 300;
const MAX_SCANNED = 5_000;

/** Runs `check` on every response, even one with status 200. */
export function createServiceClient(endpoint: Endpoint, fetch: HttpFetch, { check, statuses = {}, secret }: Refusals = {}): ServiceClient {
  async function text(url: string | URL, context: CallContext, request: ServiceRequest = {}): Promise<string> {
    try {
      const reply = await fetch.ask(endpoint, { ...request, url: String(url), maxBytes: MAX_ANSWER_BYTES }, context);
      const answer = { status: reply.status, text: new TextDecoder().decode(reply.body) };
      const error = check?.(answer) ?? statusError(endpoint.id, answer, statuses);
      if (error !== null) throw error;
      return answer.text;
    } catch (error) {
      throw secret !== undefined && error instanceof DossierError ? maskFailure(error, writtenForms(secret)) : error;
    }
  }
  return {
    text,
    async json(schema, url, context, request = {}) {
      const body = await text(url, context, { ...request, headers: { accept: "application/json", ...request.headers } });
      return readAnswer(endpoint.id, schema, readJson(endpoint.id, body));
    },
  };
}

export function withQuery(address: string, parameters: Readonly<Record<string, string | number | undefined>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

function statusError(service: string, { status, text }: Answer, statuses: Statuses): DossierError | null {
  if (status >= 200 && status < 300) return null;
  const { code = codeOfStatus(status, "rate_limited"), hint } = statuses[status] ?? {};
  const excerpt = text
    .slice(0, MAX_SCANNED)
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, EXCERPT)
    .toWellFormed();
  const message = `${service} answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}.`;
  return new DossierError(code, hint === undefined ? message : `${message} ${hint}`);
}

export function readJson(service: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const found = body.trimStart().startsWith("<") ? "a page instead of data" : "something that is not JSON";
    throw new DossierError("unreadable", `${service} answered with ${found}.`, { cause: error });
  }
}

/** @throws DossierError `unreadable` if the answer does not fit the schema */
export function readAnswer<T>(service: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw shapeError(`${service} sent an answer in an unexpected format`, parsed.error);
  return parsed.data;
}

function shapeError(message: string, { issues }: z.ZodError): DossierError {
  const places = issues.slice(0, 3).map((issue) => `${issue.path.join(".") || "top level"}: ${issue.message}`);
  return new DossierError("unreadable", `${message} (${places.join("; ")}).`);
}

/** Returns the items that fit the schema. @throws DossierError `unreadable` if there are items and none fits */
export function readItems<T>(service: string, schema: z.ZodType<T>, items: readonly unknown[]): T[] {
  const parsed = items.map((item) => schema.safeParse(item));
  const read = parsed.flatMap((one) => (one.success ? [one.data] : []));
  const error = parsed[0]?.error;
  if (read.length > 0 || error === undefined) return read;
  throw shapeError(`${service} sent items in an unexpected format`, error);
}

interface XmlShape {
  readonly lists: readonly string[];
  /** Elements whose markup is kept as text, for `plainText` to remove. */
  readonly mixed: readonly string[];
}

const MAX_DEPTH = 60;

/** Attributes become `@name`, and text beside attributes `#text`. Custom entities are not expanded. @throws DossierError `unreadable` */
export function parseXml(service: string, text: string, { lists, mixed }: XmlShape): unknown {
  const checked = XMLValidator.validate(text);
  if (checked !== true) throw new DossierError("unreadable", `${service} answered with XML that is not well-formed (${checked.err.msg}).`);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    maxNestedTags: MAX_DEPTH,
    stopNodes: mixed.map((name) => `*.${name}`),
    isArray: (name) => lists.includes(name),
    tagValueProcessor: (name, value) => (mixed.includes(name) ? value : decodeHTMLStrict(value)),
    attributeValueProcessor: (_name, value) => decodeHTMLStrict(value),
  });
  try {
    return parser.parse(text);
  } catch (error) {
    throw new DossierError("unreadable", `${service} answered with XML that cannot be read.`, { cause: error });
  }
}

/** The parser returns a string, or an object if the element has attributes. */
export const XmlText = z.union([z.string(), z.object({ "#text": z.string().default("") }).transform((element) => element["#text"])]);

import type { z } from "zod";
import { codeOfStatus } from "../../domain/failures.ts";
import type { CallContext, Endpoint, HttpFetch, HttpReply } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { parseJson, shapeError } from "./read-answer.ts";

export interface Answer {
  readonly status: number;
  readonly headers: HttpReply["headers"];
  readonly text: string;
}

/** The error that an answer reports in the service's own form, or null; an error status without one gets the default error. */
export type AnswerCheck = (answer: Answer) => DossierError | null;

export interface ServiceRequest {
  readonly method?: "GET" | "POST";
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks one service. Both methods throw DossierError with a failure code of the ledger. */
export interface ServiceClient {
  /** @throws DossierError `unreadable` if the answer does not have the schema's shape */
  json<T>(schema: z.ZodType<T>, url: string | URL, context: CallContext, request?: ServiceRequest): Promise<T>;
  text(url: string | URL, context: CallContext, request?: ServiceRequest): Promise<string>;
}

const MAX_ANSWER_BYTES = 20_000_000;
/** Characters of an error page that a message quotes, and those that are searched for text. */
const EXCERPT = 200;
const MAX_SCANNED = 5_000;

/** A client of `endpoint`. `check` sees every answer, also those of status 200. Error messages never contain `secret`, even if the service echoes it. */
export function createServiceClient(endpoint: Endpoint, fetch: HttpFetch, check: AnswerCheck = () => null, secret?: string): ServiceClient {
  async function ask(url: string | URL, context: CallContext, request: ServiceRequest): Promise<string> {
    const reply = await fetch.ask(endpoint, { ...request, url: String(url), maxBytes: MAX_ANSWER_BYTES }, context);
    const answer = { status: reply.status, headers: reply.headers, text: new TextDecoder().decode(reply.body) };
    const error = check(answer) ?? statusError(endpoint.id, answer);
    if (error !== null) throw error;
    return answer.text;
  }
  const text: ServiceClient["text"] = (url, context, request = {}) =>
    ask(url, context, request).catch((error: unknown) => {
      throw withoutSecret(error, secret);
    });
  return {
    text,
    async json(schema, url, context, request = {}) {
      const body = await text(url, context, { ...request, headers: { accept: "application/json", ...request.headers } });
      const parsed = schema.safeParse(parseJson(endpoint.id, body));
      if (!parsed.success) throw shapeError(`${endpoint.id} answered in an unknown form`, parsed.error);
      return parsed.data;
    },
  };
}

/** The cause is dropped with the message: it may quote the same address. */
function withoutSecret(error: unknown, secret: string | undefined): unknown {
  if (secret === undefined || secret === "" || !(error instanceof DossierError)) return error;
  const spellings = [secret, encodeURIComponent(secret), new URLSearchParams([["", secret]]).toString().slice(1)];
  const message = spellings.reduce((text, spelling) => text.replaceAll(spelling, "***"), error.message);
  return message === error.message ? error : new DossierError(error.code, message);
}

function statusError(service: string, { status, text }: Answer): DossierError | null {
  if (status >= 200 && status < 300) return null;
  const excerpt = text
    .slice(0, MAX_SCANNED)
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, EXCERPT)
    .toWellFormed();
  return new DossierError(codeOfStatus(status, "rate_limited"), `${service} answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}.`);
}

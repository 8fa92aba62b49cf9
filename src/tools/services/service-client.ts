import type { z } from "zod";
import { codeOfStatus } from "../../domain/failures.ts";
import type { CallContext, Endpoint, HttpFetch, HttpReply } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";

/** What an answer says, as far as an adapter has to know in order to judge it. */
export interface Answer {
  readonly status: number;
  readonly headers: HttpReply["headers"];
  readonly text: string;
}

/** The error that an answer means in this service's own words, or null where its status says enough. */
export type AnswerCheck = (answer: Answer) => DossierError | null;

export interface ServiceRequest {
  readonly method?: "GET" | "POST";
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks one service; every answer is checked before it is believed. */
export interface ServiceClient {
  /** @throws DossierError with a code of the ledger, `unreadable` where the answer is not of the schema's shape */
  json<T>(schema: z.ZodType<T>, url: string | URL, context: CallContext, request?: ServiceRequest): Promise<T>;
  /** @throws DossierError with a code of the ledger */
  text(url: string | URL, context: CallContext, request?: ServiceRequest): Promise<string>;
}

const MAX_ANSWER_BYTES = 20_000_000;
/** How much of an unexpected answer a message shows. */
const EXCERPT = 200;
/** How much of it is looked at for that. */
const MAX_LOOKED_AT = 5_000;

/**
 * A client of `endpoint`; `judge` sees every answer first, also those of status 200. No error of the client shows
 * `secret`, be it that an address carries it or that the service repeats it.
 */
export function createServiceClient(endpoint: Endpoint, fetch: HttpFetch, judge: AnswerCheck = () => null, secret?: string): ServiceClient {
  async function text(url: string | URL, context: CallContext, request: ServiceRequest = {}): Promise<string> {
    return askForText(url, context, request).catch((error: unknown) => {
      throw withoutSecret(error, secret);
    });
  }
  async function askForText(url: string | URL, context: CallContext, request: ServiceRequest): Promise<string> {
    const reply = await fetch.ask(endpoint, { ...request, url: String(url), maxBytes: MAX_ANSWER_BYTES }, context);
    const answer = { status: reply.status, headers: reply.headers, text: new TextDecoder().decode(reply.body) };
    const error = judge(answer) ?? judgeStatus(endpoint.id, answer);
    if (error !== null) throw error;
    return answer.text;
  }
  return {
    text,
    async json(schema, url, context, request = {}) {
      const body = await text(url, context, { ...request, headers: { accept: "application/json", ...request.headers } });
      const parsed = schema.safeParse(parseJson(endpoint.id, body));
      if (parsed.success) return parsed.data;
      const places = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`);
      throw new DossierError("unreadable", `${endpoint.id} answered in an unknown form (${places.slice(0, 3).join("; ")}).`);
    },
  };
}

/** The cause goes with the message: it may quote the same address. */
function withoutSecret(error: unknown, secret: string | undefined): unknown {
  if (secret === undefined || secret === "" || !(error instanceof DossierError)) return error;
  const spellings = [secret, encodeURIComponent(secret), new URLSearchParams([["", secret]]).toString().slice(1)];
  const message = spellings.reduce((text, spelling) => text.replaceAll(spelling, "***"), error.message);
  return message === error.message ? error : new DossierError(error.code, message);
}

function judgeStatus(service: string, { status, text }: Answer): DossierError | null {
  if (status >= 200 && status < 300) return null;
  const code = codeOfStatus(status, "rate_limited");
  const said = text
    .slice(0, MAX_LOOKED_AT)
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, EXCERPT)
    .toWellFormed();
  return new DossierError(code, `${service} answered ${status}${said === "" ? "" : `: ${said}`}.`);
}

function parseJson(service: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const said = body.trimStart().startsWith("<") ? "a page instead of data" : "something that is not JSON";
    throw new DossierError("unreadable", `${service} answered with ${said}.`, { cause: error });
  }
}

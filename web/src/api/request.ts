import { atBase } from "./base-path.ts";
import { asProblem, Problem, problemOf } from "./problem.ts";
import { readServerTime } from "./server-clock.ts";
import { askForKey } from "./sign-in.ts";
import { Silence } from "./silence.ts";

/** A server that sends nothing for this time is said not to answer. */
const TIME_LIMIT_MS = 15_000;

export interface RequestOptions {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart/form-data. */
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** How long the server may be silent, before its answer and within it. */
  readonly timeLimitMs?: number;
}

/** Sends a request to this server. @throws Problem for any answer above 299, and when there is no answer */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", json, form, headers = {}, signal, timeLimitMs = TIME_LIMIT_MS } = options;
  const silence = new Silence(timeLimitMs);
  const content = json === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(atBase(path), {
    method,
    headers: { accept: "application/json", ...content, ...headers },
    body: json === undefined ? (form ?? null) : JSON.stringify(json),
    signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    cache: "no-store",
  }).catch((error: unknown) => {
    silence.over();
    if (signal?.aborted === true) throw error;
    throw asProblem(error);
  });
  const response = heard(answer, silence);
  readServerTime(response);
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.code === "unauthorized") askForKey();
  throw problem;
}

/** The same answer, whose body may come as slowly as it does, as long as it comes. */
function heard(answer: Response, silence: Silence): Response {
  silence.hear();
  // Browsers give a stream also to an answer that may have no body.
  if (answer.body === null || answer.status === 204) {
    silence.over();
    return answer;
  }
  const listen = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      silence.hear();
      controller.enqueue(chunk);
    },
    flush: silence.over,
  });
  return new Response(answer.body.pipeThrough(listen), answer);
}

export async function getJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw asProblem(error);
    throw new Problem("unreadable", response.status, error.message);
  }
}

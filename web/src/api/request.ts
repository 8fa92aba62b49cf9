import { askForKey, keyHeaders } from "./api-key.ts";
import { asProblem, Problem, problemOf } from "./problem.ts";
import { readServerTime } from "./server-clock.ts";

/** A server that hangs is said not to answer after this time. */
const TIME_LIMIT_MS = 15_000;

export interface RequestOptions {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart/form-data. */
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeLimitMs?: number;
}

/** Sends a request to this server. @throws Problem for any answer above 299, and when there is no answer */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = "GET", json, form, headers = {}, signal, timeLimitMs = TIME_LIMIT_MS } = options;
  const limit = AbortSignal.timeout(timeLimitMs);
  const content = json === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(path, {
    method,
    headers: { accept: "application/json", ...content, ...keyHeaders(), ...headers },
    body: json === undefined ? (form ?? null) : JSON.stringify(json),
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    cache: "no-store",
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw asProblem(error);
  });
  readServerTime(response);
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.code === "unauthorized") askForKey();
  throw problem;
}

export async function getJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw new Problem("unreadable", response.status, error instanceof Error ? error.message : String(error));
  }
}

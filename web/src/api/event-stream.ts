import { createParser } from "eventsource-parser";
import type { RunEvent } from "../../../src/domain/events.ts";
import { atBase } from "./base-path.ts";
import { asProblem, Problem, problemOf } from "./problem.ts";
import { serverNow } from "./server-clock.ts";
import { askForKey } from "./sign-in.ts";
import { Silence } from "./silence.ts";

/** The server sends something every 5 seconds. A stream that is silent for longer is dead. */
const SILENCE_MS = 12_000;
/** Chunks that wait already would be read in one long task, during which the page answers no click. */
const WORK_MS = 8;
const CHUNK_BYTES = 32_768;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

export type Connection =
  | { readonly kind: "live" | "ended" }
  /** `isAgain`: after a loss. */
  | { readonly kind: "connecting"; readonly isAgain?: boolean }
  /** The connection was lost; it is tried again at `retryAt`, in milliseconds since 1970. */
  | { readonly kind: "waiting"; readonly retryAt: number; readonly problem: Problem }
  | { readonly kind: "failed"; readonly problem: Problem };

export interface StreamListener {
  onEvents(events: readonly RunEvent[]): void;
  onConnection(connection: Connection): void;
}

/** Follows the events of a run until its end, through lost connections and restarts of the server. Resolves when nothing can follow. */
export async function followRun(runId: string, after: number, listener: StreamListener, signal: AbortSignal): Promise<void> {
  let last = after;
  let delayMs = FIRST_DELAY_MS;
  let isAgain = false;
  const onEvents = (events: readonly RunEvent[]): void => {
    last = events.at(-1)?.seq ?? last;
    delayMs = FIRST_DELAY_MS;
    listener.onEvents(events);
  };
  while (!signal.aborted) {
    listener.onConnection({ kind: "connecting", isAgain });
    isAgain = true;
    try {
      const ended = await readStream(runId, last, onEvents, listener, signal);
      if (ended) return listener.onConnection({ kind: "ended" });
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error);
      if (isFinal(problem)) return listener.onConnection({ kind: "failed", problem });
      await wait(delayMs, problem, listener, signal);
      delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
    }
  }
}

/** Waiting helps against everything but a wrong address or a missing key. */
function isFinal({ status }: Problem): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Returns true if the run has ended. @throws Problem if the stream broke off before */
async function readStream(
  runId: string,
  after: number,
  onEvents: (events: readonly RunEvent[]) => void,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<boolean> {
  const silence = new Silence(SILENCE_MS);
  try {
    const headers = { accept: "text/event-stream", "last-event-id": String(after) };
    const path = `/research/${encodeURIComponent(runId)}/events`;
    const response = await fetch(atBase(path), { headers, cache: "no-store", signal: AbortSignal.any([signal, silence.signal]) });
    if (response.status === 204) return true;
    if (!response.ok) throw await refusalOf(response);
    listener.onConnection({ kind: "live" });
    return await readEvents(response, onEvents, silence.hear);
  } finally {
    silence.over();
  }
}

async function refusalOf(response: Response): Promise<Problem> {
  const problem = await problemOf(response);
  if (problem.code === "unauthorized") askForKey();
  return problem;
}

async function readEvents(response: Response, onEvents: (events: readonly RunEvent[]) => void, hear: () => void): Promise<boolean> {
  let events: RunEvent[] = [];
  let ended = false;
  const parser = createParser({
    onEvent({ data }) {
      const event = JSON.parse(data) as RunEvent;
      events.push(event);
      ended ||= event.type === "run-ended";
    },
  });
  const decoder = new TextDecoder();
  let rested = performance.now();
  for await (const chunk of chunksOf(response)) {
    hear();
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (events.length > 0) onEvents(events);
    events = [];
    if (performance.now() - rested < WORK_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    rested = performance.now();
  }
  if (!ended) throw new Problem("offline", 0, "The connection ended before the run did.");
  return true;
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    for (let at = 0; at < next.value.length; at += CHUNK_BYTES) yield next.value.subarray(at, at + CHUNK_BYTES);
  }
}

/** Ends early when the browser is online again, or when the page is looked at again. */
function wait(delayMs: number, problem: Problem, listener: StreamListener, signal: AbortSignal): Promise<void> {
  const jitteredMs = delayMs * (0.75 + Math.random() / 2);
  listener.onConnection({ kind: "waiting", retryAt: serverNow() + jitteredMs, problem });
  return new Promise((resolve) => {
    const done = new AbortController();
    const finish = (): void => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(finish, jitteredMs);
    addEventListener("online", finish, { signal: done.signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && finish(), { signal: done.signal });
    signal.addEventListener("abort", finish, { signal: done.signal });
  });
}

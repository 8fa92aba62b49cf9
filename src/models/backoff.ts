import { setTimeout as delay } from "node:timers/promises";
import { DossierError } from "../errors.ts";
import { startTimeLimit } from "../util/abort.ts";
import { parseRetryAfter } from "../util/retry-after.ts";

const FIRST_BACKOFF_MS = 500;
export const MAX_BACKOFF_MS = 30_000;

/** Reads `retry-after-ms` (OpenAI) or `Retry-After`, in milliseconds. Returns null without these headers. */
export function retryDelayOf(headers: Headers, now: number): number | null {
  const precise = headers.get("retry-after-ms")?.trim() ?? "";
  return /^\d+(?:\.\d+)?$/.test(precise) ? Math.ceil(Number(precise)) : parseRetryAfter(headers.get("retry-after"), now);
}

/** Returns the delay before try `number`: what the server asked for, or exponential backoff with jitter up to `maxMs`. */
export function backoffMs(number: number, askedMs: number | null, maxMs: number): number {
  if (number <= 1) return 0;
  if (askedMs !== null) return Math.min(askedMs, MAX_BACKOFF_MS);
  return Math.random() * Math.min(FIRST_BACKOFF_MS * 2 ** (number - 1), MAX_BACKOFF_MS, maxMs);
}

export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

export interface ModelLimits {
  readonly firstTokenMs: number;
  readonly betweenTokensMs: number;
  readonly callMs: number;
}

type TryLimits = Pick<ModelLimits, "firstTokenMs" | "betweenTokensMs"> & {
  /** The time that the run has left for the call. Waiting for a connection counts. */
  readonly runMs: number;
};

const KINDS = {
  first: ["its first token", "MODEL_FIRST_TOKEN_SECONDS"],
  between: ["the next token", "MODEL_TOKEN_SECONDS"],
  call: ["the end of its answer", "MODEL_CALL_SECONDS"],
  run: ["the end of its answer", null],
} as const;

export class TryClock {
  readonly #abort = new AbortController();
  readonly #limits: TryLimits;
  readonly #stopRun: () => void;
  #stopCall = (): void => undefined;
  #stopNext = (): void => undefined;

  constructor(limits: TryLimits) {
    this.#limits = limits;
    this.#stopRun = this.#start("run", limits.runMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts the time of the call itself. */
  connected(callMs: number): void {
    this.#stopCall = this.#start("call", callMs);
  }

  requestSent(): void {
    this.#wait("first", this.#limits.firstTokenMs);
  }

  pieceReceived(): void {
    this.#wait("between", this.#limits.betweenTokensMs);
  }

  stop(): void {
    this.#stopRun();
    this.#stopCall();
    this.#stopNext();
  }

  #wait(kind: keyof typeof KINDS, ms: number): void {
    this.#stopNext();
    this.#stopNext = this.#start(kind, ms);
  }

  #start(kind: keyof typeof KINDS, ms: number): () => void {
    return Number.isFinite(ms) ? startTimeLimit(ms, () => this.#end(kind, ms)) : () => undefined;
  }

  #end(kind: keyof typeof KINDS, ms: number): void {
    const [what, setting] = KINDS[kind];
    const left =
      setting === null
        ? `the ${Math.round(ms)} ms that were left of the run's time; nothing of the answer was kept. Raise limits.seconds (MAX_SECONDS).`
        : `${Math.round(ms)} ms; nothing of the answer was kept. ${setting} sets this limit.`;
    this.#abort.abort(new DossierError("timeout", `The model did not send ${what} within ${left}`));
  }
}

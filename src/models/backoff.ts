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
  /** For one try. */
  readonly callMs: number;
}

interface TryLimits extends ModelLimits {
  /** The time that the run has left for the call. Waiting for a connection counts. */
  readonly runMs: number;
}

/** What is waited for, and which setting limits it. */
const KINDS = {
  first: ["its first token", "MODEL_FIRST_TOKEN_SECONDS sets this limit."],
  between: ["the next token", "MODEL_TOKEN_SECONDS sets this limit."],
  call: ["the end of its answer", "MODEL_CALL_SECONDS sets this limit."],
  run: ["the end of its answer", "No more was left of the run's time; raise limits.seconds (MAX_SECONDS)."],
} as const;

type Kind = keyof typeof KINDS;

export class TryClock {
  readonly #abort = new AbortController();
  readonly #limits: TryLimits;
  readonly #stops = new Map<Kind, () => void>();

  constructor(limits: TryLimits) {
    this.#limits = limits;
    this.#start("run", limits.runMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts the time of the try itself. */
  connected(): void {
    this.#start("call", this.#limits.callMs);
  }

  requestSent(): void {
    this.#stops.get("between")?.();
    this.#start("first", this.#limits.firstTokenMs);
  }

  pieceReceived(): void {
    this.#stops.get("first")?.();
    this.#start("between", this.#limits.betweenTokensMs);
  }

  stop(): void {
    for (const stop of this.#stops.values()) stop();
  }

  #start(kind: Kind, ms: number): void {
    this.#stops.get(kind)?.();
    if (Number.isFinite(ms))
      this.#stops.set(
        kind,
        startTimeLimit(ms, () => this.#end(kind, ms)),
      );
  }

  #end(kind: Kind, ms: number): void {
    const [what, advice] = KINDS[kind];
    const message = `The model did not send ${what} within ${Math.round(ms)} ms; nothing of the answer was kept. ${advice}`;
    this.#abort.abort(new DossierError("timeout", message));
  }
}

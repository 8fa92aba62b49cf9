import { addSpent, NOTHING_SPENT, type Spent } from "../../src/domain/budget.ts";
import type { DomainEvent } from "../../src/domain/events.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { DossierError } from "../../src/errors.ts";
import { NO_REPLIES } from "../../src/journal/completions.ts";
import { limitTime } from "../../src/util/abort.ts";

export interface PlainEffects extends Effects {
  /** The emitted events, in order. */
  readonly events: DomainEvent[];
  /** The requests of all effects, in order. */
  readonly requests: unknown[];
  /** The pieces that streams have pushed. */
  readonly pieces: unknown[];
}

export interface PlainOptions {
  readonly signal?: AbortSignal;
  readonly spent?: Spent;
  /** The run's clock, which stands still by default. */
  readonly now?: () => number;
  /** Replaces `live` of the stream with this number, counted from 1, unless it returns null. */
  readonly instead?: (stream: number) => Error | null;
}

/** Performs effects without a journal, for tests of the code behind an effect. */
export function plainEffects({
  signal = new AbortController().signal,
  spent: before = NOTHING_SPENT,
  now = () => 0,
  instead,
}: PlainOptions = {}): PlainEffects {
  const events: DomainEvent[] = [];
  const requests: unknown[] = [];
  const pieces: unknown[] = [];
  let spent = before;
  let ids = 0;
  let streams = 0;
  const count = (ok: boolean, result: unknown): void => {
    spent = addSpent(spent, { kind: "model", ok, result: result as null });
  };
  return {
    runId: "run",
    execution: requests,
    signal,
    events,
    requests,
    pieces,
    async perform() {
      throw new DossierError("internal", "This test performs nothing.");
    },
    async stream({ kind, request, timeoutMs, live, onPiece }) {
      requests.push({ kind, request });
      streams += 1;
      const fault = instead?.(streams) ?? null;
      try {
        if (fault !== null) throw fault;
        using limit = limitTime(timeoutMs, signal);
        const push: Parameters<typeof live>[1] = (piece) => {
          pieces.push(piece);
          onPiece(piece);
        };
        const result = await live(limit.signal, push, NO_REPLIES);
        count(true, result);
        return JSON.parse(JSON.stringify(result));
      } catch (error) {
        signal.throwIfAborted();
        count(false, null);
        throw error;
      }
    },
    // A worker gets a copy of the input, and returns one of the result.
    compute: async ({ run }, ...input) => structuredClone(run(...structuredClone(input))),
    emit: (event) => void events.push(event),
    nextId: () => `call${++ids}`,
    spent: () => spent,
    spentEarlier: () => null,
    downloadsEarlier: () => [],
    now,
    elapsedMs: (since) => now() - since,
  };
}

import { DossierError } from "../errors.ts";

/** How many milliseconds a model may take. */
export interface ModelLimits {
  /** Until the first piece of an answer. */
  readonly firstTokenMs: number;
  /** Between two pieces. */
  readonly betweenTokensMs: number;
  /** For a call with all its tries. */
  readonly callMs: number;
}

/** The limits of one try; `whose` is the limit that `callMs` comes from. */
interface TryLimits extends ModelLimits {
  readonly whose: "call" | "run";
}

const KINDS = {
  first: ["its first token", "MODEL_FIRST_TOKEN_SECONDS"],
  between: ["the next token", "MODEL_TOKEN_SECONDS"],
  call: ["the end of its answer", "MODEL_CALL_SECONDS"],
  run: ["the end of its answer", null],
} as const;

/** The clocks of one try; the signal is aborted with `timeout` when one of them runs out. */
export class TryClock {
  readonly #abort = new AbortController();
  readonly #limits: TryLimits;
  readonly #whole: NodeJS.Timeout;
  #next: NodeJS.Timeout | undefined;

  /** `callMs` is what is left for the call. */
  constructor(limits: TryLimits) {
    this.#limits = limits;
    this.#whole = setTimeout(() => this.#end(limits.whose, limits.callMs), limits.callMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** A request goes out. */
  ask(): void {
    this.#wait("first", this.#limits.firstTokenMs);
  }

  /** A piece has come. */
  tick(): void {
    this.#wait("between", this.#limits.betweenTokensMs);
  }

  stop(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#next);
  }

  #wait(kind: keyof typeof KINDS, ms: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#end(kind, ms), ms);
  }

  #end(kind: keyof typeof KINDS, ms: number): void {
    const [what, setting] = KINDS[kind];
    const left =
      setting === null
        ? `the ${Math.round(ms)} ms that were left of the run's time; nothing of the answer was kept. Raise limits.seconds (MAX_SECONDS).`
        : `${Math.round(ms)} ms; nothing of the answer was kept. ${setting} sets this limit.`;
    const message = `The model did not send ${what} within ${left}`;
    this.#abort.abort(new DossierError("timeout", message));
  }
}

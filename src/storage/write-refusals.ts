import type { DossierError } from "../errors.ts";

const PROBE_EVERY_MS = 1_000;
const REPORT_EVERY_MS = 60_000;

/** Called when the database refuses a write, at most once a minute, and with null when it accepts writes again. */
export type OnRefusal = (refusal: DossierError | null) => void;

interface Options {
  /** Returns `storage_unavailable` or `storage_damaged` if the database could not write, else null. */
  readonly refusalOf: (error: unknown) => DossierError | null;
  /** Tries a write. */
  readonly probe: () => Promise<unknown>;
  readonly report: OnRefusal;
}

/** Tracks whether the database accepts writes. After a refusal it tries a write every second until one succeeds. */
export class WriteRefusals {
  readonly #options: Options;
  readonly #clock: () => number;
  #refusal: DossierError | null = null;
  #probing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #reported = false;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: Options, clock: () => number = () => performance.now()) {
    this.#options = options;
    this.#clock = clock;
  }

  readonly note = (error: unknown): unknown => {
    const refusal = this.#options.refusalOf(error);
    if (refusal === null) return error;
    this.#refusal = refusal;
    this.#timer ??= setInterval(() => void this.check().catch(() => undefined), PROBE_EVERY_MS).unref();
    if (this.#clock() - this.#reportedAt < REPORT_EVERY_MS) return refusal;
    this.#reportedAt = this.#clock();
    this.#reported = true;
    this.#options.report(refusal);
    return refusal;
  };

  /** If the last write was refused, tries another one. @throws DossierError `storage_unavailable` */
  async check(): Promise<void> {
    if (this.#refusal === null) return;
    this.#probing ??= this.#tryWrite().finally(() => {
      this.#probing = null;
    });
    await this.#probing;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #tryWrite(): Promise<void> {
    await this.#options.probe();
    this.#refusal = null;
    this.close();
    if (this.#reported) this.#options.report(null);
    this.#reported = false;
  }
}

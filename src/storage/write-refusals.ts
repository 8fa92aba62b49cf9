import Database from "better-sqlite3";
import { DossierError } from "../errors.ts";

const PROBE_EVERY_MS = 1_000;
const REPORT_EVERY_MS = 60_000;

const REFUSALS = ["FULL", "IOERR", "READONLY", "BUSY", "LOCKED", "CANTOPEN", "NOMEM", "PERM", "PROTOCOL"];
/** An operator can forbid writes with a trigger. Our own trigger refuses nothing. */
const REFUSING_TRIGGER = "SQLITE_CONSTRAINT_TRIGGER";

/** Called when the database refuses a write, at most once a minute, and with null when it accepts writes again. */
export type OnRefusal = (refusal: DossierError | null) => void;

/** Tracks whether the database accepts writes. After a refusal it tries a write every second until one succeeds. */
export class WriteRefusals {
  readonly #probe: () => Promise<unknown>;
  readonly #report: OnRefusal;
  readonly #clock: () => number;
  #refusal: DossierError | null = null;
  #probing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #reported = false;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(probe: () => Promise<unknown>, report: OnRefusal, clock: () => number = () => performance.now()) {
    this.#probe = probe;
    this.#report = report;
    this.#clock = clock;
  }

  note(error: unknown): unknown {
    const refusal = refusalOf(error);
    if (refusal === null) return error;
    this.#refusal = refusal;
    this.#timer ??= setInterval(() => void this.check().catch(() => undefined), PROBE_EVERY_MS).unref();
    if (this.#clock() - this.#reportedAt < REPORT_EVERY_MS) return refusal;
    this.#reportedAt = this.#clock();
    this.#reported = true;
    this.#report(refusal);
    return refusal;
  }

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
    await this.#probe();
    this.#refusal = null;
    this.close();
    if (this.#reported) this.#report(null);
    this.#reported = false;
  }
}

function refusalOf(error: unknown): DossierError | null {
  if (!(error instanceof Database.SqliteError)) return null;
  const refused = error.code === REFUSING_TRIGGER || REFUSALS.some((code) => error.code.startsWith(`SQLITE_${code}`));
  if (!refused) return null;
  return new DossierError("storage_unavailable", `The database refuses writes (${error.message}). Nothing was changed; try again later.`, {
    cause: error,
  });
}

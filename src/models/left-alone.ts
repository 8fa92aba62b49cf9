import type { Effects } from "../domain/ports/effects.ts";
import { DossierError } from "../errors.ts";

/**
 * For so long, on the run's clock, nobody of a segment asks a server again that could not be reached in the last try of a call, or did not
 * accept the key. A later segment asks again, and so does any other run.
 */
const PAUSE_MS = 30_000;

interface Failure {
  readonly error: DossierError;
  readonly at: number;
}

/** What calls of a segment have found out of their server, for the calls beside and after them. What it says follows from the journal alone. */
export class LeftAlone {
  readonly #failures = new WeakMap<object, Failure>();

  remember(error: DossierError, { execution, now }: Effects): void {
    this.#failures.set(execution, { error, at: now() });
  }

  /** @throws DossierError the failure of the call that found it out, while the server is left alone */
  check({ execution, elapsedMs }: Effects): void {
    const failure = this.#failures.get(execution);
    if (failure === undefined || elapsedMs(failure.at) >= PAUSE_MS) return;
    throw new DossierError(failure.error.code, failure.error.message, { cause: failure.error });
  }
}

import { DossierError, type ErrorCode, type Fault } from "../errors.ts";

const NOTHING_STORED = " Nothing was stored.";

interface Refusal {
  readonly code?: ErrorCode;
  /** The faults if absent. */
  readonly what?: string;
  readonly advice?: string;
}

/** @throws DossierError if there are faults */
export function refuse(faults: readonly Fault[], { code = "invalid_request", what, advice }: Refusal = {}): void {
  if (faults.length === 0) return;
  const reasons = what ?? faults.map(({ path, message }) => `${path} ${message}`).join("; ");
  throw new DossierError(code, [`${reasons}.${NOTHING_STORED}`, advice].filter(Boolean).join(" "), { faults });
}

/** Makes all checks, so that a request is told all its faults at once. @throws DossierError with the code of the first one */
export function refuseTogether(checks: readonly (() => unknown)[]): void {
  const refusals = new Map<string, DossierError>();
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof DossierError)) throw error;
      // A check that needs the result of another one fails as that one does.
      refusals.set(error.message, error);
    }
  }
  const [first, ...others] = refusals.values();
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const all = [first, ...others];
  const reasons = all.map(({ message }) => message.replace(NOTHING_STORED, ""));
  throw new DossierError(first.code, `${reasons.join(" ")}${NOTHING_STORED}`, { faults: all.flatMap(({ faults }) => faults) });
}

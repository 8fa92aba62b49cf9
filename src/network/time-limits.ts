/** How many milliseconds a request may take, whoever waits for it. */
export interface TimeLimits {
  /** For resolving, connecting and TLS together; the name may take three fifths of it. */
  readonly connectMs: number;
  /** From the request to the end of the answer's headers. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly silenceMs: number;
  /** For all of it, so that a body in drops ends too. */
  readonly totalMs: number;
  /** Keep to the request rates of services and hosts; false only where every service stands on this machine. */
  readonly paced: boolean;
}

export const TIME_LIMITS: TimeLimits = { connectMs: 5_000, headersMs: 15_000, silenceMs: 10_000, totalMs: 40_000, paced: true };

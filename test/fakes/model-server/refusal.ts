/** Why a request is refused, in OpenAI's form of an error. */
export interface Refusal {
  readonly status: number;
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string | null };
}

/** A request that a client must not send. */
export const invalid = (message: string, param: string | null = null, code: string | null = null): Refusal => ({
  status: 400,
  error: { message, type: "invalid_request_error", param, code },
});

/** Returns the first refusal of a list of checks. */
export function firstOf(checks: Iterable<Refusal | undefined>): Refusal | undefined {
  for (const refusal of checks) if (refusal) return refusal;
  return undefined;
}

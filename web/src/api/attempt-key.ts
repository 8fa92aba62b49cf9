/** A random idempotency key. `crypto.randomUUID` exists on https and loopback addresses only, and a telephone may use neither. */
export function attemptKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

import { setTimeout as pause } from "node:timers/promises";
import { parseRetryAfter } from "../util/retry-after.ts";

const FIRST_MS = 500;
const CAP_MS = 30_000;

/** How long a server asks to wait, in milliseconds (RFC 9110, 10.2.3, and OpenAI's own header); null where it does not say. */
export function waitAskedFor(headers: Headers, now: number): number | null {
  const precise = headers.get("retry-after-ms");
  if (precise !== null && /^\d+(?:\.\d+)?$/.test(precise.trim())) return Math.ceil(Number(precise));
  return parseRetryAfter(headers.get("retry-after"), now);
}

/** The wait before the try with that number: what was asked for, up to a cap, or an exponential back-off with full jitter of at most `mostMs`. */
export function waitBefore(number: number, asked: number | null, mostMs: number): number {
  if (number <= 1) return 0;
  if (asked !== null) return Math.min(asked, CAP_MS);
  return Math.random() * Math.min(FIRST_MS * 2 ** (number - 2) * 2, CAP_MS, mostMs);
}

/** The longest that `waitBefore` can be. */
export const LONGEST_WAIT_MS = CAP_MS;

/** @throws the reason of the signal as soon as it is aborted */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return;
  await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

import { setTimeout } from "node:timers/promises";
import type { HttpReply } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";

/** The longest pause that a service may ask for before the one further try; a longer one is the run's answer. */
const MAX_PAUSE_MS = 5_000;
const PAUSE_MS = 500;

/** Sends again, once, where that helps: after a broken connection, and after 429, 502, 503 and 504 when the pause asked for is short. */
export async function retryOnce(send: () => Promise<HttpReply>, signal: AbortSignal): Promise<HttpReply> {
  const first = await send().catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof DossierError && error.code === "unreachable" && isBrokenConnection(error)) return null;
    throw error;
  });
  const pauseMs = first === null ? PAUSE_MS : pauseAfter(first);
  if (first !== null && (pauseMs === null || pauseMs > MAX_PAUSE_MS)) return first;
  await setTimeout(pauseMs ?? PAUSE_MS, undefined, { signal });
  return send();
}

/** A name that does not resolve and a port that refuses will do so again. */
function isBrokenConnection({ cause }: DossierError): boolean {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ECONNRESET" || code === "UND_ERR_SOCKET" || code === "EPIPE";
}

/** Milliseconds to wait before another try, or null where another try makes no sense. `Retry-After` is seconds or a date (RFC 9110). */
function pauseAfter({ status, headers }: HttpReply): number | null {
  if (![429, 502, 503, 504].includes(status)) return null;
  const asked = headers["retry-after"];
  if (asked === undefined) return status === 429 ? null : PAUSE_MS;
  if (/^\d+$/.test(asked)) return Number(asked) * 1_000;
  const until = Date.parse(asked);
  return Number.isNaN(until) ? PAUSE_MS : Math.max(0, until - Date.now());
}

import { AsyncLocalStorage } from "node:async_hooks";

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

/** Reads a `traceparent` (W3C Trace Context). Returns null if it is not valid: it is to be ignored then. */
export function parseTraceparent(text: unknown): TraceParent | null {
  const [, traceId, spanId, flags = ""] = (typeof text === "string" ? TRACEPARENT.exec(text) : null) ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** The `traceparent` (W3C Trace Context) of the effect that is being performed. */
const current = new AsyncLocalStorage<string>();

export function withTraceparent<T>(traceparent: string, work: () => T): T {
  return current.run(traceparent, work);
}

/** The headers by which a server joins its own trace to that of the effect. */
export function traceHeaders(): Record<string, string> {
  const traceparent = current.getStore();
  return traceparent === undefined ? {} : { traceparent };
}

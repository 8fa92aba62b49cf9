import type { HttpReply } from "../domain/ports/http-fetch.ts";

/** For pages that say nothing of how long they hold (RFC 9111 §4.2.2 leaves it to the cache). */
const DEFAULT_MS = 600_000;
/** However long a page claims to hold. */
const MAX_MS = 3_600_000;

/**
 * For how many milliseconds an answer may be given again without asking (RFC 9111 §4.2); 0 means that it may be kept, and
 * asked about with its validators. Null for what must not be kept: anything but a 200, what forbids it, what varies by
 * more than the request, and what holds for no time and could not be asked about.
 */
export function freshMs({ status, headers }: HttpReply, now: number): number | null {
  const directives = readDirectives(headers["cache-control"] ?? "");
  if (status !== 200 || directives.has("no-store") || directives.has("private") || headers.vary?.includes("*") === true) return null;
  const lifetime = directives.has("no-cache") ? 0 : lifetimeMs(directives, headers, now);
  const fresh = Math.min(MAX_MS, Math.max(0, lifetime - ageMs(headers)));
  const canBeAskedAbout = headers.etag !== undefined || headers["last-modified"] !== undefined;
  return fresh > 0 || canBeAskedAbout ? fresh : null;
}

function readDirectives(cacheControl: string): Map<string, string> {
  const parts = cacheControl.toLowerCase().split(",");
  return new Map(
    parts.map((part) => {
      const [name = "", value = ""] = part.trim().split("=", 2);
      return [name, value.replaceAll('"', "")];
    }),
  );
}

function lifetimeMs(directives: ReadonlyMap<string, string>, headers: HttpReply["headers"], now: number): number {
  const seconds = directives.get("s-maxage") ?? directives.get("max-age");
  if (seconds !== undefined) return /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : 0;
  if (headers.expires === undefined) return DEFAULT_MS;
  const sent = Date.parse(headers.date ?? "");
  const until = Date.parse(headers.expires);
  return Number.isNaN(until) ? 0 : until - (Number.isNaN(sent) ? now : sent);
}

function ageMs({ age = "" }: HttpReply["headers"]): number {
  return /^\d+$/.test(age) ? Number(age) * 1_000 : 0;
}

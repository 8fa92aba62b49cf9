import { LRUCache } from "lru-cache";
import type { HttpReply, HttpRequest } from "../domain/ports/sources.ts";

const MAX_BYTES = 64_000_000;
const MAX_ENTRY_BYTES = 5_000_000;
const ENTRY_BYTES = 4_000;

/** An HTTP cache (RFC 9111) of 200 responses to GET, shared by all runs. `read` revalidates an expired page with `send`. */
export function createPageCache(clock: () => number) {
  const pages = new LRUCache<string, { readonly reply: HttpReply; readonly freshUntil: number }>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ reply }) => reply.body.byteLength + ENTRY_BYTES,
  });

  function keep(key: string, reply: HttpReply): void {
    pages.delete(key);
    const fresh = freshMs(reply, clock());
    if (fresh !== null) pages.set(key, { reply: copyOf(reply), freshUntil: clock() + fresh });
  }

  return {
    async read(request: HttpRequest, send: (request: HttpRequest) => Promise<HttpReply>): Promise<HttpReply> {
      if (request.method !== undefined && request.method !== "GET") return send(request);
      const key = keyOf(request);
      const kept = pages.get(key);
      if (kept !== undefined && kept.reply.body.byteLength > (request.maxBytes ?? Number.POSITIVE_INFINITY)) return send(request);
      if (kept !== undefined && clock() < kept.freshUntil) return copyOf(kept.reply);
      const reply = await send(kept === undefined ? request : withValidators(request, kept.reply));
      if (kept === undefined || reply.status !== 304) {
        keep(key, reply);
        return reply;
      }
      if (!confirms(reply, kept.reply)) {
        pages.delete(key);
        return send(request);
      }
      const renewed = { ...kept.reply, headers: { ...kept.reply.headers, ...reply.headers } };
      keep(key, renewed);
      return copyOf(renewed);
    },
  };
}

/** The key contains all request headers, so that any `Vary` is respected. */
function keyOf({ url, headers = {} }: HttpRequest): string {
  const address = new URL(url);
  address.hash = "";
  return JSON.stringify([address.href, Object.entries(headers).sort()]);
}

function withValidators(request: HttpRequest, { headers }: HttpReply): HttpRequest {
  const { etag, "last-modified": modified } = headers;
  const validators = {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(modified !== undefined && { "if-modified-since": modified }),
  };
  return { ...request, headers: { ...request.headers, ...validators } };
}

/** Some servers send a 304 with another ETag, which does not confirm the cached page. */
function confirms(notModified: HttpReply, kept: HttpReply): boolean {
  const { etag } = notModified.headers;
  return etag === undefined || strong(etag) === strong(kept.headers.etag ?? "");
}

function strong(etag: string): string {
  return etag.replace(/^W\//, "");
}

/** Callers may transfer the bytes to a thread, which would detach the cached array. */
function copyOf(reply: HttpReply): HttpReply {
  return { ...reply, body: new Uint8Array(reply.body) };
}

/** Pages without an expiry are fresh for this time (RFC 9111 §4.2.2). */
const DEFAULT_MS = 600_000;
const MAX_MS = 3_600_000;

/** Returns how long a page is fresh, in milliseconds (RFC 9111 §4.2); 0 if it must be revalidated, null if it must not be cached. */
function freshMs({ status, headers }: HttpReply, now: number): number | null {
  const directives = readDirectives(headers["cache-control"] ?? "");
  if (status !== 200 || directives.has("no-store") || directives.has("private") || headers.vary?.includes("*") === true) return null;
  const lifetime = directives.has("no-cache") ? 0 : lifetimeMs(directives, headers, now);
  const { age = "" } = headers;
  const ageMs = /^\d+$/.test(age) ? Number(age) * 1_000 : 0;
  const fresh = Math.min(MAX_MS, Math.max(0, lifetime - ageMs));
  const hasValidator = headers.etag !== undefined || headers["last-modified"] !== undefined;
  return fresh > 0 || hasValidator ? fresh : null;
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

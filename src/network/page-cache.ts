import CachePolicy from "http-cache-semantics";
import { LRUCache } from "lru-cache";
import type { HttpReply, HttpRequest } from "../domain/ports/sources.ts";

const MAX_BYTES = 64_000_000;
const MAX_ENTRY_BYTES = 5_000_000;
const ENTRY_BYTES = 4_000;

/** Pages without an expiry are fresh for this time (RFC 9111 §4.2.2). */
const DEFAULT_EXPIRY = "max-age=600";
const MAX_SECONDS = 3_600;

interface CachedPage {
  readonly reply: HttpReply;
  readonly policy: CachePolicy;
}

/** An HTTP cache (RFC 9111) of 200 responses to GET, shared by all runs. `read` revalidates an expired page with `send`. */
export function createPageCache(clock: () => number) {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ reply }) => reply.body.byteLength + ENTRY_BYTES,
  });

  class Policy extends CachePolicy {
    // The declarations of the library lack this method, by which it reads the time.
    now(): number {
      return clock();
    }
  }

  function store(key: string, reply: HttpReply, policy: CachePolicy): void {
    pages.delete(key);
    if (reply.status === 200 && policy.storable()) pages.set(key, { reply: copyOf(reply), policy });
  }

  return {
    async read(request: HttpRequest, send: (request: HttpRequest) => Promise<HttpReply>): Promise<HttpReply> {
      if (request.method !== undefined && request.method !== "GET") return send(request);
      const key = keyOf(request);
      const query = { url: request.url, headers: request.headers ?? {} };
      const cached = pages.get(key);
      if (cached === undefined) {
        const reply = await send(request);
        store(key, reply, new Policy(query, withExpiry(reply)));
        return reply;
      }
      const { reply: known, policy } = cached;
      if (known.body.byteLength > (request.maxBytes ?? Number.POSITIVE_INFINITY)) return send(request);
      if (policy.age() < MAX_SECONDS && policy.satisfiesWithoutRevalidation(query)) return copyOf(known);
      const reply = await send({ ...request, headers: policy.revalidationHeaders(query) as Record<string, string> });
      if (reply.status !== 304) {
        store(key, reply, new Policy(query, withExpiry(reply)));
        return reply;
      }
      // A 304 may leave out the validators that it confirms.
      const renewed = policy.revalidatedPolicy(query, { status: 304, headers: { ...known.headers, ...reply.headers } });
      pages.delete(key);
      // Some servers send a 304 with another ETag, which does not confirm the cached page.
      if (!renewed.matches) return send(request);
      store(key, known, renewed.policy);
      return copyOf(known);
    },
  };
}

/** The key contains all request headers, so that any `Vary` is respected. */
function keyOf({ url, headers = {} }: HttpRequest): string {
  const address = new URL(url);
  address.hash = "";
  return JSON.stringify([address.href, Object.entries(headers).sort()]);
}

function withExpiry({ status, headers }: HttpReply): CachePolicy.Response {
  const hasExpiry = headers["cache-control"] !== undefined || headers.expires !== undefined;
  return { status, headers: hasExpiry ? headers : { ...headers, "cache-control": DEFAULT_EXPIRY } };
}

/** Callers may transfer the bytes to a thread, which would detach the cached array. */
function copyOf(reply: HttpReply): HttpReply {
  return { ...reply, body: new Uint8Array(reply.body) };
}

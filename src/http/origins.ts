import { parseOrigin } from "../domain/web-address.ts";
import { DossierError } from "../errors.ts";

/** Response headers that a page elsewhere may read. */
const EXPOSED = "Location, Last-Event-ID, Idempotency-Key, Preference-Applied, Retry-After, Allow, ETag, Content-Disposition";

const PREFLIGHT_ANSWER = {
  "access-control-allow-methods": "GET, HEAD, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Prefer, X-API-Key",
  "access-control-max-age": "600",
};

/** The headers that let a page elsewhere read an answer; empty where the page is our own, or there is none. */
export type CorsHeaders = Readonly<Record<string, string>>;

/**
 * A check of the `Origin` of a request: none and our own pass (any scheme, as a proxy may have ended TLS), one of `allowed`
 * passes with the headers its browser asks for, every other and `null` is refused.
 * @throws DossierError `config_invalid` for an entry that is no origin; the check throws `forbidden_origin`
 */
export function createOriginCheck(allowed: readonly string[]): (origin: string | undefined, host: string | undefined) => CorsHeaders {
  const origins = new Set(
    allowed.map((entry) => {
      const origin = parseOrigin(entry);
      if (origin === null)
        throw new DossierError("config_invalid", `A CORS origin is like https://example.com, not ${JSON.stringify(entry)}.`);
      return origin;
    }),
  );
  return (header, host) => {
    if (header === undefined) return {};
    const origin = parseOrigin(header);
    if (origin !== null && origins.has(origin)) {
      return { "access-control-allow-origin": header, "access-control-expose-headers": EXPOSED };
    }
    if (origin !== null && isSameHost(origin, host)) return {};
    throw new DossierError("forbidden_origin", "Pages of that Origin are not served; CORS_ORIGINS lists those that are.");
  };
}

/** What a preflight request of an allowed origin is told on top of `headers`. */
export function preflightHeaders(headers: CorsHeaders): CorsHeaders {
  return { ...headers, ...PREFLIGHT_ANSWER };
}

function isSameHost(origin: string, host: string | undefined): boolean {
  const { protocol, host: own } = new URL(origin);
  const target = `${protocol}//${host}`;
  return host !== undefined && URL.canParse(target) && new URL(target).host === own;
}

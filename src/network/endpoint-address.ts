import type { Endpoint } from "../domain/ports/http-fetch.ts";

/**
 * Where a request to a public address of an endpoint really goes: the operator's base URL takes the place of scheme and
 * host; where the endpoint has several hosts, the public one becomes the first segment of the path. What the service
 * behind the base URL redirects to at its own origin is left as it is. Null for an address that is none of the
 * endpoint's, and where no base URL is set.
 */
export function configuredAddress(endpoint: Endpoint, url: URL, baseUrl: string | undefined): URL | null {
  if (baseUrl === undefined) return null;
  if (url.origin === new URL(baseUrl).origin) return url;
  if (!endpoint.hosts.includes(url.host)) return null;
  const base = baseUrl.replace(/\/+$/, "");
  const host = endpoint.hosts.length > 1 ? `/${url.host}` : "";
  return new URL(`${base}${host}${url.pathname}${url.search}`);
}

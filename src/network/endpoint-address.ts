import type { Endpoint } from "../domain/ports/http-fetch.ts";

/**
 * Where a request to a public address of an endpoint really goes: the operator's base URL takes the place of scheme and
 * host; where the endpoint has several hosts, the public one becomes the first segment of the path. Null for an address
 * that is none of the endpoint's, and where no base URL is set.
 */
export function configuredAddress(endpoint: Endpoint, url: URL, baseUrl: string | undefined): URL | null {
  if (baseUrl === undefined || !endpoint.hosts.includes(url.host)) return null;
  const base = baseUrl.replace(/\/+$/, "");
  const host = endpoint.hosts.length > 1 ? `/${url.host}` : "";
  return new URL(`${base}${host}${url.pathname}${url.search}`);
}

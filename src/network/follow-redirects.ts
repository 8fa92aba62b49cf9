import type { HttpReply, HttpRequest } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What must not go along to another origin. */
const SECRETS = ["authorization", "cookie", "x-api-key", "x-subscription-token"];

/**
 * Sends a request and each step it is redirected to, at most 5. Every step goes through `send`, which checks it like the
 * first one; secrets stay with their origin, and only 307 and 308 repeat a body.
 * @throws DossierError `unreachable` for a redirect that leads nowhere or goes on too long
 */
export async function followRedirects(first: HttpRequest, send: (request: HttpRequest) => Promise<HttpReply>): Promise<HttpReply> {
  let request = first;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const reply = await send(request);
    const { location } = reply.headers;
    if (!REDIRECTS.has(reply.status) || location === undefined) return reply;
    if (!URL.canParse(location, request.url))
      throw new DossierError("unreachable", `${request.url} redirects to something that is no address.`);
    request = nextStep(request, new URL(location, request.url), reply.status);
  }
  throw new DossierError("unreachable", `${first.url} redirects more than ${MAX_REDIRECTS} times.`);
}

function nextStep(request: HttpRequest, url: URL, status: number): HttpRequest {
  const sameOrigin = url.origin === new URL(request.url).origin;
  const headers = Object.fromEntries(Object.entries(request.headers ?? {}).filter(([name]) => sameOrigin || !SECRETS.includes(name)));
  const { body, ...rest } = { ...request, headers, url: url.href };
  return status === 307 || status === 308 ? { ...rest, ...(body !== undefined && { body }) } : { ...rest, method: "GET" };
}

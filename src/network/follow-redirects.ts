import type { HttpReply, HttpRequest } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";
import { forbidden } from "./check-link.ts";

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What may go along to another origin; all else, keys above all, is for the one it was made for. */
const HARMLESS = new Set(["accept", "accept-encoding", "accept-language", "user-agent"]);

/** Whether an answer says nothing but where to go on. */
export function isRedirect({ status, headers }: Pick<HttpReply, "status" | "headers">): boolean {
  return REDIRECTS.has(status) && headers.location !== undefined;
}

/**
 * Sends a request and each step it is redirected to, at most 5. Every step goes through `send`, which checks it like the
 * first one. Only 307 and 308 repeat a body, and only at the same origin. From https to http is followed, as the
 * resolvers of DOIs lead there; nothing secret goes along.
 * @throws DossierError `unreachable` for a redirect that goes on too long, `forbidden_address` for one to what is no URL
 */
export async function followRedirects(first: HttpRequest, send: (request: HttpRequest) => Promise<HttpReply>): Promise<HttpReply> {
  let request = first;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const reply = await send(request);
    const { location } = reply.headers;
    if (!isRedirect(reply) || location === undefined) return reply;
    // The request may have gone elsewhere than it says, see `configuredAddress`.
    if (!URL.canParse(location, reply.url)) throw forbidden(location, "it is not a URL");
    request = nextStep(request, reply, new URL(location, reply.url));
  }
  throw new DossierError("unreachable", `${new URL(first.url).host} redirects more than ${MAX_REDIRECTS} times.`);
}

function nextStep(request: HttpRequest, { url: said, status }: HttpReply, url: URL): HttpRequest {
  const sameOrigin = url.origin === new URL(said).origin;
  const repeated = status === 307 || status === 308;
  const { body, headers = {}, method = "GET", ...rest } = request;
  if (repeated && method !== "GET" && !sameOrigin) {
    throw new DossierError("unreachable", `${new URL(said).host} wants to be asked at another place, ${url.host}.`);
  }
  const kept = Object.entries(headers).filter(([name]) => (sameOrigin && (repeated || name !== "content-type")) || HARMLESS.has(name));
  const next = { ...rest, url: url.href, headers: Object.fromEntries(kept) };
  return repeated ? { ...next, method, ...(body !== undefined && { body }) } : { ...next, method: "GET" };
}

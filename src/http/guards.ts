import type { FastifyReply, FastifyRequest } from "fastify";
import { DossierError } from "../errors.ts";
import { parseAuthority, parseOrigin } from "../util/web-address.ts";
import type { Connections } from "./connections.ts";
import type { HttpApp } from "./http-app.ts";

/** The names a machine has for itself; no page elsewhere can bring a browser to send them to us under another name. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** One request as far as its target host goes. */
interface HostClaim {
  /** Every `Host` header of the request; a proper one has exactly one. */
  readonly hosts: readonly string[];
  /** The request target as sent; in absolute form it names a host too. */
  readonly target: string;
  /** The address the connection came in at. */
  readonly localAddress: string | undefined;
}

/**
 * A check that throws unless a request is meant for this server: its `Host` is one of `allowed` (a name for any port, or
 * `name:port`), or the literal address it came in at. Both are out of reach of DNS rebinding, where a foreign name is made
 * to resolve to us.
 * @throws DossierError `config_invalid` for an entry that is no host; the check throws `invalid_request` where there is not
 * exactly one `Host`, and `forbidden_host`
 */
function createHostCheck(allowed: readonly string[]): (claim: HostClaim) => void {
  const entries = allowed.map((entry) => {
    const authority = parseAuthority(entry);
    if (authority === null)
      throw new DossierError("config_invalid", `An allowed host is a name or name:port, not ${JSON.stringify(entry)}.`);
    return authority;
  });
  const isServed = (host: string, localAddress: string | undefined) => {
    const authority = parseAuthority(host);
    if (authority === null) return false;
    if (authority.name === addressAsHost(localAddress)) return true;
    return entries.some(({ name, port }) => name === authority.name && (port === null || port === authority.port));
  };
  return ({ hosts, target, localAddress }) => {
    if (hosts.length !== 1) throw new DossierError("invalid_request", "A request needs exactly one Host header.");
    for (const host of [...hosts, ...hostOfTarget(target)]) {
      if (!isServed(host, localAddress)) {
        throw new DossierError("forbidden_host", "This server does not answer to that Host; ALLOWED_HOSTS lists those that it does.");
      }
    }
  };
}

function hostOfTarget(target: string): string[] {
  if (target.startsWith("/") || target === "*") return [];
  return [/^[a-z]+:\/\/([^/?#]*)/i.exec(target)?.[1] ?? target];
}

/** A socket's address as it would stand in a `Host` header. */
function addressAsHost(address: string | undefined): string | undefined {
  const plain = address?.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  return plain?.includes(":") ? `[${plain}]` : plain;
}

/** Served under any Host, so that a container's health check needs to know none. It tells nothing and changes nothing. */
const ANY_HOST_ROUTE = "/healthz";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** For answers that are data: nothing is sniffed, cached, framed, run or embedded elsewhere. */
const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
};

interface GuardOptions {
  readonly connections: Connections;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: readonly string[];
}

/** Puts in front of every route what holds for all: headers, shutdown, Host, Origin, and then whether there is such a route. */
export function registerGuards(app: HttpApp, { connections, allowedHosts, corsOrigins }: GuardOptions): void {
  const checkHost = createHostCheck(allowedHosts);
  const checkOrigin = createOriginCheck(corsOrigins);

  // On arrival rather than on sending: streams write their own heads and take these along.
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    if (connections.closing) throw refuseWhileClosing(reply);
    if (request.routeOptions.url !== ANY_HOST_ROUTE) checkHost(hostClaimOf(request));
    const cors = checkOrigin(request.headers.origin, request.headers.host);
    reply.headers(cors);
    if (isPreflight(request)) return reply.code(204).headers(preflightHeaders(cors)).send();
    if (request.is404) return answerUnrouted(app, request, reply);
  });
  app.setNotFoundHandler((request, reply) => answerUnrouted(app, request, reply));
}

function refuseWhileClosing(reply: FastifyReply): DossierError {
  reply.header("connection", "close");
  return new DossierError("draining", "The server is shutting down; nothing was started. Try again in a moment.");
}

function hostClaimOf({ raw }: FastifyRequest) {
  // Node keeps only the first of several; all of them count.
  const hosts = raw.rawHeaders.filter((_text, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === "host");
  return { hosts, target: raw.url ?? "", localAddress: raw.socket.localAddress };
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** What there is to say where no route fits: which methods would, or that there is nothing. */
function answerUnrouted(app: HttpApp, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = request.url === "*" ? METHODS : allowedMethods(app, request.url);
  // A route of that very method has looked and found nothing (a folder of files does so).
  if (allowed.length === 0 || allowed.some((method) => method === request.method)) {
    throw new DossierError("not_found", "There is nothing at this address.");
  }
  reply.header("allow", [...allowed, "OPTIONS"].join(", "));
  if (request.method === "OPTIONS") return reply.code(204).send();
  throw new DossierError("method_not_allowed", `${request.method} is not served here; ${allowed.join(", ")} would be.`);
}

function allowedMethods(app: HttpApp, url: string): readonly string[] {
  const [path = ""] = url.split("?");
  return METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
}

/** Response headers that a page elsewhere may read. */
const EXPOSED = "Location, Last-Event-ID, Idempotency-Key, Preference-Applied, Retry-After, Allow, ETag, Content-Disposition";

const PREFLIGHT_ANSWER = {
  "access-control-allow-methods": "GET, HEAD, POST, DELETE, OPTIONS",
  "access-control-allow-headers": "Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Prefer, X-API-Key",
  "access-control-max-age": "600",
};

/** The headers that let a page elsewhere read an answer; empty where the page is our own, or there is none. */
type CorsHeaders = Readonly<Record<string, string>>;

/**
 * A check of the `Origin` of a request: none and our own pass (any scheme, as a proxy may have ended TLS), one of `allowed`
 * passes with the headers its browser asks for, every other and `null` is refused.
 * @throws DossierError `config_invalid` for an entry that is no origin; the check throws `forbidden_origin`
 */
function createOriginCheck(allowed: readonly string[]): (origin: string | undefined, host: string | undefined) => CorsHeaders {
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
function preflightHeaders(headers: CorsHeaders): CorsHeaders {
  return { ...headers, ...PREFLIGHT_ANSWER };
}

function isSameHost(origin: string, host: string | undefined): boolean {
  const { protocol, host: own } = new URL(origin);
  const target = `${protocol}//${host}`;
  return host !== undefined && URL.canParse(target) && new URL(target).host === own;
}

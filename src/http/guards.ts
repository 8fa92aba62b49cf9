import { fastifyCors } from "@fastify/cors";
import { fastifyHelmet } from "@fastify/helmet";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DossierError } from "../errors.ts";
import { parseAuthority, parseOrigin } from "../util/web-address.ts";
import type { Connections, HttpApp } from "./http-app.ts";

/** Browsers resolve these names to their own machine, so a DNS rebinding attack cannot use them. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Container health checks may send any Host. */
const ANY_HOST_ROUTE = "/healthz";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

const CORS_HEADERS = {
  methods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  allowedHeaders: "Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Prefer, X-API-Key",
  exposedHeaders: "Location, Last-Event-ID, Idempotency-Key, Preference-Applied, Retry-After, Allow, ETag, Content-Disposition",
  maxAge: 600,
};

/** Adds security headers. Refuses requests during shutdown, with a wrong Host or Origin, or to an unknown route, in this order. */
export async function registerGuards(
  app: HttpApp,
  connections: Connections,
  allowedHosts: readonly string[],
  corsOrigins: readonly string[],
): Promise<void> {
  const checkHost = createHostCheck(allowedHosts);
  const isListed = createOriginCheck(corsOrigins);

  await app.register(fastifyHelmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // This server speaks plain HTTP; a TLS proxy in front of it decides about HSTS.
    strictTransportSecurity: false,
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    if (connections.closing) {
      reply.header("connection", "close");
      throw new DossierError("draining", "Nothing was started: the server is shutting down. Try again after the restart.");
    }
    if (request.routeOptions.url !== ANY_HOST_ROUTE) checkHost(request);
  });
  await app.register(fastifyCors, {
    delegator: async (request: FastifyRequest) => {
      const { origin, "access-control-request-method": method } = request.headers;
      return { ...CORS_HEADERS, origin: isListed(request), preflight: origin !== undefined && method !== undefined };
    },
  });
  app.addHook("onRequest", async (request, reply) => {
    if (request.is404) return answerUnrouted(app, request, reply);
  });
  app.setNotFoundHandler((request, reply) => answerUnrouted(app, request, reply));
}

function answerUnrouted(app: HttpApp, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = request.url === "*" ? METHODS : allowedMethods(app, request.url);
  if (allowed.length === 0) throw new DossierError("not_found", "There is nothing at this address; see /docs.");
  reply.header("allow", [...allowed, "OPTIONS"].join(", "));
  if (request.method === "OPTIONS") return reply.code(204).send();
  throw new DossierError("method_not_allowed", `${request.method} is not allowed at this address. Allowed: ${allowed.join(", ")}.`);
}

function allowedMethods(app: HttpApp, url: string): readonly string[] {
  const [path = ""] = url.split("?");
  return METHODS.filter((method) => app.findRoute({ method, url: path }) !== null);
}

function createHostCheck(allowed: readonly string[]): (request: FastifyRequest) => void {
  const entries = allowed.flatMap((entry) => parseAuthority(entry) ?? []);
  const isServed = (host: string, localAddress: string | undefined) => {
    const authority = parseAuthority(host);
    if (authority === null) return false;
    if (authority.name === addressAsHost(localAddress)) return true;
    return entries.some(({ name, port }) => name === authority.name && (port === null || port === authority.port));
  };
  return ({ raw }) => {
    // `headers.host` contains only the first Host header.
    const hosts = raw.rawHeaders.filter((_text, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === "host");
    if (hosts.length !== 1) throw new DossierError("invalid_request", "A request must have exactly one Host header.");
    for (const host of [...hosts, ...hostOfTarget(raw.url ?? "")]) {
      if (isServed(host, raw.socket.localAddress)) continue;
      throw new DossierError("forbidden_host", "This Host is not allowed. Add it to ALLOWED_HOSTS to allow it.");
    }
  };
}

function hostOfTarget(target: string): string[] {
  if (target.startsWith("/") || target === "*") return [];
  return [/^[a-z]+:\/\/([^/?#]*)/i.exec(target)?.[1] ?? target];
}

function addressAsHost(address: string | undefined): string | undefined {
  const plain = address?.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  return plain?.includes(":") ? `[${plain}]` : plain;
}

const READING: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/** The server's own origin may have another scheme behind a TLS proxy. @throws DossierError `forbidden_origin` */
function createOriginCheck(allowed: readonly string[]): (request: FastifyRequest) => boolean {
  const origins = allowed.flatMap((entry) => parseOrigin(entry) ?? []);
  return ({ headers, method }) => {
    const origin = headers.origin === undefined ? undefined : parseOrigin(headers.origin);
    if (typeof origin === "string" && origins.includes(origin)) return true;
    // Browsers send a form of another page without asking first. Of a page on another port of this machine they say `same-site`.
    const site = headers["sec-fetch-site"] ?? "none";
    const isForeign = !READING.includes(method) && site !== "same-origin" && site !== "none";
    if (!isForeign && (origin === undefined || (origin !== null && isSameHost(origin, headers.host)))) return false;
    throw new DossierError("forbidden_origin", "Pages of this Origin are not allowed. Add it to CORS_ORIGINS to allow them.");
  };
}

function isSameHost(origin: string, host: string | undefined): boolean {
  const { protocol, host: own } = new URL(origin);
  const target = `${protocol}//${host}`;
  return host !== undefined && URL.canParse(target) && new URL(target).host === own;
}

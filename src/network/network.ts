import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import { Agent } from "undici";
import type { CallContext, Endpoint, HttpFetch, HttpReply, HttpRequest, Rate } from "../domain/ports/sources.ts";
import { DossierError } from "../errors.ts";
import { parseRetryAfter } from "../util/retry-after.ts";
import { type AllowedHosts, checkLink, withoutCredentials } from "./check-link.ts";
import {
  createGuardedConnector,
  createNameResolver,
  createTrustedConnector,
  NAME_SHARE,
  type Resolve,
  resolveBySystem,
} from "./guarded-connector.ts";
import { createPageCache } from "./page-cache.ts";
import { ACCEPTED_ENCODINGS } from "./read-response.ts";
import { followRedirects, sendRequest, TIME_LIMITS, type TimeLimits } from "./send-request.ts";

/** Politeness to a host that never asked for a rate. */
const LINK_RATE: Rate = { requests: 4, perMs: 1_000, concurrent: 2 };
const MAX_HEADER_BYTES = 32_768;
/** The one source whose hits lie on this machine. */
const LOCAL_SOURCE = "corpus";

export interface NetworkOptions {
  /** By the id of an endpoint: the address the operator configured for it. */
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly allowedHosts: AllowedHosts;
  /** Sent where a request names none. */
  readonly userAgent: string;
  /** Answers for the name servers and for the system. */
  readonly resolve?: Resolve;
  /** `address:port` of name servers; those of the system where left out. */
  readonly nameServers?: readonly string[];
  readonly limits?: TimeLimits;
  /** Milliseconds since 1970; tells how old a kept page is. */
  readonly clock?: () => number;
}

export interface Network extends HttpFetch {
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Everything that opens a socket on behalf of a run. */
export function createNetwork(options: NetworkOptions): Network {
  const { baseUrls, allowedHosts, userAgent, limits = TIME_LIMITS, clock = Date.now } = options;
  const closing = new AbortController();
  const connections = {
    resolve: options.resolve ?? namesOf(options, limits),
    resolveListed: options.resolve ?? resolveBySystem,
    allowed: allowedHosts,
    timeoutMs: limits.connectMs,
    signal: closing.signal,
  };
  const guarded = new Agent({ connect: createGuardedConnector(connections), maxHeaderSize: MAX_HEADER_BYTES });
  const trusted = new Agent({
    connect: createTrustedConnector({ ...connections, resolveListed: resolveBySystem }),
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const pages = createPageCache(clock);
  const pacing = limits.paced ? createPacing() : UNPACED;
  const complete = (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: { "user-agent": userAgent, "accept-encoding": ACCEPTED_ENCODINGS, ...request.headers },
  });

  async function sendToService(endpoint: Endpoint, request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const own = configuredAddress(endpoint, new URL(request.url), baseUrls[endpoint.id]);
    const url = own ?? checkLink(request.url, allowedHosts);
    const way = { dispatcher: own === null ? guarded : trusted, limits, signal };
    return pacing.run(endpoint.id, endpoint.rate, () => sendRequest(url, request, way), signal);
  }

  async function sendAfterLink(request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const url = checkLink(request.url, allowedHosts);
    const way = { dispatcher: guarded, limits, signal };
    return pages.read({ ...request, url: url.href }, (asked) =>
      pacing.run(url.host, LINK_RATE, () => sendRequest(url, asked, way), signal),
    );
  }

  return {
    async ask(endpoint, request, context) {
      checkScope(endpoint.owner, request.url, context);
      const { signal } = context;
      const reply = await followRedirects(request, (step) => retryOnce(() => sendToService(endpoint, complete(step), signal), signal));
      // What stands in a report is the public address, wherever the operator had it fetched.
      return configuredAddress(endpoint, new URL(reply.url), baseUrls[endpoint.id]) === null ? reply : { ...reply, url: request.url };
    },
    async follow(owner, request, context) {
      checkScope(owner, request.url, context);
      return followRedirects(request, (step) => sendAfterLink(complete(step), context.signal));
    },
    async close() {
      closing.abort();
      await Promise.all([guarded.destroy(), trusted.destroy()]);
    },
  };
}

/** Two tries within the time that a name has. */
function namesOf({ nameServers }: NetworkOptions, { connectMs }: TimeLimits): Resolve {
  const retryMs = Math.ceil((connectMs * NAME_SHARE) / 3);
  return createNameResolver({ retryMs, ...(nameServers && { servers: nameServers }) });
}

/** A run connects to nothing but what its scope names; a corpus has no links that could be followed on its behalf. */
function checkScope(owner: string, url: string, { scope }: CallContext): void {
  if (scope.includes(owner) && owner !== LOCAL_SOURCE) return;
  throw new DossierError(
    "out_of_scope",
    `${withoutCredentials(url).slice(0, 200)} was not fetched: the scope of the run is ${scope.join(", ")}.`,
  );
}

/**
 * Where a request to a public address of an endpoint really goes: the operator's base URL takes the place of scheme and
 * host; where the endpoint has several hosts, the public one becomes the first segment of the path. What the service
 * behind the base URL redirects to at its own origin is left as it is. Null for an address that is none of the
 * endpoint's, and where no base URL is set.
 */
function configuredAddress(endpoint: Endpoint, url: URL, baseUrl: string | undefined): URL | null {
  if (baseUrl === undefined) return null;
  if (url.origin === new URL(baseUrl).origin) return url;
  if (!endpoint.hosts.includes(url.host)) return null;
  const base = baseUrl.replace(/\/+$/, "");
  const host = endpoint.hosts.length > 1 ? `/${url.host}` : "";
  return new URL(`${base}${host}${url.pathname}${url.search}`);
}

/** Hosts remembered at the same time; a host that is forgotten has been idle for longer than any rate lasts. */
const MAX_HOSTS = 2_000;
/** More than so many waiting for one host means that something is wrong; they are refused rather than piled up. */
const MAX_WAITING = 1_000;

/** Holds requests back until the rate of their host or service allows them, across all runs of a process. */
interface Pacing {
  /** @throws DossierError `rate_limited` when too many wait already; the reason of `signal` */
  run<T>(key: string, rate: Rate, task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

const UNPACED: Pacing = { run: (_key, _rate, task) => task() };

export function createPacing(): Pacing {
  const queues = new LRUCache<string, PQueue>({ max: MAX_HOSTS });
  return {
    async run(key, rate, task, signal) {
      const queue = queues.get(key) ?? createQueue(rate);
      queues.set(key, queue);
      if (queue.size >= MAX_WAITING) throw new DossierError("rate_limited", `Too many requests are waiting for ${key}.`);
      return queue.add(task, { signal });
    },
  };
}

function createQueue({ requests, perMs, concurrent }: Rate): PQueue {
  return new PQueue({ concurrency: concurrent, intervalCap: requests, interval: perMs, strict: true });
}

/** The longest pause that a service may ask for before the one further try; a longer one is the run's answer. */
const MAX_PAUSE_MS = 5_000;
const PAUSE_MS = 500;

/** Sends again, once, where that helps: after a broken connection, and after 429, 502, 503 and 504 when the pause asked for is short. */
async function retryOnce(send: () => Promise<HttpReply>, signal: AbortSignal): Promise<HttpReply> {
  const first = await send().catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof DossierError && error.code === "unreachable" && isBrokenConnection(error)) return null;
    throw error;
  });
  const pauseMs = first === null ? PAUSE_MS : pauseAfter(first);
  if (first !== null && (pauseMs === null || pauseMs > MAX_PAUSE_MS)) return first;
  await setTimeout(pauseMs ?? PAUSE_MS, undefined, { signal });
  return send();
}

/** A name that does not resolve and a port that refuses will do so again. */
function isBrokenConnection({ cause }: DossierError): boolean {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ECONNRESET" || code === "UND_ERR_SOCKET" || code === "EPIPE";
}

/** Milliseconds to wait before another try, or null where another try makes no sense. */
function pauseAfter({ status, headers }: HttpReply): number | null {
  if (![429, 502, 503, 504].includes(status)) return null;
  const asked = headers["retry-after"];
  if (asked === undefined) return status === 429 ? null : PAUSE_MS;
  return parseRetryAfter(asked, Date.now()) ?? PAUSE_MS;
}

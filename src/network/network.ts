import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import { z } from "zod";
import { refusalOfDomain } from "../domain/domains.ts";
import { hashJson } from "../domain/json.ts";
import { OWN_LIMITS, type SharedLimits } from "../domain/ports/shared-limits.ts";
import type { CallContext, Endpoint, HttpFetch, HttpReply, HttpRequest, Rate } from "../domain/ports/sources.ts";
import { DossierError } from "../errors.ts";
import { parseRetryAfter } from "../util/retry-after.ts";
import { type AllowedHosts, checkLink, withoutCredentials } from "./check-link.ts";
import {
  createGuardedConnector,
  createLocator,
  createNameResolver,
  createTrustedConnector,
  NAME_SHARE,
  type Resolve,
  resolveBySystem,
} from "./guarded-connector.ts";
import { createPageCache } from "./page-cache.ts";
import { openAgent, type Proxies } from "./proxies.ts";
import { ACCEPTED_ENCODINGS } from "./read-response.ts";
import { createRobots } from "./robots.ts";
import { followRedirects, sendRequest, TIME_LIMITS, type TimeLimits } from "./send-request.ts";

const LINK_RATE: Rate = { requests: 4, perMs: 1_000, concurrent: 2 };
const MAX_HEADER_BYTES = 32_768;
const MAX_ROBOTS_BYTES = 1_000_000;
const LOCAL_SOURCE = "corpus";

export interface NetworkOptions {
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly allowedHosts: AllowedHosts;
  readonly userAgent: string;
  readonly resolve?: Resolve;
  /** The name servers as `address:port`; default: the system's. */
  readonly nameServers?: readonly string[];
  readonly proxies?: Proxies | null;
  readonly limits?: TimeLimits;
  /** Whether pages are read only where `robots.txt` allows it. Default: false. */
  readonly obeysRobots?: boolean;
  /** Limits that other processes keep too. */
  readonly shared?: SharedLimits;
  readonly clock?: () => number;
  /** Waits before a request is sent again; default: a timer. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const pauseFor = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });

export interface Network extends HttpFetch {
  close(): Promise<void>;
}

export function createNetwork(options: NetworkOptions): Network {
  const { baseUrls, allowedHosts, userAgent, proxies = null, limits = TIME_LIMITS, clock = Date.now, pause = pauseFor } = options;
  const closing = new AbortController();
  const connections = {
    // One try may take a third of the time for the name, so that a second try fits.
    resolve: options.resolve ?? createNameResolver(options.nameServers, Math.ceil((limits.connectMs * NAME_SHARE) / 3)),
    resolveListed: options.resolve ?? resolveBySystem,
    allowed: allowedHosts,
    timeoutMs: limits.connectMs,
    signal: closing.signal,
  };
  const terms = { maxHeaderSize: MAX_HEADER_BYTES, connectTimeout: limits.connectMs };
  const checked = { ...terms, connect: createGuardedConnector(connections) };
  const guarded = openAgent(checked, proxies, createLocator(connections));
  // The hosts of a source are known, unlike those to which it redirects.
  const known = openAgent(checked, proxies);
  const trusted = openAgent({ ...terms, connect: createTrustedConnector({ ...connections, resolveListed: resolveBySystem }) }, proxies);
  const pages = createPageCache(clock);
  const robots = options.obeysRobots === true ? createRobots(userAgent, clock) : null;
  const pacing = limits.paced ? createPacing(options.shared) : { run: <T>(_key: string, _rate: Rate, task: () => Promise<T>) => task() };
  const complete = (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: { "user-agent": userAgent, "accept-encoding": ACCEPTED_ENCODINGS, ...request.headers },
  });

  async function sendToService(endpoint: Endpoint, request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const own = configuredAddress(endpoint, new URL(request.url), baseUrls[endpoint.id]);
    const url = own ?? checkLink(request.url, allowedHosts);
    const { dispatcher } = own !== null ? trusted : endpoint.hosts.includes(url.host) ? known : guarded;
    const transport = { dispatcher, limits, signal };
    return pacing.run(endpoint.id, endpoint.rate, () => sendRequest(url, request, transport), signal);
  }

  async function sendAfterLink(request: HttpRequest, { signal, domains = [] }: CallContext): Promise<HttpReply> {
    const url = checkLink(request.url, allowedHosts);
    const refusal = refusalOfDomain(domains, request.url);
    if (refusal !== null) throw new DossierError("out_of_scope", `${url.host} was not asked: ${refusal}.`);
    const transport = { dispatcher: guarded.dispatcher, limits, signal };
    return pages.read({ ...request, url: url.href }, (asked) =>
      pacing.run(url.host, LINK_RATE, () => sendRequest(url, asked, transport), signal),
    );
  }

  async function readPage(request: HttpRequest, context: CallContext): Promise<HttpReply> {
    const readFile = (url: string) =>
      followRedirects(complete({ url, maxBytes: MAX_ROBOTS_BYTES }), (step) => sendAfterLink(complete(step), context));
    if (request.method !== "POST") await robots?.check(checkLink(request.url, allowedHosts), readFile, context.signal);
    return sendAfterLink(request, context);
  }

  return {
    async ask(endpoint, request, context) {
      checkScope(endpoint.owner, request.url, context);
      const { signal } = context;
      const send = (step: HttpRequest) => retryOnce(() => sendToService(endpoint, complete(step), signal), { signal, clock, pause });
      const reply = await keepReply(request, context, () => followRedirects(request, send));
      // Reports must show the public URL, not the operator's base URL.
      return configuredAddress(endpoint, new URL(reply.url), baseUrls[endpoint.id]) === null ? reply : { ...reply, url: request.url };
    },
    async follow(owner, request, context) {
      checkScope(owner, request.url, context);
      const send = (step: HttpRequest) => readPage(complete(step), context);
      return keepReply(request, context, () => (request.redirects === false ? send(request) : followRedirects(request, send)));
    },
    async close() {
      closing.abort();
      await Promise.all([guarded, known, trusted].map(({ close }) => close()));
    },
  };
}

function checkScope(owner: string, url: string, { scope }: CallContext): void {
  if (scope.includes(owner) && owner !== LOCAL_SOURCE) return;
  const address = withoutCredentials(url).slice(0, 200);
  throw new DossierError("out_of_scope", `${address} was not fetched: the scope of the run is ${scope.join(", ")}.`);
}

const HeadSchema = z.object({ url: z.string(), status: z.int(), headers: z.record(z.string(), z.string()) });

/** Takes the reply that an attempt before a crash kept, or sends the request and keeps its reply. */
async function keepReply(
  { method = "GET", url, body = "" }: HttpRequest,
  { replies }: CallContext,
  send: () => Promise<HttpReply>,
): Promise<HttpReply> {
  const name = hashJson([method, url, body]);
  const kept = replies?.take(name) ?? null;
  const head = HeadSchema.safeParse(kept?.head).data;
  if (kept !== null && head !== undefined) return { ...head, body: kept.body };
  const { body: bytes, ...answer } = await send();
  if (answer.status === 200) replies?.keep(name, { head: answer, body: bytes });
  return { ...answer, body: bytes };
}

/** If an endpoint has several hosts, the path of the new URL begins with the host. Returns null for a host of another endpoint. */
function configuredAddress(endpoint: Endpoint, url: URL, baseUrl: string | undefined): URL | null {
  if (baseUrl === undefined) return null;
  if (url.origin === new URL(baseUrl).origin) return url;
  if (!endpoint.hosts.includes(url.host)) return null;
  const base = baseUrl.replace(/\/+$/, "");
  const host = endpoint.hosts.length > 1 ? `/${url.host}` : "";
  return new URL(`${base}${host}${url.pathname}${url.search}`);
}

/** With more hosts, the queue that was unused for the longest time is dropped. It is empty by then. */
const MAX_HOSTS = 2_000;
const MAX_WAITING = 1_000;

/** Delays requests by the rate limit of their host or service. @throws DossierError `rate_limited` if too many requests wait */
export function createPacing(shared: SharedLimits = OWN_LIMITS) {
  const queues = new LRUCache<string, PQueue>({ max: MAX_HOSTS });
  return {
    async run<T>(key: string, { requests, perMs, concurrent }: Rate, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
      const queue = queues.get(key) ?? new PQueue({ concurrency: concurrent, intervalCap: requests, interval: perMs, strict: true });
      queues.set(key, queue);
      if (queue.size >= MAX_WAITING)
        throw new DossierError("rate_limited", `${MAX_WAITING} requests are already waiting for ${key}. This one was not sent.`);
      return queue.add(() => inTurn(shared, key, { requests, perMs, concurrent }, task, signal), { signal });
    },
  };
}

async function inTurn<T>(
  shared: SharedLimits,
  key: string,
  { requests, perMs, concurrent }: Rate,
  task: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const leave = await shared.enter(key, concurrent, { signal });
  try {
    await shared.turn(key, perMs / requests, signal);
    signal.throwIfAborted();
    return await task();
  } finally {
    leave();
  }
}

/** A request is not retried if the server asks for a longer pause. */
const MAX_PAUSE_MS = 5_000;
const PAUSE_MS = 500;

type Waiting = Required<Pick<NetworkOptions, "clock" | "pause">> & { readonly signal: AbortSignal };

/** Retries once after a broken connection, and after a short pause for 429, 502, 503 and 504. */
async function retryOnce(send: () => Promise<HttpReply>, { signal, clock, pause }: Waiting): Promise<HttpReply> {
  const first = await send().catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof DossierError && error.code === "unreachable" && isBrokenConnection(error)) return null;
    throw error;
  });
  const pauseMs = first === null ? PAUSE_MS : pauseAfter(first, clock());
  if (first !== null && (pauseMs === null || pauseMs > MAX_PAUSE_MS)) return first;
  await pause(pauseMs ?? PAUSE_MS, signal);
  return send();
}

/** A retry would not help after an unresolved name or a refused connection. */
function isBrokenConnection({ cause }: DossierError): boolean {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ECONNRESET" || code === "UND_ERR_SOCKET" || code === "EPIPE";
}

function pauseAfter({ status, headers }: HttpReply, now: number): number | null {
  if (![429, 502, 503, 504].includes(status)) return null;
  const asked = headers["retry-after"];
  if (asked === undefined) return status === 429 ? null : PAUSE_MS;
  return parseRetryAfter(asked, now) ?? PAUSE_MS;
}

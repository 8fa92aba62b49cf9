import { Agent } from "undici";
import type { CallContext, Endpoint, HttpFetch, HttpReply, HttpRequest, Rate } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { checkLink, withoutCredentials } from "./check-link.ts";
import { ACCEPTED_ENCODINGS } from "./decode-body.ts";
import { configuredAddress } from "./endpoint-address.ts";
import { followRedirects } from "./follow-redirects.ts";
import { createGuardedConnector, createTrustedConnector, NAME_SHARE } from "./guarded-connector.ts";
import { createPacing } from "./pacing.ts";
import { createPageCache } from "./page-cache.ts";
import { createNameResolver, type Resolve, resolveBySystem } from "./resolve-names.ts";
import { retryOnce } from "./retry-once.ts";
import { sendRequest } from "./send-request.ts";
import { TIME_LIMITS, type TimeLimits } from "./time-limits.ts";

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
  const pacing = createPacing();
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

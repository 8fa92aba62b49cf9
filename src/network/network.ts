import { Agent, cacheStores, interceptors } from "undici";
import type { CallContext, Endpoint, HttpFetch, HttpReply, HttpRequest, Rate } from "../domain/ports/http-fetch.ts";
import { DossierError } from "../errors.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { checkLink } from "./check-link.ts";
import { ACCEPTED_ENCODINGS } from "./decode-body.ts";
import { configuredAddress } from "./endpoint-address.ts";
import { followRedirects } from "./follow-redirects.ts";
import { createGuardedConnector, type Resolve, resolveBySystem } from "./guarded-connector.ts";
import { createPacing } from "./pacing.ts";
import { retryOnce } from "./retry-once.ts";
import { sendRequest } from "./send-request.ts";

/** Politeness to a host that never asked for a rate. */
const LINK_RATE: Rate = { requests: 4, perMs: 1_000, concurrent: 2 };
/** Pages that say nothing of how long they hold are taken from the cache for so many seconds. */
const CACHE_SECONDS = 600;
const CACHE_BYTES = 64_000_000;
const CACHE_ENTRY_BYTES = 5_000_000;
const CACHE_ENTRIES = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 32_768;
/** The one source whose hits lie on this machine. */
const LOCAL_SOURCE = "corpus";

export interface NetworkOptions {
  /** By the id of an endpoint: the address the operator configured for it. */
  readonly baseUrls: Readonly<Record<string, string>>;
  readonly allowedHosts: AllowedHosts;
  /** Sent where a request names none. */
  readonly userAgent: string;
  readonly resolve?: Resolve;
}

export interface Network extends HttpFetch {
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Everything that opens a socket on behalf of a run. */
export function createNetwork({ baseUrls, allowedHosts, userAgent, resolve = resolveBySystem }: NetworkOptions): Network {
  const guarded = new Agent({ connect: createGuardedConnector(resolve, allowedHosts), maxHeaderSize: MAX_HEADER_BYTES });
  const trusted = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, maxHeaderSize: MAX_HEADER_BYTES });
  const links = guarded.compose(interceptors.cache({ store: pageCache(), cacheByDefault: CACHE_SECONDS }));
  const pacing = createPacing();
  const complete = (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: { "user-agent": userAgent, "accept-encoding": ACCEPTED_ENCODINGS, ...request.headers },
  });

  async function sendToService(endpoint: Endpoint, link: string, request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const own = configuredAddress(endpoint, new URL(link), baseUrls[endpoint.id]);
    const url = own ?? checkLink(link, allowedHosts);
    const send = () => sendRequest(url, request, own === null ? guarded : trusted, signal);
    const reply = await pacing.run(endpoint.id, endpoint.rate, send, signal);
    // What stands in a report is the public address, wherever the operator had it fetched.
    return { ...reply, url: link };
  }

  async function sendAfterLink(link: string, request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const url = checkLink(link, allowedHosts);
    return pacing.run(url.host, LINK_RATE, () => sendRequest(url, request, links, signal), signal);
  }

  return {
    async ask(endpoint, request, context) {
      checkScope(endpoint.owner, request.url, context);
      const { signal } = context;
      return followRedirects(request, (step) => retryOnce(() => sendToService(endpoint, step.url, complete(step), signal), signal));
    },
    async follow(owner, request, context) {
      checkScope(owner, request.url, context);
      return followRedirects(request, (step) => sendAfterLink(step.url, complete(step), context.signal));
    },
    async close() {
      await Promise.all([guarded.destroy(), trusted.destroy()]);
    },
  };
}

/** A run connects to nothing but what its scope names; a corpus has no links that could be followed on its behalf. */
function checkScope(owner: string, url: string, { scope }: CallContext): void {
  if (scope.includes(owner) && owner !== LOCAL_SOURCE) return;
  throw new DossierError("out_of_scope", `${url.slice(0, 200)} was not fetched: the scope of the run is ${scope.join(", ")}.`);
}

function pageCache(): InstanceType<typeof cacheStores.MemoryCacheStore> {
  return new cacheStores.MemoryCacheStore({ maxSize: CACHE_BYTES, maxEntrySize: CACHE_ENTRY_BYTES, maxCount: CACHE_ENTRIES });
}

import { type LookupAddress, promises, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout } from "node:timers/promises";
import { buildConnector } from "undici";
import { DossierError } from "../errors.ts";
import { limitTime, unlessAborted } from "../util/abort.ts";
import { type AllowedHosts, forbidden, hostAndPort, isPublicAddress } from "./check-link.ts";
import type { Locate } from "./proxies.ts";

export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

const TRIES = 2;
/** After an IPv4 or IPv6 answer, the resolver waits this long for the other family (RFC 8305, resolution delay). */
const OTHER_FAMILY_MS = 200;

/** Asks DNS servers directly, because `getaddrinfo` blocks a thread and cannot be stopped. Default: the system's servers. */
export function createNameResolver(servers: readonly string[] | undefined, retryMs: number): Resolve {
  return async (hostname, signal) => {
    signal.throwIfAborted();
    const resolver = new promises.Resolver({ timeout: retryMs, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await bothFamilies(
        resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
        resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
      );
    } finally {
      signal.removeEventListener("abort", cancel);
      cancel();
    }
  };
}

/** Uses the system's resolver, so that operators can use names from /etc/hosts. */
export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
  );

async function bothFamilies(...lookups: Promise<LookupAddress[]>[]): Promise<LookupAddress[]> {
  const found: LookupAddress[] = [];
  const errors: NodeJS.ErrnoException[] = [];
  const add = (addresses: readonly LookupAddress[]): void => void found.push(...addresses);
  const both = Promise.all(lookups.map((lookup) => lookup.then(add, (error) => void errors.push(error))));
  const first = await Promise.any(lookups).catch(() => null);
  await (first === null ? both : Promise.race([both, setTimeout(OTHER_FAMILY_MS)]));
  // ENODATA only means that this family has no address, so the other error explains more.
  if (found.length === 0 && errors.length > 0) throw errors.find(({ code }) => code !== "ENODATA") ?? errors[0];
  return found.toSorted((one, other) => one.family - other.family);
}

interface ConnectorOptions {
  readonly resolve: Resolve;
  readonly resolveListed: Resolve;
  readonly allowed: AllowedHosts;
  /** The time for resolving, connecting and TLS together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Resolving the name may take this share of `timeoutMs`. */
export const NAME_SHARE = 0.6;

/** Connects only if all addresses of a name are public or its `host:port` is allowed, and only to the checked addresses. */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { resolve, resolveListed, allowed, timeoutMs, signal } = options;
  return (peer, callback) => {
    const target = `${peer.protocol}//${peer.host ?? peer.hostname}`;
    const free = URL.canParse(target) && allowed.has(hostAndPort(new URL(target)));
    const literal = peer.hostname.replace(/^\[|\]$/g, "");
    if (!free && isIP(literal) !== 0 && !isPublicAddress(literal)) return callback(privateAddress(target), null);
    const check = (addresses: readonly LookupAddress[]) => free || checkPublic(target, addresses);
    const lookup = lookupWith({ resolve: free ? resolveListed : resolve, check, timeoutMs: timeoutMs * NAME_SHARE, signal });
    const connect = buildConnector({ timeout: timeoutMs, lookup, allowH2: false });
    connect(peer, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (free || (remoteAddress !== undefined && isPublicAddress(remoteAddress))) return callback(null, socket);
      // A URL with an IP address skips the lookup, so the connected address is checked here.
      socket.destroy();
      const gone = new DossierError("unreachable", `${target} closed the connection at once.`);
      callback(remoteAddress === undefined ? gone : privateAddress(target), null);
    });
  };
}

function checkPublic(target: string, addresses: readonly LookupAddress[]): void {
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw forbidden(target, "its name resolves to a private network");
}

/** Resolves and checks the host of a link for a proxy, which may not resolve it again. Hosts that are allowed keep their names. */
export function createLocator({ resolve, allowed, timeoutMs, signal }: ConnectorOptions): Locate {
  return async (url) => {
    if (allowed.has(hostAndPort(url))) return null;
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    const limits = { resolve, timeoutMs: timeoutMs * NAME_SHARE, signal };
    const addresses = isIP(literal) !== 0 ? [{ address: literal, family: 0 }] : await addressesInTime(literal, limits).catch(() => []);
    checkPublic(url.origin, addresses);
    const advice = "its name could not be resolved here; if only the proxy can resolve names, set PROXY_RESOLVES=1";
    if (addresses[0] === undefined) throw new DossierError("unreachable", `${url.host} could not be reached (${advice}).`);
    return addresses[0].address;
  };
}

/** Connects to any address, for servers that the operator configured. */
export function createTrustedConnector({ resolveListed, timeoutMs, signal }: ConnectorOptions): buildConnector.connector {
  const lookup = lookupWith({ resolve: resolveListed, check: () => {}, timeoutMs: timeoutMs * NAME_SHARE, signal });
  return buildConnector({ timeout: timeoutMs, lookup, allowH2: false });
}

interface LookupOptions {
  readonly resolve: Resolve;
  readonly check: (addresses: readonly LookupAddress[]) => unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function lookupWith({ resolve, check, timeoutMs, signal }: LookupOptions): LookupFunction {
  return (hostname, options, callback) => {
    addressesInTime(hostname, { resolve, timeoutMs, signal })
      .then((addresses) => {
        check(addresses);
        return addresses;
      })
      .then(
        (addresses) => {
          const [first] = addresses;
          if (first === undefined) return callback(Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" }), "");
          if (options.all) return callback(null, addresses);
          callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
  };
}

async function addressesInTime(hostname: string, { resolve, timeoutMs, signal }: Omit<LookupOptions, "check">): Promise<LookupAddress[]> {
  const tooLate = () => new DossierError("timeout", `${hostname} could not be reached (its name could not be resolved in time).`);
  using limit = limitTime(timeoutMs, signal);
  try {
    return await unlessAborted(resolve(hostname, limit.signal), limit.signal);
  } catch (error) {
    if (limit.signal.aborted || (error instanceof Error && "code" in error && error.code === "ETIMEOUT")) throw tooLate();
    throw new DossierError("unreachable", `${hostname} could not be reached (its name could not be resolved).`, { cause: error });
  }
}

function privateAddress(target: string): DossierError {
  return forbidden(target, "its address is in a private network");
}

import { type LookupAddress, promises, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout } from "node:timers/promises";
import { buildConnector } from "undici";
import { DossierError } from "../errors.ts";
import { type AllowedHosts, forbidden, hostAndPort, isPublicAddress } from "./check-link.ts";

/** All addresses of a name. What is under way ends when `signal` is aborted. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

interface ResolverOptions {
  /** `address:port` of name servers; those of the system where left out. */
  readonly servers?: readonly string[];
  /** Milliseconds until a name server that says nothing is asked again, or the next one is. */
  readonly retryMs: number;
}

const TRIES = 2;
/** How long addresses of one family wait for those of the other (RFC 8305 calls it the resolution delay). */
const OTHER_FAMILY_MS = 200;

/**
 * Names as the name servers know them, without the files of this machine. Each lookup has sockets of its own and leaves
 * none behind: `getaddrinfo` would wait on one of the few threads of the process, where silent servers hold up every
 * other lookup, cannot be stopped, and keep the process from ending.
 */
export function createNameResolver({ servers, retryMs }: ResolverOptions): Resolve {
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

/** Names as this machine knows them, `/etc/hosts` included: for those that the operator named. */
export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
  );

/** What both say; where one has addresses and the other keeps silent, the one's. */
async function bothFamilies(four: Promise<LookupAddress[]>, six: Promise<LookupAddress[]>): Promise<LookupAddress[]> {
  const both = Promise.allSettled([four, six]);
  const first = await Promise.any([four, six]).catch(() => null);
  if (first !== null) await Promise.race([both, setTimeout(OTHER_FAMILY_MS)]);
  else await both;
  const settled = await Promise.all([four, six].map(settledNow));
  const found = settled.flatMap(({ addresses }) => addresses);
  // That a name has no address of one family says less than why the other one could not be asked.
  const errors = settled.flatMap(({ error }) => error ?? []);
  if (found.length === 0 && errors.length > 0) throw errors.find(({ code }) => code !== "ENODATA") ?? errors[0];
  return found;
}

interface Settled {
  readonly addresses: LookupAddress[];
  readonly error: NodeJS.ErrnoException | null;
}

/** What has become of a lookup by now; nothing of one that is under way. */
function settledNow(lookup: Promise<LookupAddress[]>): Promise<Settled> {
  const done = lookup.then(
    (addresses): Settled => ({ addresses, error: null }),
    (error: NodeJS.ErrnoException): Settled => ({ addresses: [], error }),
  );
  return Promise.race([done, setTimeout(0, { addresses: [], error: null })]);
}

interface ConnectorOptions {
  readonly resolve: Resolve;
  /** For names that the operator listed. */
  readonly resolveListed: Resolve;
  readonly allowed: AllowedHosts;
  /** Milliseconds for resolving, connecting and TLS together. */
  readonly timeoutMs: number;
  /** Ends the lookups that are under way. */
  readonly signal: AbortSignal;
}

/** Of the time for a connection, what its name may take. */
export const NAME_SHARE = 0.6;

/**
 * Connects to public addresses only. A name is resolved once, every address it has must be public, and the socket goes
 * to one of those very addresses, so that an answer that changes between check and connection changes nothing. Where the
 * operator listed a name with its port, it may resolve to anything; a listed address frees itself, not the names that
 * resolve to it.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { resolve, resolveListed, allowed, timeoutMs, signal } = options;
  return (peer, callback) => {
    const target = `${peer.protocol}//${peer.host ?? peer.hostname}`;
    const free = URL.canParse(target) && allowed.has(hostAndPort(new URL(target)));
    const literal = peer.hostname.replace(/^\[|\]$/g, "");
    if (!free && isIP(literal) !== 0 && !isPublicAddress(literal)) return callback(intoPrivateNetwork(target), null);
    const check = (addresses: readonly LookupAddress[]) => {
      if (free || addresses.every(({ address }) => isPublicAddress(address))) return;
      throw forbidden(target, "its name leads into a private network");
    };
    const lookup = lookupWith({ resolve: free ? resolveListed : resolve, check, timeoutMs: timeoutMs * NAME_SHARE, signal });
    const connect = buildConnector({ timeout: timeoutMs, lookup, allowH2: false });
    connect(peer, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (free || (remoteAddress !== undefined && isPublicAddress(remoteAddress))) return callback(null, socket);
      // The lookup is not asked for addresses in figures; this looks at what was reached in the end.
      socket.destroy();
      callback(remoteAddress === undefined ? hungUp(target) : intoPrivateNetwork(target), null);
    });
  };
}

/** Connects to whatever the operator configured. */
export function createTrustedConnector({ resolveListed, timeoutMs, signal }: ConnectorOptions): buildConnector.connector {
  const lookup = lookupWith({ resolve: resolveListed, check: () => {}, timeoutMs: timeoutMs * NAME_SHARE, signal });
  return buildConnector({ timeout: timeoutMs, lookup, allowH2: false });
}

interface LookupOptions {
  readonly resolve: Resolve;
  /** Throws for addresses that must not be connected to. */
  readonly check: (addresses: readonly LookupAddress[]) => void;
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

/** @throws DossierError `timeout`, `unreachable`, each of which says that it was the name */
async function addressesInTime(hostname: string, { resolve, timeoutMs, signal }: Omit<LookupOptions, "check">): Promise<LookupAddress[]> {
  const tooLate = () => new DossierError("timeout", `${hostname} could not be reached (its name could not be resolved in time).`);
  const given = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  const giveUp = () => end(tooLate());
  given.addEventListener("abort", giveUp, { once: true });
  if (given.aborted) giveUp();
  try {
    return await Promise.race([resolve(hostname, given), ended]);
  } catch (error) {
    if (error instanceof DossierError) throw error;
    const slow = error instanceof Error && "code" in error && error.code === "ETIMEOUT";
    throw slow
      ? tooLate()
      : new DossierError("unreachable", `${hostname} could not be reached (its name could not be resolved).`, { cause: error });
  } finally {
    given.removeEventListener("abort", giveUp);
  }
}

function intoPrivateNetwork(target: string): DossierError {
  return forbidden(target, "it leads into a private network");
}

function hungUp(target: string): DossierError {
  return new DossierError("unreachable", `${target} hung up at once.`);
}

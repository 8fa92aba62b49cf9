import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { DossierError } from "../errors.ts";
import { type AllowedHosts, hostAndPort } from "./allowed-hosts.ts";
import { forbidden } from "./check-link.ts";
import { isPublicAddress } from "./public-address.ts";
import type { Resolve } from "./resolve-names.ts";

export interface ConnectorOptions {
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

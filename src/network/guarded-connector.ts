import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { DossierError } from "../errors.ts";
import { type AllowedHosts, hostAndPort } from "./allowed-hosts.ts";
import { forbidden } from "./check-link.ts";
import { isPublicAddress } from "./public-address.ts";

/** All addresses of a name, as the system's resolver gives them. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface ConnectorOptions {
  readonly resolve: Resolve;
  readonly allowed: AllowedHosts;
  /** Milliseconds for resolving, connecting and TLS together. */
  readonly timeoutMs: number;
}

export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
  );

/**
 * Connects to public addresses only. A name is resolved once, every address it has must be public, and the socket goes
 * to one of those very addresses, so that an answer that changes between check and connection changes nothing. Where the
 * operator listed a name with its port, it may resolve to anything; a listed address frees itself, not the names that
 * resolve to it.
 */
export function createGuardedConnector({ resolve, allowed, timeoutMs }: ConnectorOptions): buildConnector.connector {
  return (options, callback) => {
    const target = `${options.protocol}//${options.host ?? options.hostname}`;
    const free = URL.canParse(target) && allowed.has(hostAndPort(new URL(target)));
    const literal = options.hostname.replace(/^\[|\]$/g, "");
    if (!free && isIP(literal) !== 0 && !isPublicAddress(literal)) return callback(intoPrivateNetwork(target), null);
    const connect = buildConnector({ timeout: timeoutMs, lookup: checkedLookup(resolve, free, target), allowH2: false });
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (free || (remoteAddress !== undefined && isPublicAddress(remoteAddress))) return callback(null, socket);
      // The lookup is not asked for addresses in figures; this looks at what was reached in the end.
      socket.destroy();
      callback(remoteAddress === undefined ? hungUp(target) : intoPrivateNetwork(target), null);
    });
  };
}

function checkedLookup(resolve: Resolve, free: boolean, target: string): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return callback(Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" }), "");
        if (!free && !addresses.every(({ address }) => isPublicAddress(address))) {
          return callback(forbidden(target, "its name leads into a private network"), "");
        }
        if (options.all) return callback(null, addresses);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

function intoPrivateNetwork(target: string): DossierError {
  return forbidden(target, "it leads into a private network");
}

function hungUp(target: string): DossierError {
  return new DossierError("unreachable", `${target} hung up at once.`);
}

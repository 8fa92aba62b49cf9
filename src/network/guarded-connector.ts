import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { type AllowedHosts, hostAndPort } from "./allowed-hosts.ts";
import { forbidden } from "./check-link.ts";
import { isPublicAddress } from "./public-address.ts";

/** All addresses of a name, as the system's resolver gives them. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const CONNECT_TIMEOUT_MS = 10_000;

export const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) =>
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
  );

/**
 * Connects to public addresses only. A name is resolved once, every address it has must be public, and the socket goes
 * to one of those very addresses, so that an answer that changes between check and connection changes nothing.
 */
export function createGuardedConnector(resolve: Resolve, allowed: AllowedHosts): buildConnector.connector {
  return (options, callback) => {
    const target = `${options.protocol}//${options.host ?? options.hostname}`;
    const free = URL.canParse(target) && allowed.has(hostAndPort(new URL(target)));
    const literal = options.hostname.replace(/^\[|\]$/g, "");
    if (!free && isIP(literal) !== 0 && !isPublicAddress(literal))
      return callback(forbidden(target, "it leads into a private network"), null);
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup(resolve, free, target) });
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      // The lookup is not asked for addresses in figures, whatever their spelling; this looks at what was reached.
      if (free || isPublicAddress(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(forbidden(target, "it leads into a private network"), null);
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

import { parseAuthority } from "../domain/web-address.ts";
import { DossierError } from "../errors.ts";

/** The names a machine has for itself; no page elsewhere can bring a browser to send them to us under another name. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** One request as far as its target host goes. */
export interface HostClaim {
  /** Every `Host` header of the request; a proper one has exactly one. */
  readonly hosts: readonly string[];
  /** The request target as sent; in absolute form it names a host too. */
  readonly target: string;
  /** The address the connection came in at. */
  readonly localAddress: string | undefined;
}

/**
 * A check that throws unless a request is meant for this server: its `Host` is one of `allowed` (a name for any port, or
 * `name:port`), or the literal address it came in at. Both are out of reach of DNS rebinding, where a foreign name is made
 * to resolve to us.
 * @throws DossierError `config_invalid` for an entry that is no host; the check throws `invalid_request` where there is not
 * exactly one `Host`, and `forbidden_host`
 */
export function createHostCheck(allowed: readonly string[]): (claim: HostClaim) => void {
  const entries = allowed.map((entry) => {
    const authority = parseAuthority(entry);
    if (authority === null)
      throw new DossierError("config_invalid", `An allowed host is a name or name:port, not ${JSON.stringify(entry)}.`);
    return authority;
  });
  const isServed = (host: string, localAddress: string | undefined) => {
    const authority = parseAuthority(host);
    if (authority === null) return false;
    if (authority.name === addressAsHost(localAddress)) return true;
    return entries.some(({ name, port }) => name === authority.name && (port === null || port === authority.port));
  };
  return ({ hosts, target, localAddress }) => {
    if (hosts.length !== 1) throw new DossierError("invalid_request", "A request needs exactly one Host header.");
    for (const host of [...hosts, ...hostOfTarget(target)]) {
      if (!isServed(host, localAddress)) {
        throw new DossierError("forbidden_host", "This server does not answer to that Host; ALLOWED_HOSTS lists those that it does.");
      }
    }
  };
}

function hostOfTarget(target: string): string[] {
  if (target.startsWith("/") || target === "*") return [];
  return [/^[a-z]+:\/\/([^/?#]*)/i.exec(target)?.[1] ?? target];
}

/** A socket's address as it would stand in a `Host` header. */
function addressAsHost(address: string | undefined): string | undefined {
  const plain = address?.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  return plain?.includes(":") ? `[${plain}]` : plain;
}

import { canonicalUrl, hostOf, parseAddress } from "../ranking/canonical-url.ts";

/** Returns the known address with the same canonical URL, or null. Parameters that a model added could leak data. */
export type FindKnownAddress = (candidate: string) => string | null;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const MAX_ADDRESS_LENGTH = 2_048;

/** Reads the known addresses when the first candidate is met, because most texts contain none. */
export function createKnownAddresses(known: Iterable<string>): FindKnownAddress {
  let read: ReturnType<typeof readAddresses> | undefined;
  return (candidate) => {
    if (candidate === "" || candidate.length > MAX_ADDRESS_LENGTH) return null;
    read ??= readAddresses(known);
    const whole = SCHEME.test(candidate) || candidate.startsWith("//") ? candidate : `https://${candidate}`;
    const found = read.byKey.get(canonicalUrl(whole));
    if (found !== undefined) return found;
    // The bare host name of a known address cannot leak data.
    return /^[\p{L}\p{N}.-]+$/u.test(candidate) && read.hosts.has(candidate.toLowerCase().replace(/^www\./, "")) ? candidate : null;
  };
}

function readAddresses(known: Iterable<string>) {
  const byKey = new Map<string, string>();
  const hosts = new Set<string>();
  for (const address of known) {
    if (address.length > MAX_ADDRESS_LENGTH || /[\s<>"]/.test(address)) continue;
    const key = canonicalUrl(address);
    if (!byKey.has(key)) byKey.set(key, address);
    const parsed = parseAddress(address);
    if (parsed !== null && parsed.hostname !== "") hosts.add(hostOf(parsed));
  }
  return { byKey, hosts };
}

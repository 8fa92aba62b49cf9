import { canonicalUrl, hostOf, parseAddress } from "../ranking/canonical-url.ts";

/** The addresses that sources have, in their own spelling. */
export interface KnownAddresses {
  /**
   * The known address that `candidate` is a spelling of, as its source spells it, so that nothing can be told by parameters that a
   * comparison leaves out; null where there is none.
   */
  spelling(candidate: string): string | null;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** An address that is longer is none that anybody shares. */
export const MAX_ADDRESS_LENGTH = 2_048;

export function createKnownAddresses(known: Iterable<string>): KnownAddresses {
  const byKey = new Map<string, string>();
  const hosts = new Set<string>();
  for (const address of known) {
    if (address.length > MAX_ADDRESS_LENGTH || /[\s<>"]/.test(address)) continue;
    if (!byKey.has(canonicalUrl(address))) byKey.set(canonicalUrl(address), address);
    const parsed = parseAddress(address);
    if (parsed !== null && parsed.hostname !== "") hosts.add(hostOf(parsed));
  }
  return {
    spelling: (candidate) => {
      if (candidate === "" || candidate.length > MAX_ADDRESS_LENGTH) return null;
      const whole = SCHEME.test(candidate) || candidate.startsWith("//") ? candidate : `https://${candidate}`;
      const found = byKey.get(canonicalUrl(whole));
      if (found !== undefined) return found;
      // The bare name of a site that was read says no more than the site.
      return /^[\p{L}\p{N}.-]+$/u.test(candidate) && hosts.has(candidate.toLowerCase().replace(/^www\./, "")) ? candidate : null;
    },
  };
}

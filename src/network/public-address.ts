import ipaddr from "ipaddr.js";

/** All that has been given out as global unicast so far, and the block of it that is kept for protocols (Teredo and others). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const PROTOCOLS = ipaddr.IPv6.parseCIDR("2001::/23");
/** Interface ids of ISATAP (RFC 5214): 0000:5efe or 0200:5efe, then an IPv4 address. */
const ISATAP = new Set([0x0000, 0x0200]);

/**
 * Whether an address belongs to one host of the public Internet. Private, loopback, link-local, shared, multicast,
 * reserved and documentation addresses do not, nor does any IPv6 address that stands for an IPv4 one (mapped, compatible,
 * NAT64, 6to4, Teredo, ISATAP): a public host is reached by its own address. The ranges are those of the IANA
 * special-purpose registries; of IPv6 nothing counts that lies outside of what has been given out.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  if (!parsed.match(GLOBAL_UNICAST) || parsed.match(PROTOCOLS)) return false;
  return !(ISATAP.has(parsed.parts[4] ?? -1) && parsed.parts[5] === 0x5efe);
}

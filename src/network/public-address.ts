import ipaddr from "ipaddr.js";

/** Old and documented forms of IPv6 that carry an IPv4 address or belong to a site, and that ipaddr.js counts as unicast. */
const DISGUISED = ["::/96", "fec0::/10", "64:ff9b:1::/48", "::ffff:0:0:0/96"].map((range) => ipaddr.parseCIDR(range));
/** Interface ids of ISATAP (RFC 5214): 0000:5efe or 0200:5efe, then an IPv4 address. */
const ISATAP = new Set([0x0000, 0x0200]);

/**
 * Whether an address belongs to one host of the public Internet. Private, loopback, link-local, shared, multicast,
 * reserved and documentation addresses do not, nor does any IPv6 address that stands for an IPv4 one (mapped, NAT64, 6to4,
 * Teredo, ISATAP): a public host is reached by its own address. The ranges are those of the IANA special-purpose registries.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  if (DISGUISED.some(([range, bits]) => parsed.match(range, bits))) return false;
  return !(ISATAP.has(parsed.parts[4] ?? -1) && parsed.parts[5] === 0x5efe);
}

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { DossierError } from "../errors.ts";

/** `host:port` pairs that may be reached although they are not public. */
export type AllowedHosts = ReadonlySet<string>;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * The pairs of a list such as `intranet.example:8080, 127.0.0.1:9000, [::1]:80`, in the spelling of URLs.
 * @throws DossierError `config_invalid` that names the entry
 */
export function readAllowedHosts(entries: readonly string[]): AllowedHosts {
  return new Set(entries.map(readEntry));
}

function readEntry(entry: string): string {
  const url = URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : null;
  const plain = url !== null && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (!plain || !/^[^*]+:\d+$/.test(entry)) {
    throw new DossierError("config_invalid", `ALLOWED_PRIVATE_HOSTS: ${entry} is not of the form host:port.`);
  }
  return hostAndPort(url);
}

/** Host and port of a URL, the port always spelt out. */
export function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? "")}`;
}

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

/** Ports that web servers use; others are services that a link has no business with. */
const PORTS = new Set(["", "80", "443", "8080", "8443"]);
/** Names that never leave a machine or a local network (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain|alt)\.?$/i;
const MAX_LENGTH = 8_000;

/**
 * A link out of content as a URL that may be connected to as far as its text tells: http or https, no credentials, a
 * port of the web, no address or name of a private network. What its name resolves to is checked when connecting.
 * @throws DossierError `forbidden_address`
 */
export function checkLink(link: string, allowed: AllowedHosts): URL {
  if (link.length > MAX_LENGTH) throw forbidden(link, `it is longer than ${MAX_LENGTH} characters`);
  if (!URL.canParse(link)) throw forbidden(link, "it is not a URL");
  const url = new URL(link);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw forbidden(link, "only http and https are followed");
  if (url.username !== "" || url.password !== "") throw forbidden(link, "it carries credentials");
  if (allowed.has(hostAndPort(url))) return url;
  if (!PORTS.has(url.port)) throw forbidden(link, `port ${url.port} is not one of the web`);
  if (isPrivateHost(url.hostname)) throw forbidden(link, "it leads into a private network");
  return url;
}

/** The parser of URLs has brought every spelling of an IPv4 address into its usual form. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 ? !isPublicAddress(host) : LOCAL_NAME.test(host) || !host.includes(".");
}

/** The error for a link that is not followed; its credentials are not repeated. */
export function forbidden(link: string, why: string): DossierError {
  return new DossierError("forbidden_address", `${withoutCredentials(link).toWellFormed().slice(0, 200)} was not fetched: ${why}.`);
}

/** Of what a parser finds no URL in, what may be credentials is left out. */
export function withoutCredentials(link: string): string {
  if (!link.includes("@")) return link;
  if (!URL.canParse(link)) return `***${link.slice(link.lastIndexOf("@"))}`;
  const url = new URL(link);
  if (url.username === "" && url.password === "") return link;
  url.username = "***";
  url.password = "";
  return url.href;
}

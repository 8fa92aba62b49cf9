import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { DossierError } from "../errors.ts";
import { parseHostAndPort } from "../util/web-address.ts";

/** The `host:port` pairs that may be reached although their address is not public. */
export type AllowedHosts = ReadonlySet<string>;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Parses entries such as `intranet.example:8080` or `[::1]:80`, and ignores invalid ones. */
export function readAllowedHosts(entries: readonly string[]): AllowedHosts {
  return new Set(entries.flatMap((entry) => parseHostAndPort(entry) ?? []).map(hostAndPort));
}

export function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? "")}`;
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** IANA reserves these IPv6 addresses for protocols such as Teredo. */
const PROTOCOLS = ipaddr.IPv6.parseCIDR("2001::/23");
/** In an ISATAP address (RFC 5214), the IPv4 address follows one of these values and 0x5efe. */
const ISATAP = new Set([0x0000, 0x0200]);

/** Follows the IANA registries. IPv6 addresses that contain an IPv4 address (NAT64, 6to4, Teredo, ISATAP) are not public. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  if (!parsed.match(GLOBAL_UNICAST) || parsed.match(PROTOCOLS)) return false;
  return !(ISATAP.has(parsed.parts[4] ?? -1) && parsed.parts[5] === 0x5efe);
}

const PORTS = new Set(["", "80", "443", "8080", "8443"]);
/** Names of local networks (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa|localdomain|alt)\.?$/i;
const MAX_LENGTH = 8_000;

/** Checks the URL only. The connector checks the host's addresses. @throws DossierError `forbidden_address` */
export function checkLink(link: string, allowed: AllowedHosts): URL {
  const why = whyForbidden(link, allowed);
  if (why !== null) throw forbidden(link, why);
  return new URL(link);
}

/** Says why a link is never followed; null if it may be. */
export function whyForbidden(link: string, allowed: AllowedHosts): string | null {
  if (link.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  if (!URL.canParse(link)) return "it is not a URL";
  const url = new URL(link);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "only http and https are followed";
  if (url.username !== "" || url.password !== "") return "it contains credentials";
  if (allowed.has(hostAndPort(url))) return null;
  if (!PORTS.has(url.port)) return `port ${url.port} is not a web port`;
  return isPrivateHost(url.hostname) ? "its address is in a private network" : null;
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 ? !isPublicAddress(host) : LOCAL_NAME.test(host) || !host.includes(".");
}

export function forbidden(link: string, why: string): DossierError {
  return new DossierError("forbidden_address", `${withoutCredentials(link).toWellFormed().slice(0, 200)} was not fetched: ${why}.`);
}

export function withoutCredentials(link: string): string {
  if (!link.includes("@")) return link;
  if (!URL.canParse(link)) return `***${link.slice(link.lastIndexOf("@"))}`;
  const url = new URL(link);
  if (url.username === "" && url.password === "") return link;
  url.username = "***";
  url.password = "";
  return url.href;
}

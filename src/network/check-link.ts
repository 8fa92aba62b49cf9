import { isIP } from "node:net";
import { DossierError } from "../errors.ts";
import { type AllowedHosts, hostAndPort } from "./allowed-hosts.ts";
import { isPublicAddress } from "./public-address.ts";

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

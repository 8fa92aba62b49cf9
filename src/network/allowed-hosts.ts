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

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^[\]:/?#@*\\\s]+)(?::([0-9]{1,5}))?$/;

/** Parses `host` or `host:port` and returns lower case. Returns null for any other text. */
export function parseAuthority(text: string): { readonly name: string; readonly port: string | null } | null {
  const match = AUTHORITY.exec(text.toLowerCase());
  return match?.[1] === undefined ? null : { name: match[1], port: match[2] ?? null };
}

/** Normalizes an `Origin` header. Returns null unless it is an http or https origin. */
export function parseOrigin(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

export function parseHostAndPort(text: string): URL | null {
  if (!/^[^*]+:\d+$/.test(text) || !URL.canParse(`http://${text}`)) return null;
  const url = new URL(`http://${text}`);
  return url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "" ? url : null;
}

/** A host and, where it is named, a port: what a `Host` header says. */
export interface Authority {
  readonly name: string;
  readonly port: string | null;
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^[\]:/?#@\\\s]+)(?::([0-9]{1,5}))?$/;

/** Name and port of a `Host` header or an entry of a list, lower-case; null for what is neither. */
export function parseAuthority(text: string): Authority | null {
  const match = AUTHORITY.exec(text.toLowerCase());
  return match?.[1] === undefined ? null : { name: match[1], port: match[2] ?? null };
}

/** The origin of a web page in its one spelling; null for `null` and whatever has a path, a user or another scheme. */
export function parseOrigin(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

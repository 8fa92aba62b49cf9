import type { DocumentLink } from "../domain/document.ts";

/** A link as it stands in a document: its words, and its address, which may be relative. */
export interface DraftLink {
  readonly text: string;
  readonly href: string;
}

/** A document with more links is a list of links. */
export const MAX_LINKS = 200;
/** Both in UTF-16 code units. */
export const MAX_LINK_TEXT = 200;
const MAX_ADDRESS = 2_000;

/** Returns those to other web pages, each address once, in the order of the text. */
export function resolveLinks(links: readonly DraftLink[], url: string, base = ""): DocumentLink[] {
  const from = URL.parse(base, URL.parse(url)?.href)?.href ?? url;
  const own = withoutFragment(URL.parse(url));
  const found = new Map<string, DocumentLink>();
  for (const { text, href } of links) {
    const target = href.length > MAX_ADDRESS ? null : URL.parse(href, from);
    const address = withoutFragment(target);
    if (target === null || !/^https?:$/.test(target.protocol) || address === own || address.length > MAX_ADDRESS) continue;
    if (!found.has(address)) found.set(address, { text: text.slice(0, MAX_LINK_TEXT).toWellFormed(), url: address });
    if (found.size === MAX_LINKS) break;
  }
  return [...found.values()];
}

/** Credentials in an address are dropped too: they are not for this reader. */
function withoutFragment(target: URL | null): string {
  if (target === null) return "";
  const address = new URL(target);
  Object.assign(address, { hash: "", username: "", password: "" });
  return address.href;
}

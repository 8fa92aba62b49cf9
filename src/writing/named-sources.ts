import type { NamedSource, NotesView, Reading } from "../domain/ports/analyst.ts";
import { addressesIn } from "../evidence/address-filter.ts";
import { fence } from "../evidence/data-fence.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { canonicalUrl } from "../ranking/canonical-url.ts";
import { short } from "./prompt-text.ts";

/** A link that a reader of documents may name by its id. */
export interface OfferedLink extends NamedSource {
  readonly id: string;
}

const MAX_OFFERED = 15;
const MAX_NAMED = 3;
/** In UTF-16 code units. */
const MAX_WORDS = 80;
const MAX_LINE = 200;
/** In tokens: what the list of links takes at most. */
export const LINKS_TOKENS = 900;

/** Returns the links of the shown passages that the run may follow, in the order of the documents, each page once. */
export function offerLinks(passages: readonly Evidence[], { readings, follows }: NotesView): OfferedLink[] {
  if (follows === undefined) return [];
  const offered = new Map<string, NamedSource>();
  for (const reading of readings) {
    const shown = passages.filter(({ contentHash }) => contentHash === reading.document.contentHash);
    const text = shown.map(({ text, start, end }) => text.slice(start, end)).join("\n");
    for (const link of linksIn(text, reading)) {
      if (offered.size === MAX_OFFERED) break;
      const page = canonicalUrl(link.url);
      if (!offered.has(page) && follows(link.url, reading)) offered.set(page, link);
    }
  }
  return [...offered.values()].map((link, at) => ({ id: `L${at + 1}`, ...link }));
}

/** The links whose words stand in a text, and the addresses that are written in it. */
function linksIn(text: string, { hit, document }: Reading): NamedSource[] {
  const linked = (document.links ?? []).filter((link) => text.includes(link.text));
  const written = addressesIn(text).flatMap((address) => URL.parse(address)?.href.replace(/#.*$/s, "") ?? []);
  return [...linked, ...written.map((url) => ({ text: url, url }))].map((link) => ({ ...link, sourceId: hit.id }));
}

/** Shows links by their words and the site they lead to, without their addresses. */
export function showLinks(offered: readonly OfferedLink[]): string {
  if (offered.length === 0) return "none";
  const lines = offered.map(({ id, text, url }) => {
    const { host, pathname } = new URL(url);
    const words = URL.canParse(text) ? (pathname.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ") : text;
    return `${id}: ${short(words, MAX_WORDS)} (${host})`;
  });
  return fence("links", lines.join("\n"));
}

const LINE = /^[>*_#\s-]{0,20}(?:SOURCES|来源)[\s*_]{0,9}[:：]((?:[^\p{L}\p{N}]|L\d{1,2}(?!\p{N})|none|无|没有)*)$/iu;
const ID = /L(\d{1,2})/giu;

/** Takes the line `SOURCES: L1, L3` out of a reader's text, also in Chinese. Returns the first of the links that it names. */
export function takeNamedSources(whole: string, offered: readonly OfferedLink[]): { text: string; named: NamedSource[] } {
  const ids = new Set<string>();
  const lines = whole.split("\n").filter((line) => {
    const list = line.length > MAX_LINE ? undefined : LINE.exec(line)?.[1];
    for (const [, number] of list?.matchAll(ID) ?? []) ids.add(`L${Number(number)}`);
    return list === undefined;
  });
  const named = offered.filter(({ id }) => ids.has(id)).slice(0, MAX_NAMED);
  return { text: lines.join("\n"), named: named.map(({ id: _, ...link }) => link) };
}

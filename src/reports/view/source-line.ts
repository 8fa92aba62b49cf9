import type { Place } from "../../domain/document.ts";
import type { Source } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { cleanText, placeOf, readable } from "../text.ts";

export interface SourceLine {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly retracted: boolean;
  /** Authors, venue, year and DOI of a publication, otherwise the date. */
  readonly details: readonly string[];
  /** Publisher and date, for notes. The publisher is the venue, the host or the file. */
  readonly byline: readonly string[];
  readonly address: string;
  /** An encoded http or https URL; null for any other address. */
  readonly href: string | null;
  readonly notes: readonly number[];
}

const MAX_AUTHORS = 3;

/** Describes a source for a report. @param notes the numbers of its quotes */
export function sourceLine(
  { id, kind, title, url, publishedAt, publication }: Source,
  notes: readonly number[],
  labels: Labels,
): SourceLine {
  const date = /^\d{4}(?:-\d\d){0,2}/.exec(publishedAt ?? "")?.[0] ?? "";
  const href = hrefOf(url);
  const address = cleanText(placeOf(url));
  const publisher = publication?.venue || (href === null ? address : new URL(href).hostname.replace(/^www\./, ""));
  return {
    id,
    kind,
    title: cleanText(title),
    retracted: publication?.retracted === true,
    details: publication === undefined ? present([date]) : detailsOf(publication, url, date.slice(0, 4), labels),
    byline: present([publisher, date]),
    address,
    href,
    notes,
  };
}

/** Adds where in the file a quote stands. */
export function atPlace(source: SourceLine, place: Place | undefined, labels: Labels): SourceLine {
  if (place === undefined) return source;
  const words = cleanText(sayPlace(place, labels.placeIn));
  return { ...source, details: [words, ...source.details], byline: [...source.byline, words] };
}

function sayPlace(place: Place, labels: Labels["placeIn"]): string {
  if ("sheet" in place) return labels.sheet(place.sheet, place.range);
  if ("page" in place) return labels.page(place.page);
  return labels[place.notes === true ? "notes" : "slide"](place.slide);
}

export function unknownSource(id: string, notes: readonly number[]): SourceLine {
  return { id, kind: "tool", title: cleanText(id), retracted: false, details: [], byline: [], address: "", href: null, notes };
}

function detailsOf({ authors, venue, doi }: NonNullable<Source["publication"]>, url: string, year: string, labels: Labels): string[] {
  const by = labels.authors(authors.slice(0, MAX_AUTHORS), authors.length > MAX_AUTHORS);
  const isAtDoi =
    /^https?:\/\/(?:dx\.)?doi\.org\//i.test(url) &&
    readable(url)
      .toLowerCase()
      .endsWith(doi ?? "");
  const identifier = doi === null || isAtDoi ? "" : `doi:${doi}`;
  return present([by, venue ?? "", year, identifier]);
}

function present(parts: readonly string[]): string[] {
  return parts.map(cleanText).filter((part) => part !== "");
}

/** Returns null for all addresses that must not become links, such as `javascript:` and paths of the corpus. */
function hrefOf(url: string): string | null {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const { href, protocol } = new URL(url.toWellFormed());
  return protocol === "http:" || protocol === "https:" ? href : null;
}

import type { Source } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { cleanText, readable } from "./clean-text.ts";
import type { SourceLine } from "./report-form.ts";

/** Further authors of a work are "et al.". */
const MAX_AUTHORS = 3;

/** Where quotes come from: title and link; of a publication also authors, venue, year, DOI, and whether it stands. */
export function sourceLine(
  { id, kind, title, url, publishedAt, publication }: Source,
  notes: readonly number[],
  labels: Labels,
): SourceLine {
  const year = /^\d{4}/.exec(publishedAt ?? "")?.[0] ?? "";
  return {
    id,
    kind,
    title: cleanText(title),
    retracted: publication?.retracted === true,
    details: publication === undefined ? [] : detailsOf(publication, url, year, labels),
    address: cleanText(readable(url)),
    href: hrefOf(url),
    notes,
  };
}

/** A source that the report does not describe. */
export function unknownSource(id: string, notes: readonly number[]): SourceLine {
  return { id, kind: "tool", title: cleanText(id), retracted: false, details: [], address: "", href: null, notes };
}

function detailsOf({ authors, venue, doi }: NonNullable<Source["publication"]>, url: string, year: string, labels: Labels): string[] {
  const by = labels.authors(authors.slice(0, MAX_AUTHORS), authors.length > MAX_AUTHORS);
  const identifier = doi === null || leadsTo(url, doi) ? "" : `doi:${doi}`;
  return [by, venue ?? "", year, identifier].map(cleanText).filter((part) => part !== "");
}

function leadsTo(url: string, doi: string): boolean {
  return /^https?:\/\/(?:dx\.)?doi\.org\//i.test(url) && readable(url).toLowerCase().endsWith(doi);
}

/** Only addresses of the web are links: `javascript:` and its kin are text, and those of the corpus are paths. */
function hrefOf(url: string): string | null {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const { href, protocol } = new URL(url.toWellFormed());
  return protocol === "http:" || protocol === "https:" ? href : null;
}

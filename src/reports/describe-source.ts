import type { Source } from "../domain/report.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import type { Labels } from "./labels.ts";

/** Further authors of a work are "et al.". */
const MAX_AUTHORS = 3;

/** Where a quote comes from, on one line of Markdown: title and link; of a publication also authors, venue, year, DOI, and whether it stands. */
export function describeSource({ title, url, publishedAt, publication }: Source, labels: Labels): string {
  const name = escapeMarkdown(title);
  if (publication === undefined) return `${name}, ${link(url)}`;
  const { authors, venue, doi, retracted } = publication;
  const by = labels.authors(authors.slice(0, MAX_AUTHORS), authors.length > MAX_AUTHORS);
  const year = /^\d{4}/.exec(publishedAt ?? "")?.[0] ?? "";
  const details = [by, venue ?? "", year, doi === null || leadsTo(url, doi) ? "" : `doi:${doi}`].filter((part) => part !== "");
  return [`${retracted ? `**${labels.retracted}** ` : ""}${name}`, ...details.map(escapeMarkdown), link(url)].join(", ");
}

function leadsTo(url: string, doi: string): boolean {
  return /^https?:\/\/(?:dx\.)?doi\.org\//i.test(url) && readable(url).toLowerCase().endsWith(doi);
}

/** Addresses of the web become links; those of the corpus are paths, shown as people write them. */
function link(url: string): string {
  if (!/^https?:/.test(url) || !URL.canParse(url)) return `\`${readable(url).replaceAll("`", "%60")}\``;
  // Parsing has encoded blanks and angle brackets; round ones would be read as the end of a link.
  return `<${new URL(url).href.replaceAll("(", "%28").replaceAll(")", "%29")}>`;
}

/** An address as people write it. */
export function readable(url: string): string {
  try {
    return decodeURI(url).toWellFormed().replace(/\s/g, " ");
  } catch {
    return url.toWellFormed();
  }
}

import type { Report, Source } from "../domain/report.ts";
import { cleanText } from "./text.ts";
import type { ReportView } from "./view/report-view.ts";
import type { SourceLine } from "./view/source-line.ts";

type Field = readonly [name: string, value: string | null];

/** Returns BibTeX: `article` for works with a venue, otherwise `misc`. Keys (author or kind, year, source id) are unique and stable. */
export function toBibtex(view: ReportView, { sources }: Pick<Report, "sources">): string {
  const known = new Map(sources.map((source) => [source.id, source]));
  const entries = view.sources.map((line) => entryOf(line, known.get(line.id), view));
  return `${[header(view), ...entries].join("\n\n")}\n`;
}

/** Returns comment lines. BibTeX ignores text outside of entries, but `@` begins an entry. */
function header({ title, standing, noAnswer, appendix, labels }: ReportView): string {
  const receipt = appendix.find((part) => part.title === labels.receipt)?.tables[0]?.rows ?? [];
  const rows = receipt.map(([name, value]) => `${name}: ${value}`);
  return [title, ...noAnswer, ...standing, ...rows].map((line) => `% ${line.replaceAll("@", "(at)")}`).join("\n");
}

function entryOf(line: SourceLine, source: Source | undefined, view: ReportView): string {
  const publication = source?.publication;
  const isArticle = publication?.venue != null && publication.venue !== "";
  const [year, month] = /^(\d{4})(?:-(\d\d))?/.exec(source?.publishedAt ?? "")?.slice(1) ?? [];
  const fields: Field[] = [
    // Without the second pair of braces, styles write titles in lower case.
    ["title", `{${escapeLatex(line.title)}}`],
    ["author", publication === undefined ? null : authorsOf(publication.authors)],
    ["journal", isArticle ? escapeLatex(cleanText(publication?.venue ?? "")) : null],
    ["year", year ?? null],
    ["month", month === undefined ? null : String(Number(month))],
    ["doi", publication?.doi == null ? null : escapeAddress(cleanText(publication.doi))],
    ["eprint", publication?.arxivId == null ? null : escapeAddress(cleanText(publication.arxivId))],
    ["archiveprefix", publication?.arxivId == null ? null : "arXiv"],
    ["pmid", publication?.pmid == null ? null : escapeLatex(cleanText(publication.pmid))],
    ["url", line.href === null ? null : escapeAddress(line.href)],
    ["howpublished", line.href === null && line.address !== "" ? escapeLatex(line.address) : null],
    ["note", noteOf(line, view)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === null || value === "" ? [] : [`  ${name} = {${value}}`]));
  return `@${isArticle ? "article" : "misc"}{${keyOf(line, publication?.authors[0], year)},\n${lines.join(",\n")}\n}`;
}

function authorsOf(names: readonly string[]): string | null {
  // BibTeX splits names at "and" and at commas, unless they are in braces.
  const authors = names.map(cleanText).filter((name) => name !== "");
  return authors.length === 0
    ? null
    : authors.map((name) => (/^[\p{L}\p{M}.'’ -]+$/u.test(name) && !/\band\b/i.test(name) ? name : `{${escapeLatex(name)}}`)).join(" and ");
}

function noteOf({ retracted, kind, notes }: SourceLine, { labels }: ReportView): string {
  return [...(retracted ? [labels.retracted] : []), kind, notes.map((number) => `[${number}]`).join("")].map(escapeLatex).join("; ");
}

function keyOf({ id, kind }: SourceLine, firstAuthor: string | undefined, year: string | undefined): string {
  const family = (firstAuthor ?? "").normalize("NFKD").replace(/\p{M}/gu, "").trim().split(/\s+/).at(-1) ?? "";
  const name = /^[A-Za-z]+$/.test(family) ? family.toLowerCase() : kind;
  return `${name}${year ?? ""}-${id.replace(/[^A-Za-z0-9]/g, (character) => `_${character.codePointAt(0)?.toString(16)}`)}`;
}

const SPECIALS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  // BibTeX counts braces even after a backslash.
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

function escapeLatex(text: string): string {
  return text.replace(/[\\{}$&#%_~^]/g, (character) => SPECIALS[character] ?? "");
}

function escapeAddress(href: string): string {
  return href.replace(/[\\{}]/g, (character) => encodeURIComponent(character));
}

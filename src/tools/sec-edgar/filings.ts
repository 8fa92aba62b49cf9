import type { Block, ExtractedDocument } from "../../domain/document.ts";
import type { DocumentExtractor } from "../../domain/ports/sources.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { type Arguments, companyLabel, filingSource, type NamedCompany } from "./arguments.ts";
import {
  companyPageUrl,
  documentUrl,
  type Edgar,
  type FilingColumns,
  FilingColumnsSchema,
  type OlderPage,
  olderPageUrl,
  type Submissions,
} from "./client.ts";

interface Filing {
  readonly accession: string;
  readonly form: string;
  readonly filedAt: string;
  readonly periodEnd: string | null;
  readonly document: string | null;
}

const MAX_ROWS = 25;

export async function lookUpFilings(args: Arguments, company: NamedCompany, submissions: Submissions, edgar: Edgar): Promise<ToolResult> {
  const { form, years } = args;
  const label = companyLabel(company);
  const filings = await listFilings(submissions, { form, years }, edgar);
  const filter = [form, ...(years ?? [])].join(" ").trim();
  const which = filter === "" ? "" : ` (${filter})`;
  if (filings.length === 0) return { text: `${label}: no filings${which} were found.`, sources: [] };
  const rows = filings.slice(0, MAX_ROWS).map((filing) => filingRow(filing, company));
  const source = {
    title: `${label}: filings with the SEC${which}`,
    url: `${companyPageUrl(company.cik)}${form === undefined ? "" : `&type=${encodeURIComponent(form)}`}${years === undefined ? "" : `#${years.join("-")}`}`,
    publishedAt: filings[0]?.filedAt ?? null,
  };
  const list = filingSource(source, rows);
  const more = `There are ${filings.length}; the newest ${rows.length} are shown. Name a form or years to see others.`;
  return { text: filings.length > rows.length ? `${list.text}\n${more}` : list.text, sources: [list] };
}

function filingRow({ accession, form, filedAt, periodEnd, document }: Filing, company: NamedCompany): string {
  const period = periodEnd === null ? "" : ` for the period to ${periodEnd}`;
  const url = documentUrl(company.cik, accession, document);
  return `${companyLabel(company)} filed form ${form} on ${filedAt}${period} (accession ${accession}, ${url})`;
}

const MAX_OLDER_PAGES = 3;
/** Forms in which insiders report their trades. Many companies have more of these than of all other forms. */
const OWNERSHIP = /^(?:3|4|5|144)(?:\/A)?$/;

/** Returns the newest filing first. Fetches older pages of the list only if they can contain a wanted filing. */
async function listFilings(
  { filings: { recent, files } }: Submissions,
  { form, years }: Pick<Arguments, "form" | "years">,
  edgar: Edgar,
): Promise<Filing[]> {
  const fits = (filing: Filing): boolean => hasForm(filing, form) && (years === undefined || isOfYears(filing, years));
  const found = rowsOf(recent).filter(fits);
  const older = (files ?? []).filter((page) => (years === undefined ? found.length === 0 : mayContain(page, years)));
  for (const { name } of older.slice(0, MAX_OLDER_PAGES)) {
    found.push(...rowsOf(await edgar.json(FilingColumnsSchema, olderPageUrl(name))).filter(fits));
  }
  return found.sort((a, b) => b.filedAt.localeCompare(a.filedAt));
}

function rowsOf(columns: FilingColumns): Filing[] {
  return columns.accessionNumber.flatMap((accession, i): Filing[] => {
    const [form, filedAt] = [columns.form[i], columns.filingDate[i]];
    if (form === undefined || filedAt === undefined) return [];
    return [{ accession, form, filedAt, periodEnd: columns.reportDate[i] || null, document: columns.primaryDocument[i] || null }];
  });
}

function hasForm({ form }: Filing, wanted: string | undefined): boolean {
  if (wanted === undefined) return !OWNERSHIP.test(form);
  return [wanted, `${wanted}/A`].some((one) => one.toUpperCase() === form.toUpperCase());
}

/** A report on a year is often filed in the next year, so both years count. */
function isOfYears({ filedAt, periodEnd }: Filing, years: readonly number[]): boolean {
  return years.includes(yearOf(periodEnd ?? filedAt)) || years.includes(yearOf(filedAt));
}

function mayContain({ filingFrom, filingTo }: OlderPage, years: readonly number[]): boolean {
  return years.some((year) => year + 1 >= yearOf(filingFrom) && year <= yearOf(filingTo));
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

export const ANNUAL_FORMS: readonly string[] = ["10-K", "20-F", "40-F"];
const DEFAULT_ITEM = "1";
const SNIPPET_LENGTH = 600;

export async function readSection(
  args: Arguments,
  company: NamedCompany,
  submissions: Submissions,
  edgar: Edgar,
  extractor: DocumentExtractor,
): Promise<ToolResult> {
  const label = companyLabel(company);
  const filing = await findReport(args, submissions, edgar);
  if (filing?.document == null) {
    const years = args.years ? ` for ${args.years.join(", ")}` : "";
    return { text: `${label}: no ${args.form ?? "annual report"}${years} was found.`, sources: [] };
  }
  const url = documentUrl(company.cik, filing.accession, filing.document);
  // The bytes are UTF-8 now. The charset that the filing declares, ASCII, would garble them.
  const bytes = new TextEncoder().encode(await edgar.text(url));
  const mediaType = /\.html?$/i.test(url) ? "text/html" : "";
  const document = await extractor.extract({ bytes, url, mediaType, charset: "utf-8", whole: true });
  const item = args.item ?? DEFAULT_ITEM;
  const section = cutSection(document, item, label);
  const report = `${filing.form}${filing.periodEnd === null ? "" : ` for the period to ${filing.periodEnd}`}`;
  if (section === null)
    return { text: `${label}: the ${report} has no item ${item}; it has ${itemsOf(document).join(", ") || "none"}.`, sources: [] };
  const title = `${section.heading} (${report}, accession ${filing.accession})`;
  const source = {
    title,
    url: `${url}#item-${item.replaceAll(/[^\w.]+/g, "-")}`,
    publishedAt: filing.filedAt,
    snippet: section.text.slice(0, SNIPPET_LENGTH),
    kind: "filing" as const,
    text: section.text,
    blocks: section.blocks,
  };
  return { text: `${title}\n${section.text}`, sources: [source] };
}

/** Finds the newest report of a form. Prefers a report on one of `years` to a report filed in one of them. */
async function findReport({ form, years }: Arguments, submissions: Submissions, edgar: Edgar): Promise<Filing | undefined> {
  const annual = ANNUAL_FORMS.find((one) => submissions.filings.recent.form.includes(one)) ?? ANNUAL_FORMS[0];
  const filings = await listFilings(submissions, { form: form ?? annual, years }, edgar);
  const whole = filings.filter((filing) => filing.document !== null && !filing.form.endsWith("/A"));
  return whole.find(({ periodEnd }) => years?.includes(yearOf(periodEnd ?? ""))) ?? whole[0];
}

interface Heading {
  readonly part: string;
  /** Such as `1A`; empty for the heading of a part or of the signatures. */
  readonly item: string;
  /** Whether a page number follows the heading, as in a table of contents. */
  readonly listed: boolean;
  readonly index: number;
}

/** A longer block that begins with "Item 1" is a sentence, not a heading. */
const MAX_HEADING = 250;
const ITEM = /^item\s*(\d{1,2})\s*([A-D])?(?=[\s.:|—–-]|$)/i;
const PART = /^part\s+(I{1,3}|IV)\b/i;
const PAGE_NUMBER = /[|.\s]\s*\d{1,3}\s*\|?$/;
const SIGNATURES = /^signatures?\.?$/i;
const WANTED = /^(?:(?:part\s*)?(I{1,3}|IV)[.,\s-]+)?(?:item\s*)?(\d{1,2}[A-D]?)\.?$/i;

/** Returns the text of an item. Prefers headings outside the table of contents, and of those the one with the longest text. */
function cutSection({ text, blocks }: ExtractedDocument, wanted: string, whose: string) {
  const [, part, item = ""] = WANTED.exec(wanted.trim()) ?? [];
  const headings = findHeadings(text, blocks);
  const fits = (heading: Heading): boolean =>
    heading.item === item.toUpperCase() && (part === undefined || heading.part === part.toUpperCase());
  const spans = headings.flatMap((heading, i) => {
    const end = endOf(heading, headings.slice(i + 1), blocks.length);
    const length = (blocks[end - 1]?.end ?? 0) - (blocks[heading.index]?.end ?? 0);
    return fits(heading) ? [{ ...heading, end, length }] : [];
  });
  const best = spans.sort((a, b) => Number(a.listed) - Number(b.listed) || b.length - a.length)[0];
  return best === undefined ? null : assemble(text, removeRunningHeads(text, blocks, best.index, best.end), whose);
}

function itemsOf({ text, blocks }: ExtractedDocument): string[] {
  const headings = findHeadings(text, blocks).filter(({ item }) => item !== "");
  const own = headings.filter(({ listed }) => !listed);
  return [...new Set((own.length > 0 ? own : headings).map(({ part, item }) => (part === "" ? item : `${part}.${item}`)))];
}

function findHeadings(text: string, blocks: readonly Block[]): Heading[] {
  const headings: Heading[] = [];
  let part = "";
  for (const [index, { start, end }] of blocks.entries()) {
    if (end - start > MAX_HEADING) continue;
    const line = text.slice(start, end);
    const listed = PAGE_NUMBER.test(line);
    const begun = PART.exec(line)?.[1]?.toUpperCase();
    part = begun ?? part;
    const match = ITEM.exec(line.replace(PART, "").replace(/^[\s,.:|—–-]+/, ""));
    if (match !== null) headings.push({ part, item: `${match[1]}${match[2] ?? ""}`.toUpperCase(), listed, index });
    else if (begun !== undefined || SIGNATURES.test(line)) headings.push({ part: begun ?? "", item: "", listed, index });
  }
  return headings;
}

/** A repeated heading such as "Item 1 (continued)" does not end the item. */
function endOf({ item, part }: Heading, after: readonly Heading[], end: number): number {
  return after.find((next) => next.part !== part || (next.item !== "" && next.item !== item))?.index ?? end;
}

const MAX_RUNNING_HEAD = 80;
const MIN_VARIANTS = 4;
const BARE_PART = /^part\s+(?:I{1,3}|IV)\.?$/i;

/** Removes page headers, footers and page numbers: short blocks that occur often and differ only in their digits. */
function removeRunningHeads(text: string, blocks: readonly Block[], from: number, to: number): Block[] {
  const contentOf = ({ start, end }: Block): string => text.slice(start, end);
  const shapeOf = (block: Block): string => contentOf(block).replaceAll(/\d+/g, "#");
  const short = blocks.filter(({ start, end }) => end - start <= MAX_RUNNING_HEAD);
  const variants = new Map([...Map.groupBy(short, shapeOf)].map(([shape, alike]) => [shape, new Set(alike.map(contentOf)).size]));
  const isRunningHead = (block: Block): boolean => (variants.get(shapeOf(block)) ?? 0) >= MIN_VARIANTS || BARE_PART.test(contentOf(block));
  return blocks.slice(from, to).filter((block, i) => i === 0 || !isRunningHead(block));
}

/** Adds the company's name to the heading, because the headings of all companies are alike. */
function assemble(text: string, [first, ...rest]: readonly Block[], whose: string) {
  if (first === undefined) return null;
  const named = text
    .slice(first.start, first.end)
    .replaceAll(/\s*\|\s*/g, " ")
    .trim();
  const heading = `${whose}: ${named}`;
  const parts = [
    { kind: "heading" as const, level: 1, text: heading },
    ...rest.map(({ kind, level, start, end }) => ({ kind, level, text: text.slice(start, end) })),
  ];
  let start = 0;
  const blocks = parts.map(({ kind, level, text: part }): Block => {
    const block = { kind, level, start, end: start + part.length };
    start = block.end + 1;
    return block;
  });
  return { heading, text: parts.map((part) => part.text).join("\n"), blocks };
}

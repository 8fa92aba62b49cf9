import type { z } from "zod";
import type { ToolResult } from "../../domain/tool.ts";
import { readItems, withQuery } from "../shared/service-client.ts";
import { type Arguments, filingSource, printNumber } from "./arguments.ts";
import {
  documentUrl,
  type Edgar,
  FramePointSchema,
  FrameSchema,
  frameUrl,
  paddedCik,
  SEARCH_URL,
  SearchAnswerSchema,
  SearchHitSchema,
} from "./client.ts";
import { readConcepts, type WantedConcept } from "./select-facts.ts";

const MAX_ROWS = 20;

/** Searches filings since 2001: https://www.sec.gov/edgar/search/efts-faq.html. */
export async function searchFullText(args: Arguments, cik: number | null, edgar: Edgar): Promise<ToolResult> {
  const url = searchUrl(args, cik);
  const { hits } = await edgar.json(SearchAnswerSchema, url);
  const found = readItems("sec_edgar", SearchHitSchema, hits.hits);
  if (found.length === 0)
    return { text: `No document that was asked for holds ${args.query}; the full text reaches back to 2001.`, sources: [] };
  const rows = found.slice(0, MAX_ROWS).map((hit) => hitRow(hit, args.query ?? ""));
  const title = `SEC EDGAR full-text search: ${args.query}`;
  const source = filingSource({ title, url: `https://www.sec.gov/edgar/search/#/${url.searchParams}`, publishedAt: null }, rows);
  // The service stops counting at 10,000 hits and then sends `gte`.
  const total = `${hits.total.relation === "gte" ? "at least " : ""}${printNumber(hits.total.value)}`;
  return { text: `${total} documents; the best ${rows.length}:\n${source.text}`, sources: [source] };
}

function searchUrl({ query, form, years }: Arguments, cik: number | null): URL {
  return withQuery(SEARCH_URL, {
    q: query,
    forms: form?.toUpperCase(),
    ciks: cik === null ? undefined : paddedCik(cik),
    dateRange: years && "custom",
    startdt: years && `${Math.min(...years)}-01-01`,
    enddt: years && `${Math.max(...years)}-12-31`,
  });
}

function hitRow({ _id, _source }: z.infer<typeof SearchHitSchema>, query: string): string {
  const { ciks, display_names: names, form, file_type: type, file_description: description } = _source;
  const { file_date: filedAt, period_ending: end } = _source;
  const [, accession = "", name = ""] = /^([^:]*):?(.*)$/s.exec(_id) ?? [];
  const whose = names.join(", ").replaceAll(/\s+/g, " ") || `CIK ${ciks[0] ?? ""}`;
  const what = [form ?? type, description === form ? null : description].filter((part) => part).join(", ");
  // A filing can have several companies. Its URL contains the first one's CIK.
  const origin = `accession ${accession}, ${documentUrl(ciks[0] ?? 0, accession, name)}`;
  return `${whose} filed ${what} on ${filedAt}${end ? ` for the period to ${end}` : ""}, which holds ${query} (${origin})`;
}

const MAX_TAGS = 3;
const SNIPPET_COMPANIES = 4;

/** An XBRL frame contains one figure of all companies for one calendar period. */
export async function lookUpFrame({ concepts = [], period = "" }: Arguments, edgar: Edgar): Promise<ToolResult> {
  const [concept] = readConcepts(concepts);
  if (concept === undefined || concept.tags.length === 0)
    return { text: `${concepts[0]}: no known figure; ask for it by its XBRL tag, such as us-gaap:Assets.`, sources: [] };
  for (const tag of concept.tags.slice(0, MAX_TAGS)) {
    const url = frameUrl(tag, unitOf(tag), period);
    const frame = await edgar.jsonOrNull(FrameSchema, url);
    if (frame === null) continue;
    const points = readItems("sec_edgar", FramePointSchema, frame.data).toSorted((a, b) => b.val - a.val);
    const rows = points.slice(0, MAX_ROWS).map((point, i) => pointRow(point, i + 1, frame, concept));
    const title = `${concept.name} of ${printNumber(points.length)} companies in ${period} (${frame.taxonomy}:${frame.tag})`;
    const source = filingSource({ title, url, publishedAt: null }, rows, SNIPPET_COMPANIES);
    return { text: `${title}, the largest first:\n${source.text}`, sources: rows.length === 0 ? [] : [source] };
  }
  return {
    text: `No company has reported ${concept.name} for ${period}; balance sheet figures have periods such as CY2023Q4I.`,
    sources: [],
  };
}

function unitOf(tag: string): string {
  if (/PerShare|PerDiluted/.test(tag)) return "USD/shares";
  return /SharesOutstanding|NumberOf\w*Shares/.test(tag) ? "shares" : "USD";
}

function pointRow(
  { accn, cik, entityName, start, end, val }: z.infer<typeof FramePointSchema>,
  rank: number,
  { taxonomy, tag, ccp, uom, label }: z.infer<typeof FrameSchema>,
  { name }: WantedConcept,
): string {
  const what = name.includes(":") ? (label ?? tag) : name;
  const value = `${printNumber(val)} ${uom.replace("-per-shares", " per share")}`;
  const dates = [start, end].filter((date) => date).join(" to ");
  return `${entityName} (CIK ${cik}), number ${rank} by ${what} in ${ccp} (${dates}): ${value} (${taxonomy}:${tag}, ${ccp}, accession ${accn})`;
}

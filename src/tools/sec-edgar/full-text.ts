import type { CallContext } from "../../domain/ports/sources.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { readItems } from "../services/read-answer.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { rowText } from "../services/text.ts";
import { documentUrl, SEARCH_URL } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { paddedCik } from "./cik.ts";
import { SearchAnswerSchema, type SearchHit, SearchHitSchema } from "./schema.ts";
import { printNumber, type Wording, wordingOf } from "./wording.ts";

/** An answer has up to 100 hits; the best are enough for one call. */
const MAX_ROWS = 20;
const SNIPPET_ROWS = 3;

/**
 * Filings whose text holds the words, best first. The service searches what was filed since 2001, answers 100 hits a page
 * and counts no further than 10,000: https://www.sec.gov/edgar/search/efts-faq.html.
 */
export async function searchFullText(
  args: Arguments,
  cik: number | null,
  client: ServiceClient,
  context: CallContext,
): Promise<ToolResult> {
  const url = searchAddress(args, cik);
  const { hits } = await client.json(SearchAnswerSchema, url, context);
  const found = readItems("sec_edgar", SearchHitSchema, hits.hits);
  const atLeast = hits.total.relation === "gte";
  const total = `${atLeast ? "at least " : ""}${printNumber(hits.total.value)}`;
  if (found.length === 0)
    return { text: `No document that was asked for holds ${args.query}; the full text reaches back to 2001.`, sources: [] };
  const wording = wordingOf(args);
  const rows = found.slice(0, MAX_ROWS).map((hit) => hitRow(hit, args.query ?? "", wording));
  const source = {
    title: wording === "zh" ? `SEC EDGAR 全文检索：${args.query}` : `SEC EDGAR full-text search: ${args.query}`,
    url: `https://www.sec.gov/edgar/search/#/${url.searchParams}`,
    publishedAt: null,
    snippet: rows.slice(0, SNIPPET_ROWS).join("\n"),
    kind: "filing" as const,
    ...rowText(rows),
  };
  return { text: `${total} documents; the best ${rows.length}:\n${source.text}`, sources: [source] };
}

function searchAddress({ query = "", form, years }: Arguments, cik: number | null): URL {
  const url = new URL(SEARCH_URL);
  url.searchParams.set("q", query);
  if (form !== undefined) url.searchParams.set("forms", form.toUpperCase());
  if (cik !== null) url.searchParams.set("ciks", paddedCik(cik));
  if (years !== undefined) {
    url.searchParams.set("dateRange", "custom");
    url.searchParams.set("startdt", `${Math.min(...years)}-01-01`);
    url.searchParams.set("enddt", `${Math.max(...years)}-12-31`);
  }
  return url;
}

/** A filing has the document under the number of its first company. */
function hitRow({ _id, _source }: SearchHit, query: string, wording: Wording): string {
  const {
    ciks,
    display_names: names,
    form,
    file_type: type,
    file_description: description,
    file_date: filedAt,
    period_ending: end,
  } = _source;
  const [accession = "", name = ""] = splitId(_id);
  const whose = names.join(", ").replaceAll(/\s+/g, " ") || `CIK ${ciks[0] ?? ""}`;
  const what = [form ?? type, description && description !== form ? description : null].filter((part) => part).join(", ");
  const origin = `accession ${accession}, ${documentUrl(ciks[0] ?? 0, accession, name)}`;
  if (wording === "zh") return `${whose}于 ${filedAt} 提交的文件（${what}${end ? `，报告期截至 ${end}` : ""}）含有 ${query}（${origin}）`;
  return `${whose} filed ${what} on ${filedAt}${end ? ` for the period to ${end}` : ""}, which holds ${query} (${origin})`;
}

/** `accession:filename`; a filename may hold colons of its own. */
function splitId(id: string): [string, string] {
  const at = id.indexOf(":");
  return at < 0 ? [id, ""] : [id.slice(0, at), id.slice(at + 1)];
}

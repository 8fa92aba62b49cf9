import type { CallContext } from "../../domain/ports/http-fetch.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { rowText } from "../hits/row-text.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { companyPageUrl, documentUrl, filingUrl } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { type Filing, listFilings } from "./filings-list.ts";
import type { Submissions } from "./schema.ts";
import { companyLabel, type NamedCompany, type Wording, wordingOf } from "./wording.ts";

const MAX_ROWS = 25;
const SNIPPET_ROWS = 3;

/** The filings of a company, newest first, a row each. */
export async function lookUpFilings(
  args: Arguments,
  company: NamedCompany,
  submissions: Submissions,
  client: ServiceClient,
  context: CallContext,
): Promise<ToolResult> {
  const wording = wordingOf(args);
  const { form, years } = args;
  const filings = await listFilings(submissions, { form, years }, client, context);
  const which = [form, ...(years ?? [])].join(" ").trim();
  if (filings.length === 0)
    return { text: `${companyLabel(company, wording)}: no filings${which === "" ? "" : ` (${which})`} were found.`, sources: [] };
  const rows = filings.slice(0, MAX_ROWS).map((filing) => filingRow(filing, company, wording));
  const source = {
    title: `${companyLabel(company, wording)}: ${wording === "zh" ? "向美国证监会提交的文件" : "filings with the SEC"}${which === "" ? "" : ` (${which})`}`,
    url: `${companyPageUrl(company.cik)}${form === undefined ? "" : `&type=${encodeURIComponent(form)}`}${years === undefined ? "" : `#${years.join("-")}`}`,
    publishedAt: filings[0]?.filedAt ?? null,
    snippet: rows.slice(0, SNIPPET_ROWS).join("\n"),
    kind: "filing" as const,
    ...rowText(rows),
  };
  const more =
    filings.length > rows.length
      ? [`There are ${filings.length}; the newest ${rows.length} are shown. Name a form or years to see others.`]
      : [];
  return { text: [source.text, ...more].join("\n"), sources: [source] };
}

/** One filing as a statement that can be quoted alone. */
export function filingRow(filing: Filing, company: NamedCompany, wording: Wording): string {
  const { accession, form, filedAt, periodEnd, document } = filing;
  const url = document === null ? filingUrl(company.cik, accession) : documentUrl(company.cik, accession, document);
  const whose = companyLabel(company, wording);
  if (wording === "zh") {
    const period = periodEnd === null ? "" : `，报告期截至 ${periodEnd}`;
    return `${whose}于 ${filedAt} 提交 ${form} 文件${period}（accession ${accession}，${url}）`;
  }
  const period = periodEnd === null ? "" : ` for the period to ${periodEnd}`;
  return `${whose} filed form ${form} on ${filedAt}${period} (accession ${accession}, ${url})`;
}

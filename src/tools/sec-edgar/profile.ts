import type { ToolResult } from "../../domain/tool.ts";
import { rowText } from "../services/text.ts";
import { companyPageUrl } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { paddedCik } from "./cik.ts";
import { profileRows } from "./profile-rows.ts";
import type { Submissions } from "./schema.ts";
import { companyLabel, type NamedCompany, wordingOf } from "./wording.ts";

const SNIPPET_ROWS = 3;

/** What a company's registration says of it, a row for each thing. */
export function describeCompany(args: Arguments, company: NamedCompany, submissions: Submissions): ToolResult {
  const wording = wordingOf(args);
  const rows = profileRows(company, submissions, wording);
  const label = companyLabel(company, wording);
  const source = {
    title:
      wording === "zh" ? `${label}：公司基本情况（SEC EDGAR）` : `${label}: company profile, overview and basic information (SEC EDGAR)`,
    url: companyPageUrl(company.cik),
    publishedAt: submissions.filings.recent.filingDate[0] ?? null,
    snippet: rows.slice(0, SNIPPET_ROWS).join("\n"),
    kind: "filing" as const,
    ...rowText(rows),
  };
  return { text: `${source.title}, CIK ${paddedCik(company.cik)}\n${source.text}`, sources: [source] };
}

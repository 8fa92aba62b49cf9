import type { CallContext } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import type { ToolEntry, ToolOptions } from "../shared/entry.ts";
import { type Arguments, ArgumentsSchema, companyLabel, filingSource, type NamedCompany } from "./arguments.ts";
import {
  companyPageUrl,
  createEdgarClient,
  type Edgar,
  paddedCik,
  SEC_EDGAR,
  type Submissions,
  SubmissionsSchema,
  submissionsUrl,
} from "./client.ts";
import { lookUpFacts } from "./facts.ts";
import { ANNUAL_FORMS, lookUpFilings, readSection } from "./filings.ts";
import { createCompanyList, resolveCompany } from "./find-company.ts";
import { lookUpFrame, searchFullText } from "./search.ts";

export const SEC_EDGAR_SEARCH: ToolEntry = {
  name: SEC_EDGAR.owner,
  services: [
    {
      endpoint: SEC_EDGAR,
      title: "SEC EDGAR",
      description: "filings and figures of companies in the United States, for sec_edgar_search",
      settings: { baseUrl: { variable: "SEC_EDGAR_BASE_URL" } },
    },
  ],
  create: createSecEdgar,
};

const TIMEOUT_MS = 50_000;

export function createSecEdgar({ fetch, contactEmail, extractor }: Omit<ToolOptions, "configured">): Tool<Arguments> {
  const open = createEdgarClient(fetch, contactEmail);
  const companies = createCompanyList(open);

  async function call(args: Arguments, context: CallContext): Promise<ToolResult> {
    const edgar = open(context);
    if (args.what === "frame") return lookUpFrame(args, edgar);
    if (args.what === "search" && args.company === undefined) return searchFullText(args, null, edgar);
    const resolved = await resolveCompany(args.company ?? args.query ?? "", () => companies(context));
    if ("text" in resolved) return { text: resolved.text, sources: [] };
    const { company } = resolved;
    if (args.what === "search") return searchFullText(args, company.cik, edgar);
    if (args.what === "facts") return lookUpFacts(args, company, edgar);
    return args.what === undefined ? lookUp(args, company, edgar, context.signal) : fromSubmissions(args, company, edgar);
  }

  async function lookUp(args: Arguments, company: NamedCompany, edgar: Edgar, signal: AbortSignal): Promise<ToolResult> {
    const [profile, facts] = await Promise.all([
      fromSubmissions(args, company, edgar),
      lookUpFacts(args, company, edgar).catch((error: unknown): ToolResult => {
        signal.throwIfAborted();
        const incomplete = `Its figures could not be read: ${toDossierError(error, "tool_failed").message}`;
        return { text: incomplete, sources: [], incomplete };
      }),
    ]);
    if (profile.sources.length === 0) return profile;
    return { ...facts, text: `${profile.text}\n${facts.text}`, sources: [...profile.sources, ...facts.sources] };
  }

  async function fromSubmissions(args: Arguments, company: NamedCompany, edgar: Edgar): Promise<ToolResult> {
    const submissions = await edgar.jsonOrNull(SubmissionsSchema, submissionsUrl(company.cik));
    if (submissions === null) return { text: `The SEC knows no company with the CIK ${company.cik}.`, sources: [] };
    const named = { ...company, name: submissions.name, ticker: company.ticker ?? submissions.tickers?.[0] ?? null };
    if (args.what === "filings") return lookUpFilings(args, named, submissions, edgar);
    if (args.what === "section") return readSection(args, named, submissions, edgar, extractor);
    return describeCompany(named, submissions);
  }

  return {
    name: SEC_EDGAR.owner,
    description:
      "Companies that file with the US SEC (EDGAR): profile, filings, reported figures (XBRL), text of annual and quarterly reports, full-text search. Company by English name, ticker or CIK.",
    kind: "query",
    schema: ArgumentsSchema,
    timeoutMs: TIMEOUT_MS,
    call,
  };
}

function describeCompany(company: NamedCompany, submissions: Submissions): ToolResult {
  const label = companyLabel(company);
  const title = `${label}: company profile, overview and basic information (SEC EDGAR)`;
  const rows = profileRows(submissions).map((row) => `${label} ${row}`);
  const publishedAt = submissions.filings.recent.filingDate[0] ?? null;
  const source = filingSource({ title, url: companyPageUrl(company.cik), publishedAt }, rows);
  const site = submissions.website ? { site: submissions.website } : {};
  return { text: `${title}, CIK ${paddedCik(company.cik)}\n${source.text}`, sources: [{ ...source, ...site }] };
}

const MAX_FORMER_NAMES = 3;

/** A row for each fact that EDGAR knows. */
function profileRows(submissions: Submissions): string[] {
  const { name, cik, category, sic, sicDescription, fiscalYearEnd, website, phone, tickers, exchanges, formerNames, filings } = submissions;
  const { street1, street2, city, stateOrCountryDescription, stateOrCountry, zipCode } = submissions.addresses?.business ?? {};
  const list = (parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(", ");
  const listings = (tickers ?? []).map((ticker, i) => ticker && (exchanges?.[i] ? `${ticker} (${exchanges[i]})` : ticker));
  const former = (formerNames ?? []).slice(0, MAX_FORMER_NAMES).map((one) => `${one.name} (until ${one.to?.slice(0, 10) ?? "?"})`);
  const { recent } = filings;
  const report = recent.form.findIndex((form) => ANNUAL_FORMS.includes(form));
  const filed = `form ${recent.form[report]}, on ${recent.filingDate[report]} for the period to ${recent.reportDate[report]}`;
  const facts: readonly (readonly [known: string | null | undefined, before: string, after?: string])[] = [
    [name, "is the company ", `, registered with the SEC under the CIK ${paddedCik(cik)}${category ? ` as ${category}` : ""}`],
    [list(listings), "has its shares listed as "],
    [sicDescription, "is in the industry ", ` (SIC code ${sic})`],
    [submissions.stateOfIncorporationDescription || submissions.stateOfIncorporation, "is incorporated in "],
    [fiscalYearEnd?.replace(/^(\d{2})(\d{2})$/, "$1-$2"), "ends its fiscal year on ", " (month and day)"],
    [list([street1, street2, city, stateOrCountryDescription || stateOrCountry, zipCode]), "has its headquarters and business address at "],
    [list([website, phone]), "can be reached at "],
    [list(former), "was formerly named "],
    [recent.accessionNumber[report], `filed its latest annual report, ${filed} (accession `, ")"],
  ];
  return facts.flatMap(([known, before, after = ""]) => (known ? [`${before}${known}${after}`] : []));
}

import type { CallContext } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import type { ToolOptions } from "../shared/entry.ts";
import { type Arguments, ArgumentsSchema, companyLabel, filingSource, type NamedCompany, type Wording, wordingOf } from "./arguments.ts";
import {
  companyPageUrl,
  createEdgarClient,
  type Edgar,
  paddedCik,
  SEC_EDGAR_SEARCH,
  type Submissions,
  SubmissionsSchema,
  submissionsUrl,
} from "./client.ts";
import { lookUpFacts } from "./facts.ts";
import { ANNUAL_FORMS, lookUpFilings, readSection } from "./filings.ts";
import { createCompanyList, resolveCompany } from "./find-company.ts";
import { lookUpFrame, searchFullText } from "./search.ts";

const TIMEOUT_MS = 50_000;

const EXAMPLES = [
  { what: "facts", company: "a ticker", concepts: ["revenue"], years: [2024] },
  { what: "filings", company: "a ticker", form: "10-K" },
  { what: "section", company: "a ticker", item: "1A" },
  { what: "search", query: "words of the filings" },
  { what: "frame", concepts: ["revenue"], period: "CY2024" },
];
const HINT = `A query alone is looked up as ticker, CIK or name of one company. For anything else say what is wanted, as in: ${EXAMPLES.map((call) => JSON.stringify(call)).join("; ")}.`;

export function createSecEdgar({ fetch, contactEmail, extractor }: Omit<ToolOptions, "configured">): Tool<Arguments> {
  const open = createEdgarClient(fetch, contactEmail);
  const companies = createCompanyList(open);

  async function call(args: Arguments, context: CallContext): Promise<ToolResult> {
    if (args.what === undefined) return lookUp(args.company ?? args.query ?? "", args, context);
    const edgar = open(context);
    const forAll = args.what === "search" ? searchFullText : args.what === "frame" ? lookUpFrame : null;
    const asked = args.company ?? (forAll === null ? args.query : undefined);
    if (forAll !== null && asked === undefined) return forAll(args, null, edgar);
    const resolved = await resolveCompany(asked ?? "", () => companies(context));
    if ("text" in resolved) return { text: resolved.text, sources: [] };
    const { company } = resolved;
    if (forAll !== null) return forAll(args, company.cik, edgar);
    return args.what === "facts" ? lookUpFacts(args, company, edgar) : fromSubmissions(args, company, edgar);
  }

  async function lookUp(asked: string, args: Arguments, context: CallContext): Promise<ToolResult> {
    const resolved = await resolveCompany(asked, () => companies(context));
    if ("text" in resolved) return { text: `${resolved.text}\n${HINT}`, sources: [] };
    const { company } = resolved;
    const [profile, facts] = await Promise.all([
      fromSubmissions({ ...args, what: "profile" }, company, open(context)),
      lookUpFacts(args, company, open(context)).catch((error: unknown): ToolResult => {
        context.signal.throwIfAborted();
        const incomplete = `Its figures could not be read: ${toDossierError(error, "tool_failed").message}`;
        return { text: incomplete, sources: [], incomplete };
      }),
    ]);
    return profile.sources.length === 0
      ? { ...profile, text: `${profile.text}\n${HINT}` }
      : { ...facts, text: `${profile.text}\n${facts.text}`, sources: [...profile.sources, ...facts.sources] };
  }

  async function fromSubmissions(args: Arguments, company: NamedCompany, edgar: Edgar): Promise<ToolResult> {
    const submissions = await edgar.jsonOrNull(SubmissionsSchema, submissionsUrl(company.cik));
    if (submissions === null) return { text: `The SEC knows no company with the CIK ${company.cik}.`, sources: [] };
    const named = { ...company, name: submissions.name, ticker: company.ticker ?? submissions.tickers?.[0] ?? null };
    if (args.what === "filings") return lookUpFilings(args, named, submissions, edgar);
    if (args.what === "section") return readSection(args, named, submissions, edgar, extractor);
    return describeCompany(args, named, submissions);
  }

  return {
    name: SEC_EDGAR_SEARCH,
    description:
      "Companies that file with the US SEC (EDGAR): profile, filings, reported figures (XBRL), text of annual and quarterly reports, full-text search. Company by name, ticker or CIK.",
    kind: "query",
    schema: ArgumentsSchema,
    timeoutMs: TIMEOUT_MS,
    call,
  };
}

function describeCompany(args: Arguments, company: NamedCompany, submissions: Submissions): ToolResult {
  const wording = wordingOf(args);
  const label = companyLabel(company, wording);
  const title =
    wording === "zh" ? `${label}：公司基本情况（SEC EDGAR）` : `${label}: company profile, overview and basic information (SEC EDGAR)`;
  const url = companyPageUrl(company.cik);
  const rows = profileRows(submissions, wording).map((row) => `${label}${row}`);
  const source = filingSource({ title, url, publishedAt: submissions.filings.recent.filingDate[0] ?? null }, rows);
  const site = submissions.website ? { site: submissions.website } : {};
  return { text: `${title}, CIK ${paddedCik(company.cik)}\n${source.text}`, sources: [{ ...source, ...site }] };
}

function profileRows(submissions: Submissions, wording: Wording): string[] {
  const { name, category, sic, sicDescription, website, phone } = submissions;
  const say = (fact: string | null | undefined, english: string, chinese: string): string[] =>
    fact ? [wording === "zh" ? chinese : ` ${english}`] : [];
  const join = (parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(wording === "zh" ? "、" : ", ");
  const cik = paddedCik(submissions.cik);
  const listings = join(listingsOf(submissions));
  const state = submissions.stateOfIncorporationDescription || submissions.stateOfIncorporation;
  const yearEnd = submissions.fiscalYearEnd?.replace(/^(\d{2})(\d{2})$/, "$1-$2");
  const address = addressOf(submissions);
  const contact = join([website, phone]);
  const formerNames = join(formerNamesOf(submissions, wording));
  const report = latestAnnualReport(submissions);
  return [
    ...say(
      name,
      `is the company ${name}, registered with the SEC under the CIK ${cik}${category ? ` as ${category}` : ""}`,
      `在美国证监会登记的公司名称是 ${name}，CIK 为 ${cik}${category ? `，类别为 ${category}` : ""}`,
    ),
    ...say(listings, `has its shares listed as ${listings}`, `的上市地和股票代码是 ${listings}`),
    ...say(sicDescription, `is in the industry ${sicDescription} (SIC code ${sic})`, `所属行业为 ${sicDescription}（SIC 代码 ${sic}）`),
    ...say(submissions.stateOfIncorporation, `is incorporated in ${state}`, `的注册地是 ${state}`),
    ...say(yearEnd, `ends its fiscal year on ${yearEnd} (month and day)`, `的财年截止日为 ${yearEnd}（月-日）`),
    ...say(address, `has its headquarters and business address at ${address}`, `的总部和营业地址是 ${address}`),
    ...say(contact, `can be reached at ${contact}`, `的联系方式是 ${contact}`),
    ...say(formerNames, `was formerly named ${formerNames}`, `的曾用名是 ${formerNames}`),
    ...say(
      report?.accession,
      `filed its latest annual report, form ${report?.form}, on ${report?.filedAt} for the period to ${report?.end} (accession ${report?.accession})`,
      `最近一份年度报告是 ${report?.filedAt} 提交的 ${report?.form}，报告期截至 ${report?.end}（accession ${report?.accession}）`,
    ),
  ];
}

function listingsOf({ tickers, exchanges }: Submissions): string[] {
  return (tickers ?? []).flatMap((ticker, i) => (ticker ? [exchanges?.[i] ? `${ticker} (${exchanges[i]})` : ticker] : []));
}

function addressOf({ addresses }: Submissions): string {
  const { street1, street2, city, stateOrCountryDescription, stateOrCountry, zipCode } = addresses?.business ?? {};
  return [street1, street2, city, stateOrCountryDescription || stateOrCountry, zipCode].filter(Boolean).join(", ");
}

const MAX_FORMER_NAMES = 3;

function formerNamesOf({ formerNames }: Submissions, wording: Wording): string[] {
  const latest = (formerNames ?? []).slice(0, MAX_FORMER_NAMES);
  return latest.map(({ name, to }) => {
    const end = to?.slice(0, 10) ?? "?";
    return wording === "zh" ? `${name}（至 ${end}）` : `${name} (until ${end})`;
  });
}

function latestAnnualReport({ filings: { recent } }: Submissions) {
  const i = recent.form.findIndex((form) => ANNUAL_FORMS.includes(form));
  const [form, filedAt, end, accession] = [recent.form[i], recent.filingDate[i], recent.reportDate[i], recent.accessionNumber[i]];
  return form && filedAt && end && accession ? { form, filedAt, end, accession } : null;
}

import type { CallContext, HttpFetch } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import type { ToolOptions } from "../services/entry.ts";
import { type Answer, type AnswerCheck, createServiceClient, type ServiceClient, type ServiceRequest } from "../services/service-client.ts";
import { rowText } from "../services/text.ts";
import { companyPageUrl, documentUrl, filingUrl, submissionsUrl } from "./addresses.ts";
import { type Arguments, ArgumentsSchema } from "./arguments.ts";
import { readCik } from "./cik.ts";
import { type CompanyList, createCompanyList, type ListedCompany } from "./company-list.ts";
import { SEC_EDGAR, SEC_EDGAR_SEARCH } from "./endpoint.ts";
import { lookUpFacts } from "./facts.ts";
import { type Filing, listFilings } from "./filings-list.ts";
import { findCompany } from "./find-company.ts";
import { lookUpFrame } from "./frame.ts";
import { searchFullText } from "./full-text.ts";
import { nullIfMissing } from "./null-if-missing.ts";
import { describeCompany } from "./profile.ts";
import { type Submissions, SubmissionsSchema } from "./schema.ts";
import { readSection } from "./section.ts";
import { companyLabel, type NamedCompany, type Wording, wordingOf } from "./wording.ts";

const TIMEOUT_MS = 50_000;

/**
 * Companies that file with the US Securities and Exchange Commission: who they are, what they filed, the figures they
 * reported and what their reports say. Each row of an answer says by itself where it comes from.
 */
export function createSecEdgar({ fetch, contactEmail, extractor }: Omit<ToolOptions, "configured">): Tool<Arguments> {
  const client = createEdgarClient(fetch, contactEmail);
  const companies = createCompanyList(client);

  async function call(args: Arguments, context: CallContext): Promise<ToolResult> {
    if (args.what === undefined) return lookUp(args.company ?? args.query ?? "", args, context);
    const asked = args.company ?? (args.what === "search" || args.what === "frame" ? undefined : args.query);
    if (asked === undefined) return withoutCompany(args, null, context);
    const resolved = await resolveCompany(asked, companies, context);
    if ("text" in resolved) return { text: resolved.text, sources: [] };
    const { company } = resolved;
    if (args.what === "search" || args.what === "frame") return withoutCompany(args, company.cik, context);
    if (args.what === "facts") return lookUpFacts(args, company, client, context);
    return fromSubmissions(args, company, context);
  }

  /** A company by itself: who it is, and its latest figures. Where it is not clear which is meant, what else can be asked. */
  async function lookUp(asked: string, args: Arguments, context: CallContext): Promise<ToolResult> {
    const resolved = await resolveCompany(asked, companies, context);
    if ("text" in resolved) return { text: `${resolved.text}\n${fullArguments(resolved.near)}`, sources: [] };
    const { company } = resolved;
    const [profile, facts] = await Promise.all([
      fromSubmissions({ ...args, what: "profile" }, company, context),
      lookUpFacts(args, company, client, context).catch((error: unknown): ToolResult => {
        context.signal.throwIfAborted();
        const incomplete = `Its figures could not be read: ${toDossierError(error, "tool_failed").message}`;
        return { text: incomplete, sources: [], incomplete };
      }),
    ]);
    return profile.sources.length === 0
      ? { ...profile, text: `${profile.text}\n${fullArguments([])}` }
      : { ...facts, text: `${profile.text}\n${facts.text}`, sources: [...profile.sources, ...facts.sources] };
  }

  function withoutCompany(args: Arguments, cik: number | null, context: CallContext): Promise<ToolResult> {
    return args.what === "frame" ? lookUpFrame(args, cik, client, context) : searchFullText(args, cik, client, context);
  }

  async function fromSubmissions(args: Arguments, company: NamedCompany, context: CallContext): Promise<ToolResult> {
    const submissions = await nullIfMissing(client.json(SubmissionsSchema, submissionsUrl(company.cik), context));
    if (submissions === null) return { text: `The SEC knows no company with the CIK ${company.cik}.`, sources: [] };
    const named = { ...company, name: submissions.name, ticker: company.ticker ?? submissions.tickers?.[0] ?? null };
    if (args.what === "filings") return lookUpFilings(args, named, submissions, client, context);
    if (args.what === "section") return readSection(args, named, submissions, { client, extractor }, context);
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

/** EDGAR wants a name and an address to write to as the User-Agent: https://www.sec.gov/os/accessing-edgar-data. */
export function createEdgarClient(fetch: HttpFetch, contactEmail: string | undefined): ServiceClient {
  const client = createServiceClient(SEC_EDGAR, fetch, createJudge(contactEmail));
  const named = contactEmail === undefined ? {} : { "user-agent": `Dossier ${contactEmail}` };
  const introduce = (request: ServiceRequest = {}): ServiceRequest => ({ ...request, headers: { ...named, ...request.headers } });
  return {
    text: (url, context, request) => client.text(url, context, introduce(request)),
    json: (schema, url, context, request) => client.json(schema, url, context, introduce(request)),
  };
}

const MAX_ROWS = 25;
const SNIPPET_ROWS = 3;

/** The filings of a company, newest first, a row each. */
async function lookUpFilings(
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
function filingRow(filing: Filing, company: NamedCompany, wording: Wording): string {
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

/** What gives an answer away stands at its beginning. */
const HEAD = 3_000;
const S3_ERROR = /^\s*(?:<\?xml[^>]*>)?\s*<Error>\s*<Code>(\w+)<\/Code>/;
const TOO_FAST = /request rate threshold exceeded/i;
const UNDECLARED = /undeclared automated tool/i;

/**
 * What EDGAR says in its own words, whatever the status: S3 has `AccessDenied` for a file that does not exist as well as
 * `NoSuchKey`, and the page for clients that did not say who they are may come with any status.
 */
function createJudge(contactEmail: string | undefined): AnswerCheck {
  return ({ status, text }: Answer) => {
    const head = text.slice(0, HEAD);
    const code = S3_ERROR.exec(head)?.[1];
    if (code === "NoSuchKey" || code === "AccessDenied") return new DossierError("not_found", `SEC EDGAR has no such file (${code}).`);
    if (code !== undefined) return new DossierError("unreachable", `SEC EDGAR answered with an error (${code}).`);
    if (TOO_FAST.test(head))
      return new DossierError("rate_limited", "SEC EDGAR takes this for too many requests; it lifts that after ten minutes.");
    return UNDECLARED.test(head) || status === 403 ? refused(contactEmail) : null;
  };
}

function refused(contactEmail: string | undefined): DossierError {
  const advice =
    contactEmail === undefined
      ? "It serves only clients that name an address to write to: set CONTACT_EMAIL."
      : "It was told the address in CONTACT_EMAIL; see https://www.sec.gov/os/accessing-edgar-data.";
  return new DossierError("blocked", `SEC EDGAR refused the request. ${advice}`);
}

/** The company, or what is to be said where it is not clear which. */
type Resolved = { readonly company: NamedCompany } | { readonly text: string; readonly near: readonly ListedCompany[] };

/** The company that a name, ticker or CIK stands for. */
async function resolveCompany(
  asked: string,
  load: (context: CallContext) => Promise<CompanyList>,
  context: CallContext,
): Promise<Resolved> {
  const cik = readCik(asked);
  // Whoever has the number needs no list; the name comes with what is asked next.
  if (cik !== null) return { company: { cik, name: `CIK ${cik}`, ticker: null, asked } };
  const found = findCompany(asked, await load(context));
  if (found.type === "one") return { company: { ...found.company, asked } };
  if (found.type === "several")
    return {
      text: `${asked} could be several companies; ask again with the CIK or ticker of one: ${found.candidates.map(candidateLine).join("; ")}.`,
      near: found.candidates,
    };
  const near = found.near.length === 0 ? "" : ` Names like it: ${found.near.map(candidateLine).join("; ")}.`;
  return { text: `Among the companies with a ticker at the SEC there is no ${asked}.${near}`, near: found.near };
}

/** The calls that say what is wanted, for a model that gave a query alone. */
function fullArguments([nearest]: readonly ListedCompany[]): string {
  const company = nearest?.ticker ?? "a ticker";
  const calls = [
    { what: "facts", company, concepts: ["revenue"], years: [2024] },
    { what: "filings", company, form: "10-K" },
    { what: "section", company, item: "1A" },
    { what: "search", query: "words of the filings" },
    { what: "frame", concepts: ["revenue"], period: "CY2024" },
  ];
  const examples = calls.map((call) => JSON.stringify(call)).join("; ");
  return `A query alone is looked up as ticker, CIK or name of one company. For anything else say what is wanted, as in: ${examples}.`;
}

function candidateLine({ name, ticker, cik }: ListedCompany): string {
  return `${name} (${ticker}, CIK ${cik})`;
}

import type { CallContext } from "../../domain/ports/http-fetch.ts";
import type { Tool } from "../../domain/ports/tool.ts";
import type { ToolResult } from "../../domain/tool.ts";
import type { ToolOptions } from "../services/tool-entry.ts";
import { submissionsUrl } from "./addresses.ts";
import { type Arguments, ArgumentsSchema } from "./arguments.ts";
import { createEdgarClient } from "./client.ts";
import { createCompanyList } from "./company-list.ts";
import { SEC_EDGAR_SEARCH } from "./endpoint.ts";
import { lookUpFacts } from "./facts.ts";
import { lookUpFilings } from "./filings.ts";
import { lookUpFrame } from "./frame.ts";
import { searchFullText } from "./full-text.ts";
import { nullIfMissing } from "./null-if-missing.ts";
import { describeCompany } from "./profile.ts";
import { resolveCompany } from "./resolve-company.ts";
import { SubmissionsSchema } from "./schema.ts";
import { readSection } from "./section.ts";
import type { NamedCompany } from "./wording.ts";

const TIMEOUT_MS = 50_000;

/**
 * Companies that file with the US Securities and Exchange Commission: who they are, what they filed, the figures they
 * reported and what their reports say. Each row of an answer says by itself where it comes from.
 */
export function createSecEdgar({ fetch, contactEmail, extractor }: Omit<ToolOptions, "configured">): Tool<Arguments> {
  const client = createEdgarClient(fetch, contactEmail);
  const companies = createCompanyList(client);

  async function call(args: Arguments, context: CallContext): Promise<ToolResult> {
    if (args.company === undefined) return withoutCompany(args, null, context);
    const resolved = await resolveCompany(args.company, companies, context);
    if ("text" in resolved) return { text: resolved.text, sources: [] };
    const { company } = resolved;
    if (args.what === "search" || args.what === "frame") return withoutCompany(args, company.cik, context);
    if (args.what === "facts") return lookUpFacts(args, company, client, context);
    return fromSubmissions(args, company, context);
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

import type { DocumentExtractor } from "../../domain/ports/documents.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import type { ToolResult } from "../../domain/tool.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { documentUrl } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { cutSection, itemsOf } from "./cut-section.ts";
import { type Filing, listFilings } from "./filings-list.ts";
import type { Submissions } from "./schema.ts";
import { companyLabel, type NamedCompany, wordingOf } from "./wording.ts";

/** Annual reports of companies in and outside the United States. */
const ANNUAL = ["10-K", "20-F", "40-F"] as const;
const DEFAULT_ITEM = "1";
const SNIPPET_LENGTH = 600;

/** The text of one item of a company's annual report, or of the filing that is named. */
export async function readSection(
  args: Arguments,
  company: NamedCompany,
  submissions: Submissions,
  { client, extractor }: { readonly client: ServiceClient; readonly extractor: DocumentExtractor },
  context: CallContext,
): Promise<ToolResult> {
  const label = companyLabel(company, wordingOf(args));
  const filing = await findReport(args, submissions, client, context);
  if (filing?.document == null)
    return {
      text: `${label}: no ${args.form ?? "annual report"}${args.years ? ` for ${args.years.join(", ")}` : ""} was found.`,
      sources: [],
    };
  const url = documentUrl(company.cik, filing.accession, filing.document);
  // Filings are ASCII, and declare that; whatever else stands in one has been decoded as UTF-8.
  const bytes = new TextEncoder().encode(await client.text(url, context));
  const document = await extractor.extract({
    bytes,
    url,
    mediaType: /\.html?$/i.test(url) ? "text/html" : "",
    charset: "utf-8",
    whole: true,
  });
  const item = args.item ?? DEFAULT_ITEM;
  const section = cutSection(document, item, label);
  const name = `${filing.form}${filing.periodEnd === null ? "" : ` for the period to ${filing.periodEnd}`}`;
  if (section === null)
    return { text: `${label}: the ${name} has no item ${item}; it has ${itemsOf(document).join(", ") || "none"}.`, sources: [] };
  const source = {
    title: `${section.heading} (${name}, accession ${filing.accession})`,
    url: `${url}#item-${item.replaceAll(/[^\w.]+/g, "-")}`,
    publishedAt: filing.filedAt,
    snippet: section.text.slice(0, SNIPPET_LENGTH),
    kind: "filing" as const,
    text: section.text,
    blocks: section.blocks,
  };
  return { text: `${source.title}\n${section.text}`, sources: [source] };
}

/** The newest report of the form (an annual one where none is named), of the year where one is named. */
async function findReport(
  { form, years }: Arguments,
  submissions: Submissions,
  client: ServiceClient,
  context: CallContext,
): Promise<Filing | undefined> {
  const annual = ANNUAL.find((one) => submissions.filings.recent.form.includes(one)) ?? ANNUAL[0];
  const filings = await listFilings(submissions, { form: form ?? annual, years }, client, context);
  const whole = filings.filter((filing) => filing.document !== null && !filing.form.endsWith("/A"));
  return whole.find(({ periodEnd }) => years?.includes(Number(periodEnd?.slice(0, 4)))) ?? whole[0];
}

import { z } from "zod";
import { foldName } from "../../domain/companies.ts";
import type { ToolSource } from "../../domain/tool.ts";
import { plainText, rowText } from "../shared/text.ts";

const WHATS = ["profile", "filings", "facts", "section", "search", "frame"] as const;

const REQUIRED: Readonly<Record<(typeof WHATS)[number], "company" | "query" | "concepts">> = {
  profile: "company",
  filings: "company",
  facts: "company",
  section: "company",
  search: "query",
  frame: "concepts",
};
const FIRST_SEARCHABLE_YEAR = 2001;
const FORM = /^[A-Z0-9][A-Z0-9 /-]{0,19}$/i;
const ITEM = /^(?:(?:part\s*)?(?:I{1,3}|IV)[.,\s-]+)?(?:item\s*)?\d{1,2}[A-D]?\.?$/i;
const FRAME = /^CY\d{4}(?:Q[1-4]I?)?$/;

const words = (maxLength: number) => z.string().trim().min(1).max(maxLength);

/** One flat object, because models fill it in more reliably than a union. */
export const ArgumentsSchema = z
  .strictObject({
    what: z
      .enum(WHATS)
      .optional()
      .describe(
        "Left out, company or query is looked up: who the company is, and its latest figures. profile: who a company is. filings: list of its filings. facts: figures it reported (XBRL). section: the text of an item of its annual or quarterly report. search: full text of all filings since 2001. frame: one figure of all companies for one period.",
      ),
    company: words(200).optional().describe("Name, ticker or CIK. Needed for all but search and frame."),
    concepts: z
      .array(words(120))
      .min(1)
      .max(8)
      .optional()
      .describe('For facts and frame: "revenue", "net income", "total assets", ... or XBRL tags such as "us-gaap:Assets".'),
    years: z.array(z.int().min(1993).max(2100)).min(1).max(10).optional().describe("Fiscal years; the latest ones where left out."),
    quarterly: z.boolean().optional().describe("For facts: quarters instead of whole years."),
    period: z.string().regex(FRAME).optional().describe('For frame: "CY2023", "CY2023Q4" or, for balance sheet figures, "CY2023Q4I".'),
    form: z.string().trim().regex(FORM).optional().describe('Kind of filing: "10-K", "10-Q", "8-K", "20-F", ...'),
    item: z
      .string()
      .trim()
      .regex(ITEM)
      .optional()
      .describe('For section: "1" (business), "1A" (risk factors), "7", "8"; in a 10-Q also "II.1A".'),
    query: words(200).optional().describe("For search: words, or a phrase in double quotes. Without what: a ticker, CIK or company name."),
  })
  .superRefine((args, context) => {
    if (args.what === undefined) {
      if ((args.company === undefined) === (args.query === undefined))
        context.addIssue({ code: "custom", path: ["query"], message: "without what, give either company or query, to be looked up" });
      return;
    }
    const required = REQUIRED[args.what];
    // A call without `company` may give the company's name as `query`.
    if ({ ...args, company: args.company ?? args.query }[required] === undefined)
      context.addIssue({ code: "custom", path: [required], message: `what "${args.what}" needs it` });
    if (args.what === "search" && args.years?.every((year) => year < FIRST_SEARCHABLE_YEAR))
      context.addIssue({ code: "custom", path: ["years"], message: `full-text search reaches back to ${FIRST_SEARCHABLE_YEAR} only` });
  });
export type Arguments = z.infer<typeof ArgumentsSchema>;

export type Wording = "en" | "zh";

export function wordingOf({ company = "", concepts = [], query = "" }: Arguments): Wording {
  return /\p{sc=Han}/u.test([company, query, ...concepts].join(" ")) ? "zh" : "en";
}

export interface NamedCompany {
  readonly cik: number;
  readonly name: string;
  readonly ticker: string | null;
  readonly asked: string;
}

/** Returns `Apple Inc. (AAPL)`, or `Alphabet Inc. (Google, GOOGL)` if the call says Google. */
export function companyLabel({ name, ticker, asked, cik }: NamedCompany, wording: Wording): string {
  const other = isOtherName(asked, name, ticker) ? [asked] : [];
  const id = ticker ?? `CIK ${cik}`;
  if (wording === "en") return `${name} (${[...other, id].join(", ")})`;
  return other.length === 0 ? `${name}（${id}）` : `${asked}（${[name, ...(ticker === null ? [] : [ticker])].join("，")}）`;
}

function isOtherName(asked: string, name: string, ticker: string | null): boolean {
  const letters = (text: string): string => foldName(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
  const isNumber = /^[^\p{L}\p{N}]*(?:CIK)?[\s:#-]*\d+$/iu.test(asked);
  return !isNumber && ![name, ticker ?? ""].some((known) => letters(known).includes(letters(asked)));
}

export function printNumber(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 6 });
}

/** Returns a source with one block per row, so that each row can be cited alone. The snippet has the first `shown` rows. */
export function filingSource(
  { title, url, publishedAt }: { title: string; url: string; publishedAt: string | null },
  rows: readonly string[],
  shown = 3,
): ToolSource & { readonly text: string } {
  const { text, blocks } = rowText(rows.map(plainText));
  return { title, url, publishedAt, snippet: text.split("\n", shown).join("\n"), text, kind: "filing", blocks };
}

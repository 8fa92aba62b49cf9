import { z } from "zod";
import type { ToolSource } from "../../domain/tool.ts";
import { plainText, rowText } from "../shared/text.ts";

const REQUIRED = {
  profile: ["company"],
  filings: ["company"],
  facts: ["company"],
  section: ["company"],
  search: ["query"],
  frame: ["concepts", "period"],
} as const;
const FORM = /^[A-Z0-9][A-Z0-9 /-]{0,19}$/i;
const ITEM = /^(?:(?:part\s*)?(?:I{1,3}|IV)[.,\s-]+)?(?:item\s*)?\d{1,2}[A-D]?\.?$/i;
const FRAME = /^CY\d{4}(?:Q[1-4]I?)?$/;

const words = (maxLength: number) => z.string().trim().min(1).max(maxLength);

/** One flat object, because models fill it in more reliably than a union. */
export const ArgumentsSchema = z
  .strictObject({
    what: z
      .enum(["profile", "filings", "facts", "section", "search", "frame"])
      .optional()
      .describe(
        "Left out: who the company is, and its latest figures. profile: who a company is. filings: list of its filings. facts: figures it reported (XBRL). section: the text of an item of its annual or quarterly report. search: full text of all filings since 2001. frame: one figure of all companies for one period.",
      ),
    company: words(200).optional().describe("English name, ticker or CIK. Needed for all but search and frame."),
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
    query: words(200).optional().describe("For search: words, or a phrase in double quotes. Otherwise the company."),
  })
  .superRefine(({ what, ...args }, context) => {
    // A call without `company` may give the company's name as `query`.
    const given = { ...args, company: args.company ?? args.query };
    for (const name of REQUIRED[what ?? "profile"])
      if (given[name] === undefined)
        context.addIssue({ code: "custom", path: [name], message: what === undefined ? "is missing" : `what "${what}" needs it` });
  });
export type Arguments = z.infer<typeof ArgumentsSchema>;

export interface NamedCompany {
  readonly cik: number;
  readonly name: string;
  readonly ticker: string | null;
}

/** Returns `Apple Inc. (AAPL)`. */
export function companyLabel({ name, ticker, cik }: NamedCompany): string {
  return `${name} (${ticker ?? `CIK ${cik}`})`;
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

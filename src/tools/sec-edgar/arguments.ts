import { z } from "zod";

const WHATS = ["profile", "filings", "facts", "section", "search", "frame"] as const;
type What = (typeof WHATS)[number];

const NEEDS: Readonly<Record<What, readonly ("company" | "query" | "concepts")[]>> = {
  profile: ["company"],
  filings: ["company"],
  facts: ["company"],
  section: ["company"],
  search: ["query"],
  frame: ["concepts"],
};
/** Full-text search knows nothing older. */
const FIRST_SEARCHABLE_YEAR = 2001;
const FORM = /^[A-Z0-9][A-Z0-9 /-]{0,19}$/i;
const ITEM = /^(?:(?:part\s*)?(?:I{1,3}|IV)[.,\s-]+)?(?:item\s*)?\d{1,2}[A-D]?\.?$/i;
const FRAME = /^CY\d{4}(?:Q[1-4]I?)?$/;

/** One flat object, because models are better at it than at a choice of shapes; what belongs together is checked behind it. */
export const ArgumentsSchema = z
  .strictObject({
    what: z
      .enum(WHATS)
      .optional()
      .describe(
        "Left out, company or query is looked up: who the company is, and its latest figures. profile: who a company is. filings: list of its filings. facts: figures it reported (XBRL). section: the text of an item of its annual or quarterly report. search: full text of all filings since 2001. frame: one figure of all companies for one period.",
      ),
    company: z.string().trim().min(1).max(200).optional().describe("Name, ticker or CIK. Needed for all but search and frame."),
    concepts: z
      .array(z.string().trim().min(1).max(120))
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
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe("For search: words, or a phrase in double quotes. Without what: a ticker, CIK or company name."),
  })
  .superRefine((args, context) => {
    if (args.what === undefined) {
      if ((args.company === undefined) === (args.query === undefined))
        context.addIssue({ code: "custom", path: ["query"], message: "without what, give either company or query, to be looked up" });
      return;
    }
    // Of a company, a query is its name.
    const given = { ...args, company: args.company ?? args.query };
    for (const name of NEEDS[args.what].filter((needed) => given[needed] === undefined)) {
      context.addIssue({ code: "custom", path: [name], message: `what "${args.what}" needs it` });
    }
    if (args.what === "search" && args.years?.every((year) => year < FIRST_SEARCHABLE_YEAR)) {
      context.addIssue({ code: "custom", path: ["years"], message: `full-text search reaches back to ${FIRST_SEARCHABLE_YEAR} only` });
    }
  });
export type Arguments = z.infer<typeof ArgumentsSchema>;

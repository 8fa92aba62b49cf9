import { z } from "zod";

/** A search that finds nothing has not failed. */
export const FailureCodeSchema = z.enum([
  "not_found",
  "unreachable",
  "timeout",
  "blocked",
  "rate_limited",
  "paywalled",
  "too_large",
  "unreadable",
  "empty",
  "forbidden_address",
  "out_of_scope",
]);
export type FailureCode = z.infer<typeof FailureCodeSchema>;

/** `quote` is exactly the text of document `contentHash` from `start` to `end` (UTF-16 code units). */
export const PassageSchema = z.object({
  sourceId: z.string(),
  contentHash: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  quote: z.string().min(1),
});
export type Passage = z.infer<typeof PassageSchema>;

export const CitationSchema = z.object({ id: z.int().positive(), ...PassageSchema.shape });
export type Citation = z.infer<typeof CitationSchema>;

export const ClaimSchema = z.object({
  text: z.string(),
  citations: z.array(z.int().positive()),
  supported: z.boolean(),
  section: z.string(),
  /** The number of independent sources that the claim cites; 0 if not counted. */
  origins: z.int().nonnegative().default(0),
});
export type Claim = z.infer<typeof ClaimSchema>;
export type DraftClaim = Omit<Claim, "origins">;

const PublicationSchema = z.object({
  authors: z.array(z.string()),
  /** In lower case and without prefix: `10.1000/182`. */
  doi: z.string().nullable(),
  arxivId: z.string().nullable(),
  pmid: z.string().nullable(),
  venue: z.string().nullable(),
  licence: z.string().nullable(),
  retracted: z.boolean(),
  fullTextUrl: z.string().nullable(),
});
export type Publication = z.infer<typeof PublicationSchema>;

/** The status `snippet` means that only the text of the search result was available. */
export const SourceSchema = z.object({
  id: z.string(),
  kind: z.enum(["corpus", "web", "scholar", "encyclopedia", "filing", "market", "tool"]),
  title: z.string(),
  url: z.string(),
  publishedAt: z.string().nullable(),
  foundBy: z.string(),
  publication: PublicationSchema.optional(),
  score: z.number().nullable(),
  contentHash: z.string().nullable(),
  status: z.enum(["found", "read", "snippet", "failed"]),
  failure: FailureCodeSchema.nullable(),
  /** If this source is a copy, the id of the original; otherwise this source's id. */
  origin: z.string().optional(),
});
export type Source = z.infer<typeof SourceSchema>;

/** `nothing` means success without results. If `model` or `rerank` failed, rules did the work. */
export const LedgerEntrySchema = z.object({
  what: z.enum(["search", "tool", "download", "model", "rerank"]),
  source: z.string(),
  target: z.string(),
  outcome: z.enum(["found", "nothing", "failed", "reused"]),
  results: z.int().nonnegative(),
  failure: z.union([FailureCodeSchema, z.string()]).nullable(),
  detail: z.string().nullable(),
  ms: z.number().nonnegative(),
});
export type LedgerEntry = z.infer<typeof LedgerEntrySchema>;

export const CoverageSchema = z.object({
  sentences: z.int().nonnegative(),
  supported: z.int().nonnegative(),
  unsupported: z.int().nonnegative(),
  struck: z.int().positive().optional(),
});
export type Coverage = z.infer<typeof CoverageSchema>;

export const MAX_CLOSEST = 5;

export const ReportSchema = z.object({
  markdown: z.string(),
  claims: z.array(ClaimSchema),
  citations: z.array(CitationSchema),
  closest: z.array(PassageSchema).max(MAX_CLOSEST).default([]),
  sources: z.array(SourceSchema),
  coverage: CoverageSchema,
  ledger: z.array(LedgerEntrySchema),
  cutOff: z.literal(true).optional(),
  unanswered: z.array(z.string()).optional(),
});
export type Report = z.infer<typeof ReportSchema>;

export type ReportContent = Omit<Report, "markdown"> & {
  readonly question: string;
  readonly language: string;
  readonly reason: string | null;
};

export type ReportRenderer = (content: ReportContent) => string;

/** Returns the text without citation numbers, quotes and ledger, as context for later questions. */
export function answerText(report: Report): string {
  const { claims, citations, markdown } = report;
  if (citations.length === 0) return claims.length > 0 ? markdown : verdictIn(report);
  const sections = [...Map.groupBy(claims, ({ section }) => section)];
  return sections
    .map(([section, members]) => [...(section === "" ? [] : [`## ${section}`]), ...members.map(({ text }) => text)].join("\n"))
    .join("\n\n");
}

const HEADING = /^# [^\n]*\n\n/;
const CLOSEST = /\n\n## [^\n]*\n\n> /;
const LEDGER = /\n\n## [^\n]*\n\n\|[^\n]*\n\| --- \|/;

function verdictIn({ markdown, closest }: Report): string {
  const below = (closest.length > 0 ? CLOSEST.exec(markdown) : null) ?? LEDGER.exec(markdown);
  return markdown.slice(0, below?.index).replace(HEADING, "").trim();
}

export function formatUnanswered(asked: string, why: string): string {
  const words = asked.trim();
  if (/[\p{Sentence_Terminal}…:：]["'”’」』)）\]]*$/u.test(words)) return `${words} ${why}`;
  return `${words}${/\p{sc=Han}$/u.test(words) ? "：" : ": "}${why}`;
}

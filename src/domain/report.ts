import { z } from "zod";

/** Why something could not be had. "Nothing found" and "could not look" are never the same code. */
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

/** `documents/{contentHash}` sliced from `start` to `end` (UTF-16 code units) is `quote`, always. */
export const PassageSchema = z.object({
  sourceId: z.string(),
  contentHash: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  quote: z.string().min(1),
});
export type Passage = z.infer<typeof PassageSchema>;

/** A passage that claims refer to by its number. */
export const CitationSchema = z.object({ id: z.int().positive(), ...PassageSchema.shape });
export type Citation = z.infer<typeof CitationSchema>;

/** One sentence of a report and the ids of the citations it stands on. */
export const ClaimSchema = z.object({
  text: z.string(),
  citations: z.array(z.int().positive()),
  supported: z.boolean(),
  /** The subtopic it is grouped under; empty where there is none. */
  section: z.string(),
  /** How many independent witnesses its citations are: sources of one origin count once. 0 where that was not counted. */
  origins: z.int().nonnegative().default(0),
});
export type Claim = z.infer<typeof ClaimSchema>;
/** A claim as an analyst writes it: how many witnesses it has is counted when the report is made. */
export type DraftClaim = Omit<Claim, "origins">;

/** What is known of a published work, as far as its finder says. Names, numbers and links are normalised by the adapters. */
const PublicationSchema = z.object({
  authors: z.array(z.string()),
  /** Bare and in lower case: `10.1000/182`. */
  doi: z.string().nullable(),
  /** Without version: `2101.00001` or `astro-ph/0601001`. */
  arxivId: z.string().nullable(),
  pmid: z.string().nullable(),
  /** The journal, server or site. */
  venue: z.string().nullable(),
  /** An address or a name such as `cc-by`. */
  licence: z.string().nullable(),
  retracted: z.boolean(),
  /** Where the whole text can be had by anyone; read instead of `url`. */
  fullTextUrl: z.string().nullable(),
});
export type Publication = z.infer<typeof PublicationSchema>;

/** A hit that was found, and what became of it: `snippet` means only the search result's own text could be had. */
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
  /** The id of the source it is a copy of, its own where it stands for itself; known of those that were ranked. */
  origin: z.string().optional(),
});
export type Source = z.infer<typeof SourceSchema>;

/**
 * One attempt to look somewhere. `outcome` `nothing` is an answer ("nothing found"); `failed` is no answer. What failed of `model` and
 * `rerank` was done without it: by rules, and in the order of the words.
 */
export const LedgerEntrySchema = z.object({
  what: z.enum(["search", "tool", "download", "model", "rerank"]),
  source: z.string(),
  /** The query, the arguments or the address. */
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
  /** How many sentences were written and left out because nothing bears them out; absent where none was. */
  struck: z.int().positive().optional(),
});
export type Coverage = z.infer<typeof CoverageSchema>;

/** The most passages that a report without an answer shows. */
export const MAX_CLOSEST = 5;

export const ReportSchema = z.object({
  markdown: z.string(),
  claims: z.array(ClaimSchema),
  citations: z.array(CitationSchema),
  /** Passages that may not answer the question, best first; only in a report without claims. Stored reports of earlier versions have none. */
  closest: z.array(PassageSchema).max(MAX_CLOSEST).default([]),
  sources: z.array(SourceSchema),
  coverage: CoverageSchema,
  ledger: z.array(LedgerEntrySchema),
  /** Set where the text of a model was cut off before its end. */
  cutOff: z.literal(true).optional(),
  /** Of a planned question: what of it could not be answered, a sentence each; absent where all of it was. */
  unanswered: z.array(z.string()).optional(),
});
export type Report = z.infer<typeof ReportSchema>;

/** What a report says, for a later question of its thread: its sentences, without the numbers, quotes and ledger around them. */
export function answerText(report: Report): string {
  const { claims, citations, markdown } = report;
  // An answer that cites nothing is shown as it was written; a report without an answer is its verdict.
  if (citations.length === 0) return claims.length > 0 ? markdown : verdictIn(report);
  const sections = [...Map.groupBy(claims, ({ section }) => section)];
  return sections
    .map(([section, members]) => [...(section === "" ? [] : [`## ${section}`]), ...members.map(({ text }) => text)].join("\n"))
    .join("\n\n");
}

const HEADING = /^# [^\n]*\n\n/;
const CLOSEST = /\n\n## [^\n]*\n\n> /;
const LEDGER = /\n\n## [^\n]*\n\n\|[^\n]*\n\| --- \|/;

/** The closest passages stand between the verdict and the ledger; they are no answer. */
function verdictIn({ markdown, closest }: Report): string {
  const below = (closest.length > 0 ? CLOSEST.exec(markdown) : null) ?? LEDGER.exec(markdown);
  return markdown.slice(0, below?.index).replace(HEADING, "").trim();
}

/** What was asked and why it was not answered, in one line: a sentence or a question ends by itself, anything else with a colon. */
export function formatUnanswered(asked: string, why: string): string {
  const words = asked.trim();
  if (/[\p{Sentence_Terminal}…:：]["'”’」』)）\]]*$/u.test(words)) return `${words} ${why}`;
  return `${words}${/\p{sc=Han}$/u.test(words) ? "：" : ": "}${why}`;
}

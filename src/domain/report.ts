import { z } from "zod";
import { SUPPORT_KINDS, type SupportKind } from "../util/support-kinds.ts";
import { arrangeBySection, type Block, BlockSchema, isStruck, sentencesOf } from "./blocks.ts";
import { PlaceSchema } from "./document.ts";

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
  "before_since",
]);
export type FailureCode = z.infer<typeof FailureCodeSchema>;

/** `quote` is exactly the text of document `contentHash` from `start` to `end` (UTF-16 code units). */
export const PassageSchema = z.object({
  sourceId: z.string(),
  contentHash: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  quote: z.string().min(1),
  place: PlaceSchema.optional().describe("Where the quote stands in its file, if the file has sheets or slides."),
});
export type Passage = z.infer<typeof PassageSchema>;

export const CitationSchema = z.object({ id: z.int().positive(), ...PassageSchema.shape });
export type Citation = z.infer<typeof CitationSchema>;

/**
 * What a sentence stands on, decided by code.
 * `quoted`: its words stand together in one quote. `computed`: `expression` over quoted amounts has the stated value. `paraphrased`: its amounts, dates
 * and Latin names stand in its quotes, the wording is not checked. `summary`: it cites nothing, its amounts and dates stand in checked sentences.
 * `unverified`: none of these, for the claim's `reason`.
 */
export const SupportSchema = z.enum(["quoted", "computed", "paraphrased", "summary", "unverified"]);
export type Support = z.infer<typeof SupportSchema>;

/** Why a sentence is `unverified`. The words that the reason is about may follow the code: `amount_not_in_quote: $5 billion`. */
export const SUPPORT_REASONS = [
  "no_citation",
  "amount_not_in_quote",
  "date_not_in_quote",
  "name_not_in_source",
  "amount_not_in_sentences",
  "expression_not_understood",
  "operand_not_in_quote",
  "end_of_range",
  "quote_cuts_amount",
  "quote_too_short",
  "quotation_not_in_source",
  "sentence_before_struck",
  "too_long",
  "model_disagrees",
] as const;

/** Why a sentence was taken out of a report, or what is or may be false in a sentence that is shown in spite of it. */
export const STRUCK_REASONS = [
  "unknown_source",
  "quote_not_found",
  "no_quote",
  "unknown_address",
  "amount_contradicted",
  "unit_contradicted",
  "currency_contradicted",
  "date_contradicted",
  "percent_for_points",
  "wrong_result",
] as const;
export type SupportReason = (typeof SUPPORT_REASONS)[number] | (typeof STRUCK_REASONS)[number];

/** The reason of a `paraphrased` sentence whose Latin names follow the code: its documents are in another script, so code cannot compare them. */
export const NAMES_NOT_COMPARED = "names_not_compared";

/** Splits `code: words` of a claim's reason. */
export function splitReason(reason: string): { readonly code: string; readonly words: string } {
  const at = reason.indexOf(": ");
  return at < 0 ? { code: reason, words: "" } : { code: reason.slice(0, at), words: reason.slice(at + 2) };
}

export const ClaimSchema = z.object({
  text: z.string(),
  citations: z.array(z.int().positive()),
  support: SupportSchema,
  supported: z.boolean().describe("Whether `support` is `quoted` or `computed`, or `paraphrased` and a model confirmed it."),
  /** A code of `SUPPORT_REASONS` or `STRUCK_REASONS`, maybe with words, if `support` is `unverified`; or `NAMES_NOT_COMPARED`. */
  reason: z.string().nullable().default(null),
  expression: z
    .string()
    .nullable()
    .default(null)
    .describe("The calculation of a `computed` sentence, such as `$27.2 billion - $24.1 billion`."),
  section: z.string(),
  origins: z.int().nonnegative().default(0).describe("The number of independent sources that the claim cites; 0 if not counted."),
  figureOrigins: z.int().positive().optional().describe("How many independent documents state each figure of a sentence of the lead."),
});
export type Claim = z.infer<typeof ClaimSchema>;
export type DraftClaim = Omit<Claim, "origins" | "figureOrigins">;

/** Whether code checked the sentence against its quotes. */
export function isChecked({ support }: Pick<Claim, "support">): boolean {
  return support === "quoted" || support === "computed" || support === "paraphrased";
}

/** The reasons of sentences that may cite nothing. All others are about a citation. */
const UNCITED_REASONS: readonly string[] = [
  "no_citation",
  "amount_not_in_sentences",
  "sentence_before_struck",
  "unknown_address",
  "too_long",
];

/** Whether the sentence was written with a citation that does not support it. */
export function citesInVain({ support, reason }: Pick<Claim, "support" | "reason">): boolean {
  return support === "unverified" && reason !== null && !UNCITED_REASONS.includes(splitReason(reason).code);
}

const StruckSentenceSchema = z.object({ text: z.string(), reason: z.string() });
export type StruckSentence = z.infer<typeof StruckSentenceSchema>;

/** Whether the report answers the question, as the model that wrote it says. */
export const AnswersSchema = z.enum(["fully", "partly", "not"]);
export type Answers = z.infer<typeof AnswersSchema>;

/** Returns what the model says of its report; not `fully` if something is missing. */
export function statedAnswers(answers: Answers | null | undefined, missing: readonly string[]): Answers | null {
  return answers === "fully" && missing.length > 0 ? "partly" : (answers ?? null);
}

/** Returns null for a report without a checked sentence, which answers nothing. A report without any sentence may say that it does not. */
export function checkedAnswers(answers: Answers | null, claims: readonly Pick<Claim, "support">[]): Answers | null {
  return claims.some(isChecked) || (claims.length === 0 && answers === "not") ? answers : null;
}

const PublicationSchema = z.object({
  authors: z.array(z.string()),
  doi: z.string().nullable().describe("In lower case and without prefix: `10.1000/182`."),
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
  kind: z.enum(["upload", "corpus", "web", "scholar", "encyclopedia", "filing", "market", "tool"]),
  title: z.string(),
  url: z.string(),
  publishedAt: z.string().nullable(),
  foundBy: z.string(),
  publication: PublicationSchema.optional(),
  score: z.number().nullable(),
  contentHash: z.string().nullable(),
  status: z.enum(["found", "read", "snippet", "failed"]),
  failure: FailureCodeSchema.nullable(),
  origin: z.string().optional().describe("If this source is a copy, the id of the original; otherwise this source's id."),
  readAt: z.string().optional().describe("When an earlier run of the thread read the document; absent if this run read it."),
});
export type Source = z.infer<typeof SourceSchema>;

/** What a query asked for beside its words. Absent fields were not given. */
const AskedQuerySchema = z.object({
  kinds: z.array(z.string()).optional(),
  askedGeneral: z
    .literal(true)
    .optional()
    .describe("Set if no source in scope is of these kinds, so that web searches and local documents were asked."),
  askedAll: z.literal(true).optional().describe("Set if no source in scope is of these kinds or general, so that all were asked."),
  language: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  unused: z
    .array(z.string())
    .optional()
    .describe(
      "What the model gave and no source was told: search operators, unknown kinds, languages and dates, queries beyond the sixth.",
    ),
  rewritten: z.literal(true).optional().describe("Set if a model wrote the query after the first ones had found nothing relevant."),
});
export type AskedQuery = z.infer<typeof AskedQuerySchema>;

/** `nothing` means success without results. If `model` or `rerank` failed, rules did the work. `file`: one that was given and not read. */
export const LedgerEntrySchema = z.object({
  what: z.enum(["search", "tool", "download", "model", "rerank", "file"]),
  source: z.string(),
  target: z
    .string()
    .describe(
      "Of a search, the words that the source was sent, or should have been sent if it failed. Of a file, its path in the folder, or its name.",
    ),
  asked: AskedQuerySchema.optional(),
  outcome: z.enum(["found", "nothing", "failed", "reused"]),
  results: z.int().nonnegative(),
  failure: z.union([FailureCodeSchema, z.string()]).nullable(),
  detail: z.string().nullable(),
  ms: z.number().nonnegative(),
});
export type LedgerEntry = z.infer<typeof LedgerEntrySchema>;

const Count = z.int().nonnegative();

/** How many sentences are shown, of each kind, and how many were left out. */
export const CoverageSchema = z.object({
  sentences: Count,
  ...(Object.fromEntries(SUPPORT_KINDS.map((kind) => [kind, Count])) as Record<SupportKind, typeof Count>),
  removed: Count,
  supported: Count.describe("Until 0.5: quoted + computed + confirmed."),
  unsupported: Count.describe("Until 0.5: all other sentences."),
  struck: z.int().positive().optional().describe("Until 0.5: `removed`, if it is not 0."),
  bySupport: z.record(SupportSchema, Count).optional().describe("Until 0.5: the kinds, where `paraphrased` includes `confirmed`."),
});
export type Coverage = z.infer<typeof CoverageSchema>;

/** What every format, the terminal and the API say first of a report. It is never stronger than what stands under it. */
export const VerdictSchema = z.object({
  judgedBy: z.enum(["model", "code"]).nullable().describe("Who judged whether the report answers the question; null: nobody."),
  strength: z
    .enum(["full", "limited", "none", "unjudged"])
    .describe(
      "`full`: a model says that the report answers fully, no sentence is unverified, and nothing is missing or cut off. `limited`: it answers, with less. `none`: it does not answer.",
    ),
  text: z.string().describe("The verdict in words, in the language of the request."),
});
export type Verdict = z.infer<typeof VerdictSchema>;

export const MAX_CLOSEST = 5;

export const ReportSchema = z.object({
  markdown: z.string(),
  /** May be empty; see `blocksOf`. */
  blocks: z.array(BlockSchema).default([]),
  claims: z.array(ClaimSchema),
  citations: z.array(CitationSchema),
  closest: z.array(PassageSchema).max(MAX_CLOSEST).default([]),
  sources: z.array(SourceSchema),
  coverage: CoverageSchema,
  verdict: VerdictSchema.optional().describe("Of a run that is read, not of the report as it is stored or bundled."),
  ledger: z.array(LedgerEntrySchema),
  cutOff: z.literal(true).optional(),
  answers: AnswersSchema.nullable().default(null).describe("Null without a model, and in a report of which no sentence is checked."),
  missing: z.array(z.string()).default([]).describe("What the question asks for and the report does not answer."),
  struck: z.array(StruckSentenceSchema).default([]).describe("Taken out: a citation in them is invented or contradicts them."),
  summary: z.string().nullable().default(null).describe("What the model wrote beside its answer, without citations and not checked."),
});
export type Report = z.infer<typeof ReportSchema>;

export type ReportContent = Omit<Report, "markdown" | "summary"> & {
  readonly question: string;
  readonly language: string;
  readonly reason: string | null;
};

/** Returns the blocks of the report. Sentences of a report without blocks are listed by section. */
export function blocksOf({ blocks, claims }: Pick<Report, "blocks" | "claims">): readonly Block[] {
  return blocks.length > 0 ? blocks : arrangeBySection(claims);
}

export type ReportRenderer = (content: ReportContent) => string;

/** Returns code between fences that are longer than any in it. */
export function fenced(code: string, language = ""): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(Math.min(longest, 100) + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

type AnswerParts = Pick<Report, "blocks" | "claims" | "citations" | "closest" | "markdown">;

/**
 * Returns the text without citation numbers, quotes and ledger, as context for later questions.
 * @param markOf what stands behind a sentence of an answer that cites something
 */
export function answerText(report: AnswerParts, markOf: (claim: Claim) => string = () => ""): string {
  const { claims, citations, markdown } = report;
  if (citations.length === 0 && !claims.some(citesInVain)) return claims.length > 0 ? markdown.replace(NOTE, "") : verdictIn(report);
  const lines = (block: Block): string => {
    if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
    if (block.kind === "code") return fenced(block.text, block.language);
    const texts = sentencesOf(block).map((index) => (claims[index] === undefined ? "" : `${claims[index].text}${markOf(claims[index])}`));
    return texts.join(block.kind === "paragraph" ? " " : "\n");
  };
  return blocksOf(report)
    .filter((block) => !isStruck(block))
    .map(lines)
    .join("\n\n");
}

const NOTE = /\n\n\*(?:This answer cites no source[,:] [^*\n]{1,80}|这个回答没有引用来源，[^*\n]{1,40})\*/;

const HEADING = /^# [^\n]*\n\n/;
const CLOSEST = /\n\n## [^\n]*\n\n> /;
const LEDGER = /\n\n## [^\n]*\n\n\|[^\n]*\n\| --- \|/;

function verdictIn({ markdown, closest }: Pick<Report, "markdown" | "closest">): string {
  const below = (closest.length > 0 ? CLOSEST.exec(markdown) : null) ?? LEDGER.exec(markdown);
  return markdown.slice(0, below?.index).replace(HEADING, "").trim();
}

export function formatUnanswered(asked: string, why: string): string {
  const words = asked.trim();
  const isChinese = /\p{sc=Han}.{0,2}$/u.test(words);
  if (/[\p{Sentence_Terminal}…:：]["'”’」』)）\]]*$/u.test(words)) return isChinese ? `${words}（${why}）` : `${words} (${why})`;
  return `${words}${isChinese ? "：" : ": "}${why}`;
}

import { coverageOf } from "../../domain/citations.ts";
import type { Hit } from "../../domain/hit.ts";
import type { ReportRenderer } from "../../domain/ports/reports.ts";
import type { Citation, Claim, Coverage, LedgerEntry, Report } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { readCitedText } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { stripUnknownIds } from "../../evidence/unknown-references.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import { countOrigins, originsOfCited } from "../shared/sources.ts";
import { listSources } from "./evidence.ts";
import type { AgentReading } from "./state.ts";

/** What is said, and on what it stands. */
export interface Answer {
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  readonly coverage: Coverage;
  /** Of the cited sources, by their ids. */
  readonly origins: ReadonlyMap<string, string>;
  /** The answer as Markdown where it cites nothing; null where it is made from the claims. */
  readonly text: string | null;
}

interface AnswerView {
  readonly question: string;
  readonly hits: readonly Hit[];
  /** Letters with which ids begin that mean a citation although there is no evidence of that kind. */
  readonly prefixes: readonly string[];
  /** The addresses that may be shown. */
  readonly known: readonly string[];
  /** What ids in the text mean. */
  readonly evidence: ReadonlyMap<string, Evidence>;
}

/** The text of a model, with its citations checked and addresses that no source has found taken out. */
export function readAnswer(said: string, { question, hits, prefixes, known, evidence }: AnswerView): Answer {
  const read = readCitedText(said, evidence, prefixes, [question], known);
  // Only now: what a citation parted may come together as an address where it is taken out.
  const ids = [JSON.stringify(hits), question, ...Array.from(evidence.values(), ({ text }) => text)];
  const clean = (words: string): string => stripUnknownAddresses(stripUnknownIds(words, ids), known);
  const told = (words: string): string => clean(stripBracketedNumbers(words)).trim();
  // Of a sentence that was nothing but a number, nothing is left.
  const claims = read.claims
    .map((claim) => ({ ...claim, text: told(claim.text), section: told(claim.section) }))
    .filter(({ text }) => text !== "");
  const { citations } = read;
  const origins = originsOfCited(citations, [...evidence.values()].map(toReadSource));
  // What tried to cite and could not must not look like an answer that never meant to.
  const cited = citations.length > 0 || read.faults.some(({ why }) => why === "figure_not_in_quote");
  const text = cited ? null : clean(read.text).trim();
  return { claims: countOrigins(claims, citations, origins), citations, coverage: coverageOf(claims, 0), origins, text };
}

/** A piece of evidence as origins are counted by it. */
export function toReadSource({ sourceId: id, title = "", text, contentHash }: Evidence): Parameters<typeof originsOfCited>[1][number] {
  return { hit: { id, origin: id }, document: { title, text, contentHash } };
}

/** All that a report says besides its answer. */
interface ReportParts {
  readonly task: Pick<Task, "question" | "language">;
  readonly hits: readonly Hit[];
  readonly readings: readonly AgentReading[];
  /** The addresses that may be shown. */
  readonly known: readonly string[];
  readonly ledger: readonly LedgerEntry[];
  /** Why there is no answer, where there is none. */
  readonly reason: string | null;
  /** Whether the answer ends where its length limit was. */
  readonly cut: boolean;
}

/** The report of an answer whose citations have been checked; an answer that cites nothing is shown as it was written. */
export function makeReport(answer: Answer, parts: ReportParts, renderMarkdown: ReportRenderer): Report {
  const { task, hits, readings, known, reason, cut } = parts;
  const { question, language } = task;
  const { claims, citations, coverage } = answer;
  const sources = listSources(hits, readings, known).map((source) => {
    const origin = answer.origins.get(source.id);
    return origin === undefined ? source : { ...source, origin };
  });
  const ledger = parts.ledger.map((entry) => withoutInvented(entry, known));
  const content = { claims: [...claims], citations: [...citations], closest: [], sources, coverage, ledger };
  const said = answer.text ?? renderMarkdown({ question, language, reason, ...content });
  return { markdown: cut ? withCutNote(said, task) : said, ...content };
}

/** A call may name an address that nobody has found: the model's arguments stand in the ledger. */
function withoutInvented(entry: LedgerEntry, known: readonly string[]): LedgerEntry {
  // What is told of the model is ours.
  if (entry.what === "model") return entry;
  const { what, target, detail } = entry;
  // So is what is told of the server that ranks by meaning, which the operator named.
  const told = detail === null || what === "rerank" ? detail : stripUnknownAddresses(detail, known);
  return { ...entry, target: stripUnknownAddresses(target, known), detail: told };
}

const ENGLISH = "*This answer is incomplete: it was cut off at the length limit of the model (MODEL_MAX_OUTPUT_TOKENS).*";
const CHINESE = "*此回答不完整：已达到模型的长度上限（MODEL_MAX_OUTPUT_TOKENS）。*";

/** Of an answer that ends at its length limit. */
export const CUT_DETAIL = "the answer was cut off at its length limit";

/** What readers of such an answer are told below it, as Markdown. */
function withCutNote(markdown: string, { language, question }: Pick<Task, "language" | "question">): string {
  const note = resolveLanguage(language, question).toLowerCase().startsWith("zh") ? CHINESE : ENGLISH;
  return `${markdown.trimEnd()}\n\n${note}`;
}

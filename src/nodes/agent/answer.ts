import { coverageOf } from "../../domain/citations.ts";
import type { Hit } from "../../domain/hit.ts";
import type { DraftClaim, LedgerEntry, Report, ReportRenderer } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import { strippedAddresses, stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { readCitedText } from "../../evidence/cited-text.ts";
import { stripUnknownIds } from "../../evidence/unknown-references.ts";
import { isChinese } from "../../ranking/language.ts";
import type { LongWork } from "../../util/turns.ts";
import { countOrigins, originsOfCited } from "../shared/sources.ts";
import { type AnalyzedEvidence, listSources } from "./load-evidence.ts";
import type { AgentReading } from "./state.ts";

export interface Answer extends Pick<Report, "claims" | "citations" | "coverage"> {
  readonly origins: ReadonlyMap<string, string>;
  /** Null if the answer has citations: the Markdown is then rendered from `claims`. */
  readonly text: string | null;
}

interface AnswerView {
  readonly question: string;
  readonly hits: readonly Hit[];
  readonly prefixes: readonly string[];
  readonly known: readonly string[];
  readonly evidence: ReadonlyMap<string, AnalyzedEvidence>;
}

/** Checks the citations in a model's text and removes addresses that are not in `known`. */
export function* readAnswer(markdown: string, { question, hits, prefixes, known, evidence }: AnswerView): LongWork<Answer> {
  const read = yield* readCitedText(markdown, evidence, prefixes, [question], known);
  // Addresses are removed after citations, because removing a citation can join the halves of an address.
  const ids = [JSON.stringify(hits), question, ...Array.from(evidence.values(), ({ text }) => text)];
  const clean = (words: string): LongWork<string> => strippedAddresses(stripUnknownIds(words, ids), known);
  const cleanClaim = function* (words: string): LongWork<string> {
    return (yield* clean(stripBracketedNumbers(words))).trim();
  };
  const claims: DraftClaim[] = [];
  for (const claim of read.claims) {
    const words = yield* cleanClaim(claim.text);
    if (words !== "") claims.push({ ...claim, text: words, section: yield* cleanClaim(claim.section) });
    yield;
  }
  const { citations } = read;
  const origins = originsOfCited(citations, [...evidence.values()].map(toReadSource));
  // An answer whose citations all failed must not be shown as an answer without citations.
  const cited = citations.length > 0 || read.faults.some(({ why }) => why === "figure_not_in_quote");
  const text = cited ? null : (yield* clean(read.text)).trim();
  return { claims: countOrigins(claims, citations, origins), citations: [...citations], coverage: coverageOf(claims, 0), origins, text };
}

export function toReadSource({
  sourceId: id,
  title = "",
  contentHash,
  words,
}: AnalyzedEvidence): Parameters<typeof originsOfCited>[1][number] {
  return { hit: { id, origin: id }, document: { title, contentHash, analysis: { words } } };
}

interface ReportParts {
  readonly task: Pick<Task, "question" | "language">;
  readonly hits: readonly Hit[];
  readonly readings: readonly AgentReading[];
  readonly known: readonly string[];
  readonly ledger: readonly LedgerEntry[];
  readonly reason: string | null;
  readonly cut: boolean;
}

export function makeReport(answer: Answer, parts: ReportParts, renderMarkdown: ReportRenderer): Report {
  const { task, hits, readings, known, reason, cut } = parts;
  const { question, language } = task;
  const sources = listSources(hits, readings, known).map((source) => {
    const origin = answer.origins.get(source.id);
    return origin === undefined ? source : { ...source, origin };
  });
  const ledger = parts.ledger.map((entry) => removeUnknownAddresses(entry, known));
  const { claims, citations, coverage } = answer;
  const content = { claims, citations, closest: [], sources, coverage, ledger };
  const markdown = answer.text ?? renderMarkdown({ question, language, reason, ...content });
  return { markdown: cut ? `${markdown.trimEnd()}\n\n${isChinese(task) ? CUT_NOTE_ZH : CUT_NOTE_EN}` : markdown, ...content };
}

function removeUnknownAddresses(entry: LedgerEntry, known: readonly string[]): LedgerEntry {
  const { what, target, detail } = entry;
  if (what === "model") return entry;
  const shown = detail === null || what === "rerank" ? detail : stripUnknownAddresses(detail, known);
  return { ...entry, target: stripUnknownAddresses(target, known), detail: shown };
}

const CUT_NOTE_EN = "*This answer is incomplete: it was cut off at the length limit of the model (MODEL_MAX_OUTPUT_TOKENS).*";
const CUT_NOTE_ZH = "*此回答不完整：已达到模型的长度上限（MODEL_MAX_OUTPUT_TOKENS）。*";

export const CUT_DETAIL = "the answer was cut off at its length limit";

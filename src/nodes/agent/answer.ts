import { computation } from "../../domain/computation.ts";
import type { Hit } from "../../domain/hit.ts";
import type { Draft, Reading } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import {
  answerText,
  citesInVain,
  type LedgerEntry,
  type Report,
  type ReportContent,
  type ReportRenderer,
  statedAnswers,
} from "../../domain/report.ts";
import { type Task, writingTerms } from "../../domain/task.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { readCitedText } from "../../evidence/cited-text.ts";
import { readClosingLines } from "../../evidence/closing-lines.ts";
import { hasFigures } from "../../evidence/figures/check-figures.ts";
import { type PackedEvidence, packEvidence, unpackEvidence } from "../../evidence/packed-evidence.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { markMarkdown } from "../../evidence/sanitize-output.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import { isChinese } from "../../ranking/language.ts";
import { uncitedNote } from "../../words/verdict.ts";
import { cleanPart, createCleaner } from "../../writing/clean-text.ts";
import { finishReport } from "../../writing/finish-report.ts";
import { keepKnownLines } from "../../writing/missing-lines.ts";
import { countOrigins } from "../../writing/origins.ts";
import { reportSources } from "../shared/sources.ts";

/** What a model answers, or rules in its place. */
export interface Answer extends Draft {
  /** Null if the answer cites anything, also if it is invented: the Markdown is then rendered from `blocks`, with marks. Otherwise a note is added. */
  readonly text: string | null;
  /** See `Report`. */
  readonly summary?: string | null;
}

export interface AnswerView {
  readonly task: Task;
  readonly prefixes: readonly string[];
  readonly known: readonly string[];
  readonly evidence: ReadonlyMap<string, Evidence>;
}

/** Checks the citations in a model's text. Sentences with invented citations stay, marked. Removes addresses that are not in `known`. */
function readAnswer(markdown: string, { task, prefixes, known, evidence }: AnswerView): Answer {
  const { question } = task;
  const closing = readClosingLines(markdown, { isReport: false });
  const isAnswer = closing.text.trim() !== "";
  // Closing lines alone, such as "回答：没有。", are the answer.
  const written = isAnswer ? closing.text : markdown;
  const read = readCitedText(written, evidence, { prefixes, known: [question], addresses: known, showInvented: true });
  const cleaner = createCleaner({ evidence, known, question });
  const { claims, blocks } = cleanPart(read, cleaner);
  const { citations, struck } = read;
  const text = citations.length > 0 || claims.some(citesInVain) ? null : markMarkdown(read.text, known).trim();
  const lines = closing.missing.map(cleaner.unchecked).filter((line) => line !== "");
  const quotes = citations.map(({ quote }) => quote);
  const missing = keepKnownLines(lines, writingTerms(task), quotes);
  const said = isAnswer && { answers: statedAnswers(closing.answers, missing), missing };
  return { claims, citations, blocks, struck, ...said, cutOff: read.isCut, reason: null, text };
}

type PackedView = Omit<AnswerView, "evidence"> & { readonly evidence: PackedEvidence };

export function readAnswers(texts: readonly string[], { evidence, ...view }: PackedView): Answer[] {
  const unpacked = unpackEvidence(evidence);
  return texts.map((text) => readAnswer(text, { ...view, evidence: unpacked }));
}

/** Texts of this length take 20 ms where each quote has to be looked for in other spelling. */
const ANSWERS = computation(import.meta.url, readAnswers, (texts) => texts.join("").length, 1_000);

/** Reads what a model may have meant as its answer, each text alone. */
export function computeAnswers(texts: readonly string[], view: AnswerView, effects: Pick<Effects, "compute">): Promise<Answer[]> {
  return effects.compute(ANSWERS, texts, { ...view, evidence: packEvidence(view.evidence) });
}

/**
 * Returns the answer whose citations hold best: those that were found less those that were not, at least 0. Of equal ones it is the longest. What
 * the others say and it does not is its summary.
 */
export function bestAnswer(answers: readonly Answer[]): Answer {
  const read = answers.map((answer) => {
    // The text without citation numbers and quotes.
    const { citations, struck = [] } = answer;
    const claims = countOrigins(answer.claims, citations, new Map());
    const blocks = [...(answer.blocks ?? [])];
    const words = answerText({ blocks, claims, citations: [...citations], closest: [], markdown: answer.text ?? "" });
    const held = Math.max(0, citations.length - claims.filter(citesInVain).length - struck.length);
    return { answer, words, held, unspaced: words.replace(/\s+/g, "") };
  });
  const best = read.reduce((a, b) => ((b.held - a.held || b.words.length - a.words.length) > 0 ? b : a));
  const more = read.flatMap(({ words, unspaced }) => (best.unspaced.includes(unspaced) ? [] : words));
  return { ...best.answer, summary: [...new Set(more)].join("\n\n") || null };
}

interface ReportParts {
  readonly task: Task;
  readonly hits: readonly Hit[];
  /** What the run has read, and of that the documents that the answer may quote. */
  readonly read: readonly KnownReading[];
  readonly readings: readonly Reading[];
  readonly known: readonly string[];
  readonly ledger: readonly LedgerEntry[];
  readonly cut: boolean;
}

export function reportAnswer(answer: Answer, parts: ReportParts, renderMarkdown: ReportRenderer, effects: Effects): Promise<Report> {
  const { task, hits, read, readings, known, ledger, cut } = parts;
  const render = (content: ReportContent): string => {
    const { claims, language, question } = content;
    const markdown = answer.text ?? renderMarkdown(content);
    const shown = isChinese({ language, question }) ? "zh" : "en";
    // A greeting needs no source. What was said after a search or with figures does.
    const isUncited = answer.text !== null && claims.length > 0 && (hits.length > 0 || claims.some(({ text }) => hasFigures(text)));
    const notes = [...(isUncited ? [`*${uncitedNote(claims.length, shown)}*`] : []), ...(cut ? [CUT_NOTES[shown]] : [])];
    return notes.length === 0 ? markdown : [markdown.trimEnd(), ...notes].join("\n\n");
  };
  return finishReport(
    {
      task: { ...task, unsupported: "show" },
      draft: answer,
      readings,
      sources: (origins) => reportSources({ hits, read }, origins),
      ledger: ledger.map((entry) => removeUnknownAddresses(entry, known)),
      summary: answer.summary ?? null,
      render,
    },
    effects,
  );
}

function removeUnknownAddresses(entry: LedgerEntry, known: readonly string[]): LedgerEntry {
  const { what, target, detail } = entry;
  if (what === "model" || what === "file") return entry;
  const shown = detail === null || what === "rerank" ? detail : stripUnknownAddresses(detail, known);
  return { ...entry, target: stripUnknownAddresses(target, known), detail: shown };
}

const CUT_NOTES = {
  en: "*This answer is incomplete: it was cut off at the length limit of the model (MODEL_MAX_OUTPUT_TOKENS).*",
  zh: "*此回答不完整：已达到模型的长度上限（MODEL_MAX_OUTPUT_TOKENS）。*",
} as const;

export const CUT_DETAIL = "the answer was cut off at its length limit";

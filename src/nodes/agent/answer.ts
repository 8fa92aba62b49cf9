import { type Block, keepSentences } from "../../domain/blocks.ts";
import { coverageOf, verifyClaims, type Written, withPlaces } from "../../domain/citations.ts";
import type { Block as DocumentBlock } from "../../domain/document.ts";
import type { Hit } from "../../domain/hit.ts";
import { nameFilesOnce } from "../../domain/left-out.ts";
import {
  answerText,
  checkedAnswers,
  citesInVain,
  type DraftClaim,
  type LedgerEntry,
  type Report,
  type ReportRenderer,
  statedAnswers,
} from "../../domain/report.ts";
import { type Task, taskView, writersContext } from "../../domain/request.ts";
import { strippedAddresses, stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { stripBracketedNumbers } from "../../evidence/citation-markers.ts";
import { readCitedText } from "../../evidence/cited-text.ts";
import { cleanReason } from "../../evidence/clean-reason.ts";
import { readClosingBlock } from "../../evidence/closing-lines.ts";
import { hasFigures } from "../../evidence/figures/check-figures.ts";
import { markedMarkdown } from "../../evidence/markdown-filter.ts";
import { keepKnownLines, stripUnknownIds } from "../../evidence/unknown-references.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import { isChinese } from "../../ranking/language.ts";
import { finish, type LongWork } from "../../util/turns.ts";
import { uncitedNote } from "../../words/verdict.ts";
import { countOrigins, originsOfCited, type ReadSource } from "../shared/sources.ts";
import { type AnalyzedEvidence, listSources } from "./load-evidence.ts";

export interface Answer extends Pick<Report, "blocks" | "claims" | "citations" | "coverage" | "struck" | "cutOff"> {
  /** What the model says of its answer: see `Report`. */
  readonly said: Pick<Report, "answers" | "missing">;
  readonly origins: ReadonlyMap<string, string>;
  /** Null if the answer cites anything, also if it is invented: the Markdown is then rendered from `blocks`, with marks. Otherwise a note is added. */
  readonly text: string | null;
  /** See `Report`. */
  readonly summary?: string | null;
  readonly closest?: Report["closest"];
}

/** What an answer says of itself that no model wrote. */
export const SAID_NOTHING: Answer["said"] = { answers: null, missing: [] };

interface AnswerView {
  readonly task: Task;
  readonly hits: readonly Hit[];
  readonly prefixes: readonly string[];
  readonly known: readonly string[];
  readonly evidence: ReadonlyMap<string, AnalyzedEvidence>;
}

/** Checks the citations in a model's text. Sentences with invented citations stay, marked. Removes addresses that are not in `known`. */
export function* readAnswer(markdown: string, { task, hits, prefixes, known, evidence }: AnswerView): LongWork<Answer> {
  const { question } = task;
  const closing = readClosingBlock(markdown);
  const isAnswer = closing.text.trim() !== "";
  // Closing lines alone, such as "回答：没有。", are the answer.
  const written = isAnswer ? closing.text : markdown;
  const read = yield* readCitedText(written, evidence, { prefixes, known: [question], addresses: known, showInvented: true });
  // Addresses are removed after citations, because removing a citation can join the halves of an address.
  const ids = [JSON.stringify(hits), question, ...Array.from(evidence.values(), ({ text }) => text)];
  const clean = (words: string): LongWork<string> => strippedAddresses(stripUnknownIds(words, ids), known);
  const cleanClaim = function* (words: string): LongWork<string> {
    return (yield* clean(stripBracketedNumbers(words))).trim();
  };
  const cleaned: DraftClaim[] = [];
  for (const claim of read.claims) {
    const reason = claim.reason === null ? null : cleanReason(claim.reason, (words) => finish(cleanClaim(words)));
    cleaned.push({ ...claim, text: yield* cleanClaim(claim.text), reason, section: yield* cleanClaim(claim.section) });
    yield;
  }
  const labelled = yield* cleanLabels(read.blocks, cleanClaim);
  const { claims, blocks } = keepSentences({ claims: cleaned, blocks: labelled }, ({ text }) => text !== "");
  const citations = withPlaces(read.citations, evidence.values());
  const { struck } = read;
  const origins = originsOfCited(citations, [...evidence.values()].map(toReadText));
  const text =
    citations.length > 0 || claims.some(citesInVain) ? null : (yield* markedMarkdown(stripUnknownIds(read.text, ids), known)).trim();
  const counted = { claims: countOrigins(claims, citations, origins), coverage: coverageOf(claims, struck.length) };
  const cut = read.isCut && ({ cutOff: true } as const);
  const lines: string[] = [];
  for (const item of closing.missing) lines.push(yield* cleanClaim(item));
  const missing = yield* keepKnownLines(
    lines.filter((item) => item !== ""),
    knownTo({ task, hits, known, evidence }),
  );
  const said = isAnswer ? { answers: statedAnswers(closing.answers, missing), missing } : SAID_NOTHING;
  return { ...counted, ...cut, said, citations, blocks, struck: [...struck], origins, text };
}

/** What may have the details of a line that says what is missing. Pages may have planted others. */
function knownTo({ task, hits, known, evidence }: Omit<AnswerView, "prefixes">): Parameters<typeof keepKnownLines>[1] {
  const { question, today, history } = taskView(task);
  const texts = [question, today, writersContext(task), ...history.flatMap((turn) => [turn.question, turn.answer])];
  const found = hits.map(({ title, snippet }) => `${title}\n${snippet}`).join("\n");
  return { texts, addresses: known, documents: [found, ...Array.from(evidence.values(), ({ text }) => text)] };
}

/** Cleans headings and heads of tables. Code stays as it was written. Drops a heading without any words. */
function* cleanLabels(blocks: readonly Block[], clean: (words: string) => LongWork<string>): LongWork<Block[]> {
  const cleaned: Block[] = [];
  for (const block of blocks) {
    yield;
    if (block.kind === "heading") {
      const text = yield* clean(block.text);
      if (text !== "") cleaned.push({ ...block, text });
    } else if (block.kind === "table") {
      const head: string[] = [];
      for (const cell of block.head) head.push(yield* clean(cell));
      cleaned.push({ ...block, head });
    } else cleaned.push(block);
  }
  return cleaned;
}

/** An answer from sentences that were read before. Their quotes are checked again. */
export function answerFromClaims(written: Written, sources: readonly ReadText[], said: Pick<Answer, "text" | "said">): Answer {
  const texts = new Map(sources.map(({ document }) => [document.contentHash, document.text]));
  const { claims, ...verified } = verifyClaims(written, (hash) => texts.get(hash));
  const documents = sources.map(({ document }) => document);
  const checked = { ...verified, citations: withPlaces(verified.citations, documents) };
  const origins = originsOfCited(checked.citations, sources);
  return { ...checked, ...said, origins, claims: countOrigins(claims, checked.citations, origins) };
}

type ReadText = ReadSource & { readonly document: { readonly text: string; readonly blocks?: readonly DocumentBlock[] } };

export function toReadText({ sourceId: id, title = "", contentHash, text, words, blocks }: AnalyzedEvidence): ReadText {
  return { hit: { id, origin: id }, document: { title, contentHash, text, blocks, analysis: { words } } };
}

/**
 * Returns the answer whose citations hold best: those that were found less those that were not, at least 0. Of equal ones it is the longest. What
 * the others say and it does not is its summary.
 */
export function bestAnswer(answers: readonly Answer[]): Answer {
  const read = answers.map((answer) => {
    // The text without citation numbers and quotes.
    const words = answerText({ ...answer, closest: [], markdown: answer.text ?? "" });
    const { citations, claims, struck } = answer;
    const held = Math.max(0, citations.length - claims.filter(citesInVain).length - struck.length);
    return { answer, words, held, unspaced: words.replace(/\s+/g, "") };
  });
  const best = read.reduce((a, b) => ((b.held - a.held || b.words.length - a.words.length) > 0 ? b : a));
  const more = read.flatMap(({ words, unspaced }) => (best.unspaced.includes(unspaced) ? [] : words));
  return { ...best.answer, summary: [...new Set(more)].join("\n\n") || null };
}

interface ReportParts {
  readonly task: Pick<Task, "question" | "language">;
  readonly hits: readonly Hit[];
  readonly readings: readonly KnownReading[];
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
  const ledger = nameFilesOnce(parts.ledger.map((entry) => removeUnknownAddresses(entry, known)));
  const { blocks, claims, citations, coverage, struck, cutOff } = answer;
  const content = {
    blocks,
    claims,
    citations,
    closest: answer.closest ?? [],
    sources,
    coverage,
    ...answer.said,
    answers: checkedAnswers(answer.said.answers, claims),
    struck,
    summary: answer.summary ?? null,
    ledger,
    ...(cutOff === true && { cutOff }),
  };
  const markdown = answer.text ?? renderMarkdown({ question, language, reason, ...content });
  const shown = isChinese(task) ? "zh" : "en";
  // A greeting needs no source. What was said after a search or with figures does.
  const isUncited = answer.text !== null && claims.length > 0 && (hits.length > 0 || claims.some(({ text }) => hasFigures(text)));
  const notes = [...(isUncited ? [`*${uncitedNote(claims.length, shown)}*`] : []), ...(cut ? [CUT_NOTES[shown]] : [])];
  return { markdown: notes.length === 0 ? markdown : [markdown.trimEnd(), ...notes].join("\n\n"), ...content };
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

import { computation } from "../domain/computation.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { isChecked, splitReason } from "../domain/report.ts";
import { type CitedText, type ReadOptions, readCitedText } from "../evidence/cited-text.ts";
import { type PackedEvidence, packEvidence, unpackEvidence } from "../evidence/packed-evidence.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { type CleanContext, cleanPart, createCleaner } from "./clean-text.ts";
import { readNoAnswer } from "./no-answer.ts";

export interface CitedContext extends CleanContext {
  /** Names that a sentence may use without a quote, such as publishers that the prompt shows. */
  readonly names: readonly string[];
}

export interface ReadReport extends Pick<CitedText, "claims" | "citations" | "blocks" | "struck"> {
  readonly cutOff: boolean;
  readonly text: string;
  /** Faults of the text as the model wrote it. */
  readonly faults: readonly Fault[];
  /** What is missing, maybe `""`, if the model wrote NO ANSWER; otherwise null. */
  readonly noAnswer: string | null;
}

export function readOptions({ question, known, names }: CitedContext): ReadOptions {
  return { known: [question, ...names], addresses: known };
}

/** Reads a text without closing lines. Text and labels of the result have no address that is not known. */
export function readReport(text: string, context: CitedContext, cutOff: boolean): ReadReport {
  const missing = readNoAnswer(text);
  const nothing = { claims: [], citations: [], blocks: [], struck: [], faults: [] };
  if (missing !== null) return { ...nothing, cutOff, text, noAnswer: sanitizeText(missing, context.known) };
  const written = readCitedText(text, context.evidence, readOptions(context));
  const { citations, struck } = written;
  const cleaner = createCleaner(context);
  const cleaned = cleanPart(written, cleaner);
  return {
    ...cleaned,
    citations,
    struck: struck.map(cleaner.struck),
    faults: faultsOf(written),
    cutOff: cutOff || written.isCut,
    text,
    noAnswer: null,
  };
}

type PackedContext = Omit<CitedContext, "evidence"> & { readonly evidence: PackedEvidence };

export function readPacked(text: string, { evidence, ...context }: PackedContext, cutOff: boolean): ReadReport {
  return readReport(text, { ...context, evidence: unpackEvidence(evidence) }, cutOff);
}

/** Texts of this length take 20 ms where each quote has to be looked for in other spelling. */
const READING = computation(import.meta.url, readPacked, (text) => text.length, 1_000);

/** `readReport` as a computation. */
export function computeReport(
  text: string,
  context: CitedContext,
  cutOff: boolean,
  effects: Pick<Effects, "compute">,
): Promise<ReadReport> {
  const { evidence, known, names, question } = context;
  return effects.compute(READING, text, { evidence: packEvidence(evidence), known, names, question }, cutOff);
}

export interface Fault {
  readonly sentence: string;
  /** The citation, or `""`. */
  readonly marker: string;
  readonly code: string;
  readonly words: string;
}

/** Returns the faults of citations, then the other sentences that are struck or unverified. */
function faultsOf({ faults, struck, claims }: CitedText): Fault[] {
  const told = new Set(faults.map(({ sentence }) => sentence));
  const cited = faults.map(({ sentence, marker, why, words }) => ({ sentence, marker, code: why, words }));
  const others = [...struck, ...claims.filter(({ support }) => support === "unverified")]
    .filter(({ text }) => !told.has(text))
    .map(({ text, reason }) => ({ sentence: text, marker: "", ...splitReason(reason ?? "no_citation") }));
  return [...cited, ...others];
}

export function countChecked({ claims }: Pick<ReadReport, "claims">): number {
  return claims.filter(isChecked).length;
}

export function countUnverified({ claims }: Pick<ReadReport, "claims">): number {
  return claims.filter(({ support }) => support === "unverified").length;
}

/** Chooses the report with more checked sentences, then with fewer struck ones, then with fewer unverified ones, then the later one. */
export function betterOf<Report extends ReadReport>(first: Report, second: Report): Report {
  const [checked, struck] = [countChecked(first) - countChecked(second), second.struck.length - first.struck.length];
  const difference = checked || struck || countUnverified(second) - countUnverified(first);
  return difference > 0 ? first : second;
}

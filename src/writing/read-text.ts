import type { ChatReply } from "../domain/chat.ts";
import { SummaryResponseSchema } from "../domain/components.ts";
import { computation } from "../domain/computation.ts";
import type { NamedSource } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { type Answers, splitReason } from "../domain/report.ts";
import { type CitedText, type ReadOptions, readCitedText } from "../evidence/cited-text.ts";
import { readClosingLines } from "../evidence/closing-lines.ts";
import { type PackedEvidence, packEvidence, unpackEvidence } from "../evidence/packed-evidence.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { textOf } from "../util/json-fields.ts";
import { type CleanContext, cleanPart, createCleaner } from "./clean-text.ts";
import { formatOf, type PropFilter, readComponent, readPartial } from "./components/read-component.ts";

export const SUMMARY_FORMAT = formatOf(SummaryResponseSchema);

/** A text of a model as it was written: cited Markdown without its closing lines, and what these say. */
export interface WrittenText {
  readonly text: string;
  /** Tells the model why the text is missing or incomplete; null if it is usable. */
  readonly fault: string | null;
  readonly cutOff: boolean;
  readonly answers: Answers | null;
  readonly missing: readonly string[];
  /** The sources that a reader of documents names. */
  readonly named?: readonly NamedSource[];
}

const asWritten: PropFilter = (text) => text;

/**
 * Reads Markdown, or a component whose `answer` is Markdown, also if a model that was asked for the component writes none. Of one that breaks off, the
 * beginning is the text; the token limit would cut off a second one too.
 */
export function readWritten({ content, finishReason }: ChatReply, isComponent: boolean): WrittenText {
  const isJson = isComponent && content.includes("{");
  const reading = isJson ? readComponent(content, SUMMARY_FORMAT, asWritten, finishReason !== "stop") : null;
  if (reading?.ok === false) {
    const { text } = reading.cut ? answerIn(content) : { text: "" };
    const fault = text === "" || finishReason === "stop" ? reading.fault : null;
    return { text, fault, cutOff: reading.cut, answers: null, missing: [] };
  }
  const { props = null } = reading ?? {};
  const { text, answers, missing } = readClosingLines(props?.answer ?? content, { isReport: true });
  const said = { answers: props?.answers ?? answers, missing: [...(props?.missing ?? []), ...missing] };
  return { text: text === "" && props !== null ? NO_ANSWER : text, fault: null, cutOff: false, ...said };
}

/** Returns the answer of a summary that may break off, and the name that the model gave it. */
export function answerIn(content: string): { readonly name: "answer" | "summary"; readonly text: string } {
  const { answer, summary } = readPartial(content, SUMMARY_FORMAT.name, asWritten) ?? {};
  return answer || !summary ? { name: "answer", text: textOf(answer) } : { name: "summary", text: textOf(summary) };
}

const BEGINNING = /^[\s*_#>"'“]{0,200}NO[ _]ANSWER\b[\s*_]*[:：.。—–-]?[\s*_]*/i;
export const NO_ANSWER = "NO ANSWER";
const MAX_REASON_LENGTH = 1_000;
/** In UTF-16 code units. A longer beginning cannot become NO ANSWER. */
export const MAX_HEAD_LENGTH = 220;

/** Returns the paragraph after NO ANSWER, which says why; null if `text` does not begin with it. */
export function readNoAnswer(text: string): string | null {
  const match = BEGINNING.exec(text);
  if (match === null) return null;
  const paragraph = text.slice(match[0].length).split(/\n\s*\n/, 1)[0] ?? "";
  return paragraph.replaceAll(/\s+/g, " ").trim().slice(0, MAX_REASON_LENGTH).toWellFormed();
}

/** What a text may cite and name, and how it is shown. */
export interface TextContext extends CleanContext {
  /** Names that a sentence may use without a quote, such as publishers that the prompt shows. */
  readonly names: readonly string[];
  readonly language: string;
  readonly showsUnverified: boolean;
}

export interface ReadReport extends Pick<CitedText, "claims" | "citations" | "blocks" | "struck"> {
  readonly isCut: boolean;
  /** Faults of the text as the model wrote it. */
  readonly faults: readonly Fault[];
  /** What is missing, maybe `""`, if the model wrote NO ANSWER; otherwise null. */
  readonly noAnswer: string | null;
}

export function readOptions({ question, known, names }: Omit<TextContext, "evidence">): ReadOptions {
  return { known: [question, ...names], addresses: known };
}

type PackedContext = Omit<TextContext, "evidence"> & { readonly evidence: PackedEvidence };

/** Reads a text without closing lines. Text and labels of the result have no address that is not known. */
export function readReport(text: string, context: PackedContext): ReadReport {
  const missing = readNoAnswer(text);
  const nothing = { claims: [], citations: [], blocks: [], struck: [], faults: [], isCut: false };
  if (missing !== null) return { ...nothing, noAnswer: sanitizeText(missing, context.known) };
  const evidence = unpackEvidence(context.evidence);
  const written = readCitedText(text, evidence, readOptions(context));
  const cleaner = createCleaner({ ...context, evidence });
  const { citations, struck, isCut } = written;
  return {
    ...cleanPart(written, cleaner),
    citations,
    struck: struck.map(cleaner.struck),
    faults: faultsOf(written),
    isCut,
    noAnswer: null,
  };
}

/** Texts of this length take 20 ms where each quote has to be looked for in other spelling. */
const READING = computation(import.meta.url, readReport, (text) => text.length, 1_000);

/** `readReport` as a computation. */
export function computeReport(text: string, { evidence, ...context }: TextContext, effects: Pick<Effects, "compute">): Promise<ReadReport> {
  return effects.compute(READING, text, { ...context, evidence: packEvidence(evidence) });
}

/** `marker` is the citation, or `""`. */
type Fault = Readonly<Record<"sentence" | "marker" | "why" | "words", string>>;

/** Returns the faults of citations, then the other sentences that are struck or unverified. */
function faultsOf({ faults, struck, claims }: CitedText): Fault[] {
  const told = new Set(faults.map(({ sentence }) => sentence));
  const others = [...struck, ...claims.filter(({ support }) => support === "unverified")]
    .filter(({ text }) => !told.has(text))
    .map(({ text, reason }) => {
      const { code, words } = splitReason(reason ?? "no_citation");
      return { sentence: text, marker: "", why: code, words };
    });
  return [...faults, ...others];
}

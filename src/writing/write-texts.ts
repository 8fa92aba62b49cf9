import { type ChatMessage, type ChatReply, textRequest } from "../domain/chat.ts";
import { modelFailureEntry } from "../domain/failures.ts";
import type { Draft, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { checkedAnswers, type LedgerEntry } from "../domain/report.ts";
import { modelOf } from "../domain/request.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { MAX_CITED_TEXT } from "../evidence/cited-text.ts";
import { callOptions } from "./call-options.ts";
import { checkSupport } from "./check-support.ts";
import { betterOf, computeReport, countChecked, type ReadReport } from "./cited-report.ts";
import { formatFaults, needsCorrection } from "./correction.ts";
import { type PreparedText, prepareText, shortenText, type WriteRequest } from "./prepare-text.ts";
import type { WrittenText } from "./written-text.ts";

export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

interface ReadText extends ReadReport {
  readonly written: WrittenText;
  readonly finishReason: ChatReply["finishReason"];
}

interface Writing {
  text: PreparedText;
  /** What the model is asked next; null if nothing. */
  messages: readonly ChatMessage[] | null;
  first: Attempt<ReadText> | null;
  isCorrected: boolean;
  /** The correction; null before it is written. */
  second: Attempt<ReadText> | null;
  /** An entry for each time that the text was made shorter. */
  readonly ledger: LedgerEntry[];
}

/**
 * Writes a cited text with one call, more if it is too large for the model, and at most one correction. Returns null if there is nothing to
 * read for it. @throws DossierError `model_output`; the errors of `ChatModel.complete`
 */
export async function writeText(request: WriteRequest, effects: Effects): Promise<Draft | null> {
  const text = await prepareText(request, effects);
  if (text === null) return null;
  const writing: Writing = { text, messages: text.messages, first: null, isCorrected: false, second: null, ledger: [] };
  while (writing.messages !== null) {
    const read = await attempt(() => askAndRead(writing), effects);
    if (writing.isCorrected) writing.second = read;
    else writing.first = read;
    writing.messages = await nextMessages(writing);
  }
  return draftOf(writing);
}

/** Writes several texts side by side. */
export function writeTexts(requests: readonly WriteRequest[], effects: Effects): Promise<Attempt<Draft | null>[]> {
  return Promise.all(requests.map((request) => attempt(() => writeText(request, effects), effects)));
}

async function askAndRead({ text, messages }: Writing): Promise<ReadText> {
  return readReply(text, await ask(text, messages ?? []));
}

/** @throws the errors of `ChatModel.complete` */
function ask(text: PreparedText, messages: readonly ChatMessage[]): Promise<ChatReply> {
  const { view, models, model, effects, writer, since, context, display } = text;
  const request = textRequest(modelOf(models, writer.role), messages, models.maxOutputTokens, writer.schema);
  const { node, purpose } = writer;
  const options = {
    ...callOptions({ node, purpose, view, models, known: context.known, usedMs: effects.elapsedMs(since) }),
    ...(view.modelUnreachable && { tries: 1 }),
    onContent: (piece: string) => display?.push(piece),
    restart: () => display?.restart("Text shown so far, if any, is taken back."),
  };
  return model.complete(request, options, effects);
}

async function readReply({ writer, effects, context, display }: PreparedText, reply: ChatReply): Promise<ReadText> {
  await display?.end();
  const written = await writer.read(reply, context.known, effects);
  const cutOff = CUT_OFF.includes(reply.finishReason) || written.cutOff === true;
  const report = await computeReport(written.text, context, cutOff, effects);
  const lost = FINAL_FAULTS[reply.finishReason];
  if (lost !== undefined && countChecked(report) === 0) throw new DossierError("model_output", lost);
  return { ...report, written, finishReason: reply.finishReason };
}

/** Each time a text has at most half of its tokens. */
const MAX_SHORTENINGS = 4;

/** A text that is too large is asked for again from fewer passages; one with faults is corrected once. */
async function nextMessages(writing: Writing): Promise<readonly ChatMessage[] | null> {
  const { text, first, isCorrected, ledger } = writing;
  if (first === null || isCorrected) return null;
  if (first.ok) {
    writing.isCorrected = mayBeCorrected(first.value, text);
    return writing.isCorrected ? beginCorrection(first.value, text) : null;
  }
  const error = toDossierError(first.error);
  if (error.code !== "context_too_large" || ledger.length === MAX_SHORTENINGS) return null;
  const shorter = await shortenText(text, error);
  if (shorter === null) return null;
  writing.text = shorter;
  const { models, writer, effects, since } = shorter;
  ledger.push(modelFailureEntry({ model: modelOf(models, writer.role), target: "prompt", error, ms: effects.elapsedMs(since) }));
  return shorter.messages;
}

function mayBeCorrected(first: ReadText, { writer }: PreparedText): boolean {
  return first.written.fault !== null || (writer.mayCorrect && needsCorrection(first) && !isFinal(first));
}

/** Tells the user that the text is corrected, and returns the messages that ask for it. */
async function beginCorrection(first: ReadText, { messages, display, prompts }: PreparedText): Promise<ChatMessage[]> {
  const { fault, whole } = first.written;
  const faults = fault === null ? formatFaults(first) || "- No sentence has a citation." : `- ${fault}`;
  const why = fault === null ? "Not all that the report says is in its quotes" : "The answer cannot be used as it is";
  display?.restart(`${why}; the model corrects it.`);
  return [
    ...messages,
    { role: "assistant", content: whole.slice(0, MAX_CITED_TEXT).toWellFormed() || "…", toolCalls: [] },
    { role: "user", content: await prompts(fault === null ? "messages/writer-correction" : "messages/component-correction", { faults }) },
  ];
}

/** A correction that fails leaves the first text, if that is worth showing. */
async function draftOf(writing: Writing): Promise<Draft | null> {
  const { text, first, second, ledger } = writing;
  try {
    if (first === null) return null;
    if (!first.ok) throw first.error;
    if (second?.ok === false && !isWorthShowing(first.value, text.view)) throw second.error;
    const draft = await toDraft(first.value, second?.ok ? second.value : null, writing);
    return ledger.length === 0 ? draft : { ...draft, ledger: [...ledger, ...(draft.ledger ?? [])] };
  } catch (thrown) {
    const [shortened] = ledger;
    if (shortened === undefined) throw thrown;
    // Rules may write instead, and their ledger has only the last error.
    const { code, message } = toDossierError(thrown);
    throw new DossierError(code, `${message} ${shortened.detail}`, { cause: thrown });
  }
}

/** Returns the better of both texts. @throws DossierError `model_output` */
async function toDraft(first: ReadText, second: ReadText | null, { text, isCorrected }: Writing): Promise<Draft> {
  const { view, context, display } = text;
  const report = second === null ? first : betterReport(first, second);
  if (report.noAnswer === null && !isWorthShowing(report, view)) throw new DossierError("model_output", faultOf(report));
  const { missing, named = [] } = report.written;
  const said = { missing, ...(named.length > 0 && { named }) };
  const shown = report.noAnswer === null ? checkedAnswers(report.written.answers, report.claims) : report.written.answers;
  display?.finish?.({ ...report.written, answers: shown }, report === second || !isCorrected);
  if (report.noAnswer !== null) return { claims: [], citations: [], reason: report.noAnswer || null, answers: "not", ...said };
  const { citations, struck, cutOff } = report;
  const { claims, blocks, ledger } = await checkSupport(report, context, text);
  const answers = checkedAnswers(shown, claims);
  return { claims, citations, blocks, struck, reason: null, answers, ...said, cutOff, ...(ledger.length > 0 && { ledger }) };
}

function isWorthShowing(report: ReadText, { showsUnsupported }: WritingView): boolean {
  return countChecked(report) > 0 || (showsUnsupported === true && report.claims.length > 0);
}

/** Whether the server ended the text, so that a second one would end as early. An empty text is asked for again after `length`. */
function isFinal({ finishReason, claims }: ReadText): boolean {
  if (FINAL_FAULTS[finishReason] !== undefined) return true;
  return finishReason === "length" && claims.length > 0;
}

function betterReport(first: ReadText, second: ReadText): ReadText {
  if (second.noAnswer !== null) return countChecked(first) > 0 ? first : second;
  return betterOf(first, second);
}

function faultOf({ written, text }: ReadText): string {
  if (written.fault !== null) return `The model's report cannot be used: ${written.fault}`;
  return text.trim() === "" ? "The model's report is empty." : "No sentence of the model's report has a citation that holds.";
}

const CUT_OFF: readonly ChatReply["finishReason"][] = ["length", "content_filter", "repetition"];
/** Finish reasons after which a correction would not help. */
const FINAL_FAULTS: Partial<Record<ChatReply["finishReason"], string>> = {
  content_filter: "The model's server held its answer back.",
  repetition: "The model said the same again and again.",
};

/** @throws the reason if the run was stopped */
async function attempt<T>(work: () => Promise<T>, effects: Effects): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    effects.signal.throwIfAborted();
    return { ok: false, error };
  }
}

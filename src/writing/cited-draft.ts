import { budgetOf } from "../domain/budget.ts";
import { type ChatMessage, type ChatReply, estimateTokens, textRequest } from "../domain/chat.ts";
import { fittingTokens } from "../domain/failures.ts";
import type { Draft, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../domain/ports/models.ts";
import { checkedAnswers } from "../domain/report.ts";
import { type Models, modelOf } from "../domain/request.ts";
import { DossierError } from "../errors.ts";
import { addressesIn } from "../evidence/address-detection.ts";
import { MAX_CITED_TEXT } from "../evidence/cited-text.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { finishInTurns } from "../util/turns.ts";
import { callOptions } from "./call-options.ts";
import { checkSupport } from "./check-support.ts";
import type { StreamContext } from "./cited-prose.ts";
import { betterOf, countChecked, type ReadReport, readReport } from "./cited-report.ts";
import { formatFaults, needsCorrection } from "./correction.ts";
import { publisherOf } from "./passages.ts";
import { lastTurns } from "./prompt-text.ts";
import type { CitedAnswer, ReportDisplay, WriterRole } from "./writer-role.ts";

/** The share of the free tokens that is used, because token estimates may be too low. */
const USED_SHARE = 0.9;
const ANSWER_SHARE = 0.3;

export interface WriteRequest {
  readonly view: WritingView;
  readonly models: Models;
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
  readonly writer: WriterRole;
}

interface WritingContext extends StreamContext {
  readonly display: ReportDisplay;
}

/** A text that a model is about to write, with the passages that it is shown. */
export interface PreparedText extends WriteRequest {
  readonly effects: Effects;
  /** The time of the run clock when the writing began. */
  readonly since: number;
  readonly passages: readonly Evidence[];
  readonly messages: readonly ChatMessage[];
  readonly context: WritingContext;
}

export interface ReadText extends ReadReport {
  readonly answer: CitedAnswer;
  readonly finishReason: ChatReply["finishReason"];
}

/** Chooses the passages that fit into the model's context; null if there are none. */
export async function prepareText(request: WriteRequest, effects: Effects): Promise<PreparedText | null> {
  const { view, writer } = request;
  if (view.readings.length === 0) return null;
  const since = effects.now();
  const before: ChatMessage[] = [{ role: "system", content: await writer.system() }, ...lastTurns(view.history)];
  const passages = await writer.choose(passageTokens(request, before, effects), effects.signal);
  return passages.length === 0 ? null : showPassagesTo({ ...request, effects, since }, passages, before);
}

/** The same text from fewer passages, for a model whose context is smaller than counted on. Null if no passage fits. */
export async function shortenText({ passages, messages, ...request }: PreparedText, error: DossierError): Promise<PreparedText | null> {
  const size = passages.reduce((sum, { text, start, end }) => sum + estimateTokens(text.slice(start, end)), 0);
  const whole = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const fitting = await request.writer.choose(fittingTokens(whole, error) - (whole - size), request.effects.signal);
  return fitting.length === 0 ? null : showPassagesTo(request, fitting, messages.slice(0, -1));
}

async function showPassagesTo(
  request: WriteRequest & Pick<PreparedText, "effects" | "since">,
  passages: readonly Evidence[],
  before: readonly ChatMessage[],
): Promise<PreparedText> {
  const { view, writer, effects } = request;
  const messages: ChatMessage[] = [...before, { role: "user", content: await writer.userMessage(passages) }];
  const stream = streamContext(passages, view);
  return { ...request, passages, messages, context: { ...stream, display: writer.openDisplay(stream, effects) } };
}

function passageTokens({ view, models, writer }: WriteRequest, messages: readonly ChatMessage[], effects: Effects): number {
  const left = budgetOf(view.limits, effects).tokensLeft;
  const answerTokens = Math.min(models.maxOutputTokens, left * ANSWER_SHARE);
  const room = Math.min(models.contextTokens - models.maxOutputTokens, left - answerTokens) * USED_SHARE;
  const messageTokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const taken = messageTokens + estimateTokens(view.question) + writer.otherTokens;
  return Math.max(0, Math.floor(room - taken));
}

function streamContext(passages: readonly Evidence[], view: WritingView): StreamContext {
  const { question, language, readings, showsUnsupported = false } = view;
  const evidence = new Map(passages.map((passage) => [passage.id, passage]));
  const names = [...new Set(readings.flatMap((reading) => publisherOf(reading) ?? []))];
  return { evidence, known: knownAddresses(view), names, question, language, showsUnverified: showsUnsupported };
}

/** Asks the model. `messages` are those of the text, or a correction's. @throws the errors of `ChatModel.complete` */
export function askForText(
  { view, models, model, effects, writer, since, context }: PreparedText,
  messages: readonly ChatMessage[],
): Promise<ChatReply> {
  const { known, display } = context;
  const request = textRequest(modelOf(models, writer.role), messages, models.maxOutputTokens, writer.schema);
  const options = {
    ...callOptions({ node: writer.node, purpose: writer.purpose, view, models, known, usedMs: effects.elapsedMs(since) }),
    ...(view.modelUnreachable && { tries: 1 }),
    onContent: (piece: string) => display.push(piece),
    restart: () => display.restart("Text shown so far, if any, is taken back."),
  };
  return model.complete(request, options, effects);
}

/** Reads the reply in turns of the event loop, so call it only while the task waits for no other effect. */
export async function readReply({ writer, effects, context }: PreparedText, reply: ChatReply): Promise<ReadText> {
  await context.display.end();
  const answer = await finishInTurns(writer.read(reply, context.known), effects.signal);
  const cutOff = CUT_OFF.includes(reply.finishReason) || answer.cutOff === true;
  const report = await finishInTurns(readReport(answer.text, context, cutOff), effects.signal);
  const lost = FINAL_FAULTS[reply.finishReason];
  if (lost !== undefined && countChecked(report) === 0) throw new DossierError("model_output", lost);
  return { ...report, answer, finishReason: reply.finishReason };
}

export function mayBeCorrected(first: ReadText, { writer }: PreparedText): boolean {
  return first.answer.fault !== null || (writer.mayCorrect && needsCorrection(first) && !isFinal(first));
}

/** Tells the user that the text is corrected, and returns the messages that ask for it. */
export async function beginCorrection(first: ReadText, { messages, context, prompts }: PreparedText): Promise<ChatMessage[]> {
  const { fault } = first.answer;
  const faults = fault === null ? formatFaults(first) || "- No sentence has a citation." : `- ${fault}`;
  const why = fault === null ? "Not all that the report says is in its quotes" : "The answer cannot be used as it is";
  context.display.restart(`${why}; the model corrects it.`);
  return [
    ...messages,
    { role: "assistant", content: first.answer.whole.slice(0, MAX_CITED_TEXT).toWellFormed() || "…", toolCalls: [] },
    { role: "user", content: await prompts(fault === null ? "messages/writer-correction" : "messages/component-correction", { faults }) },
  ];
}

/** Returns the better of both texts. `isCorrected`: a second one was asked for, even if it failed. @throws DossierError `model_output` */
export async function toDraft(first: ReadText, second: ReadText | null, isCorrected: boolean, text: PreparedText): Promise<Draft> {
  const { view, context } = text;
  const report = second === null ? first : betterReport(first, second);
  if (report.noAnswer === null && !isWorthShowing(report, view)) throw new DossierError("model_output", faultOf(report));
  const { missing } = report.answer;
  const shown = report.noAnswer === null ? checkedAnswers(report.answer.answers, report.claims) : report.answer.answers;
  context.display.finish?.({ ...report.answer, answers: shown }, report === second || !isCorrected);
  if (report.noAnswer !== null) return { claims: [], citations: [], reason: report.noAnswer || null, answers: "not", missing };
  const { citations, struck, cutOff } = report;
  const { claims, blocks, ledger } = await checkSupport(report, context, text);
  const answers = checkedAnswers(shown, claims);
  return { claims, citations, blocks, struck, reason: null, answers, missing, cutOff, ...(ledger.length > 0 && { ledger }) };
}

export function isWorthShowing(report: ReadText, { showsUnsupported }: WritingView): boolean {
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

function faultOf({ answer, text }: ReadText): string {
  if (answer.fault !== null) return `The model's report cannot be used: ${answer.fault}`;
  return text.trim() === "" ? "The model's report is empty." : "No sentence of the model's report has a citation that holds.";
}

const CUT_OFF: readonly ChatReply["finishReason"][] = ["length", "content_filter", "repetition"];
/** Finish reasons after which a correction would not help. */
const FINAL_FAULTS: Partial<Record<ChatReply["finishReason"], string>> = {
  content_filter: "The model's server held its answer back.",
  repetition: "The model said the same again and again.",
};

function knownAddresses({ question, readings }: WritingView): string[] {
  const found = readings
    .flatMap(({ hit, document }) => [hit.url, document.url, hit.publication?.fullTextUrl ?? ""])
    .filter((url) => url !== "");
  return [...found, ...addressesIn(question)];
}

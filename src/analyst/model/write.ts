import { type ChatMessage, type ChatReply, estimateTokens } from "../../domain/chat.ts";
import type { Draft, WritingView } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../../domain/ports/models.ts";
import { checkedAnswers } from "../../domain/report.ts";
import { type Models, modelOf } from "../../domain/request.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { addressesIn } from "../../evidence/address-detection.ts";
import { MAX_CITED_TEXT } from "../../evidence/cited-text.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { createOutputFilter } from "../../evidence/sanitize-output.ts";
import { finishInTurns } from "../../util/turns.ts";
import { checkSupport } from "./check-support.ts";
import type { StreamContext } from "./cited-prose.ts";
import { betterOf, countChecked, type ReadReport, readReport } from "./cited-report.ts";
import { formatFaults, needsCorrection } from "./correction.ts";
import { publisherOf, selectPassages } from "./passages.ts";
import { lastTurns } from "./prompt-text.ts";
import { type ModelAnalystDeps, withRulesFallback } from "./rules-fallback.ts";
import { type CitedAnswer, createWriterRole, type ReportDisplay, type WriterRole } from "./writer-role.ts";

/** The share of the free tokens that is used, because token estimates may be too low. */
const USED_SHARE = 0.9;
/** In tokens. Models take longer over more passages and read them less carefully. */
const MAX_PASSAGE_TOKENS = 16_000;
const ANSWER_SHARE = 0.3;

interface WriteRequest {
  readonly view: WritingView;
  readonly models: Models;
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
  readonly writer: WriterRole;
}

interface Writing extends WriteRequest {
  readonly effects: Effects;
  readonly since: number;
}

interface WritingContext extends StreamContext {
  readonly display: ReportDisplay;
}

interface Read extends ReadReport {
  readonly answer: CitedAnswer;
  readonly finishReason: ChatReply["finishReason"];
}

export async function writeByModel(
  view: WritingView,
  models: Models,
  { model, rules, prompts }: ModelAnalystDeps,
  effects: Effects,
): Promise<Draft> {
  const byRules = () => rules.write(view, effects);
  const writer = createWriterRole(view, prompts);
  const byModel = async () => (await writeCitedText({ view, models, model, prompts, writer }, effects)) ?? (await byRules());
  return withRulesFallback({ role: writer.role, node: writer.node, models, byModel, byRules }, effects);
}

/** Writes a cited text; null if nothing was read. @throws DossierError `model_output`; the errors of `complete` */
export async function writeCitedText(request: WriteRequest, effects: Effects): Promise<Draft | null> {
  return request.view.readings.length === 0 ? null : writeFitting({ ...request, effects, since: effects.now() });
}

/** Writes the text. If the prompt is too large for the model, writes it again with half of the passages. */
async function writeFitting(writing: Writing): Promise<Draft | null> {
  const { view, effects, writer } = writing;
  const messages: ChatMessage[] = [{ role: "system", content: await writer.system() }, ...lastTurns(view.history)];
  const tokens = passageTokens(writing, messages);
  const passages = await selectPassages(view, tokens, effects.signal, writer.cited);
  if (passages.length === 0) return null;
  try {
    return await writeFrom(passages, messages, writing);
  } catch (thrown) {
    effects.signal.throwIfAborted();
    if (toDossierError(thrown).code !== "context_too_large") throw thrown;
    const size = passages.reduce((sum, { text, start, end }) => sum + estimateTokens(text.slice(start, end)), 0);
    return writeFrom(await selectPassages(view, Math.floor(size / 2), effects.signal, writer.cited), messages, writing);
  }
}

function passageTokens({ view, models, effects, writer }: Writing, messages: readonly ChatMessage[]): number {
  const { inputTokens, outputTokens } = effects.spent();
  const left = view.limits.tokens - inputTokens - outputTokens;
  const answerTokens = Math.min(models.maxOutputTokens, left * ANSWER_SHARE);
  const room = Math.min(models.contextTokens - models.maxOutputTokens, left - answerTokens) * USED_SHARE;
  const messageTokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const taken = messageTokens + estimateTokens(view.question) + writer.otherTokens;
  return Math.max(0, Math.min(MAX_PASSAGE_TOKENS, Math.floor(room - taken)));
}

async function writeFrom(passages: readonly Evidence[], before: readonly ChatMessage[], writing: Writing): Promise<Draft> {
  const { view, writer, effects } = writing;
  const messages: ChatMessage[] = [...before, { role: "user", content: await writer.userMessage(passages) }];
  const stream = streamContext(passages, view);
  const context: WritingContext = { ...stream, display: writer.openDisplay(stream, effects) };
  const first = await ask(messages, context, writing);
  const isFaulty = first.answer.fault !== null || (needsCorrection(first) && !isFinal(first));
  const second = isFaulty ? await correct(first, messages, context, writing) : null;
  const report = second === null ? first : betterReport(first, second);
  if (report.noAnswer === null && !isWorthShowing(report, view)) throw new DossierError("model_output", faultOf(report));
  const { missing } = report.answer;
  const shown = report.noAnswer === null ? checkedAnswers(report.answer.answers, report.claims) : report.answer.answers;
  context.display.finish?.({ ...report.answer, answers: shown }, report === second || !isFaulty);
  if (report.noAnswer !== null) return { claims: [], citations: [], reason: report.noAnswer || null, answers: "not", missing };
  const { citations, struck, cutOff } = report;
  const { claims, blocks, ledger } = await checkSupport(report, context, writing);
  const answers = checkedAnswers(shown, claims);
  return { claims, citations, blocks, struck, reason: null, answers, missing, cutOff, ...(ledger.length > 0 && { ledger }) };
}

function streamContext(passages: readonly Evidence[], view: WritingView): StreamContext {
  const { question, language, readings, showsUnsupported = false } = view;
  const evidence = new Map(passages.map((passage) => [passage.id, passage]));
  const names = [...new Set(readings.flatMap((reading) => publisherOf(reading) ?? []))];
  return { evidence, known: knownAddresses(view), names, question, language, showsUnverified: showsUnsupported };
}

function isWorthShowing(report: Read, { showsUnsupported }: WritingView): boolean {
  return countChecked(report) > 0 || (showsUnsupported === true && report.claims.length > 0);
}

/** Whether the server ended the text, so that a second one would end as early. An empty text is asked for again after `length`. */
function isFinal({ finishReason, claims }: Read): boolean {
  if (FINAL_FAULTS[finishReason] !== undefined) return true;
  return finishReason === "length" && claims.length > 0;
}

function betterReport(first: Read, second: Read): Read {
  if (second.noAnswer !== null) return countChecked(first) > 0 ? first : second;
  return betterOf(first, second);
}

function faultOf({ answer, text }: Read): string {
  if (answer.fault !== null) return `The model's report cannot be used: ${answer.fault}`;
  return text.trim() === "" ? "The model's report is empty." : "No sentence of the model's report has a citation that holds.";
}

async function correct(first: Read, messages: readonly ChatMessage[], context: WritingContext, writing: Writing): Promise<Read | null> {
  const { fault } = first.answer;
  const correction: ChatMessage[] = [
    ...messages,
    { role: "assistant", content: first.answer.whole.slice(0, MAX_CITED_TEXT).toWellFormed() || "…", toolCalls: [] },
    { role: "user", content: await correctionFor(first, writing) },
  ];
  try {
    const why = fault === null ? "Not all that the report says is in its quotes" : "The answer cannot be used as it is";
    context.display.restart(`${why}; the model corrects it.`);
    return await ask(correction, context, writing);
  } catch (thrown) {
    writing.effects.signal.throwIfAborted();
    if (!isWorthShowing(first, writing.view)) throw thrown;
    return null;
  }
}

function correctionFor(first: Read, { prompts }: Writing): Promise<string> {
  const { fault } = first.answer;
  if (fault !== null) return prompts("messages/component-correction", { faults: `- ${fault}` });
  return prompts("messages/writer-correction", { faults: formatFaults(first) || "- No sentence has a citation." });
}

async function ask(messages: readonly ChatMessage[], context: WritingContext, writing: Writing): Promise<Read> {
  const { known, display } = context;
  const { view, models, model, effects, writer, since } = writing;
  const request = {
    model: modelOf(models, writer.role),
    messages,
    tools: [],
    toolChoice: "none" as const,
    schema: writer.schema,
    maxOutputTokens: models.maxOutputTokens,
    stopTools: [],
  };
  const reply: ChatReply = await model.complete(
    request,
    {
      node: writer.node,
      limits: view.limits,
      models,
      purpose: "write",
      ...(view.modelUnreachable && { tries: 1 }),
      ...(view.timeoutMs !== undefined && { timeoutMs: view.timeoutMs - effects.elapsedMs(since) }),
      shown: { reasoning: () => createOutputFilter(known), known },
      onContent: (piece) => display.push(piece),
      restart: () => display.restart("Text shown so far, if any, is taken back."),
    },
    effects,
  );
  await display.end();
  const answer = await finishInTurns(writer.read(reply, known), effects.signal);
  const cutOff = CUT_OFF.includes(reply.finishReason) || answer.cutOff === true;
  const report = await finishInTurns(readReport(answer.text, context, cutOff), effects.signal);
  const lost = FINAL_FAULTS[reply.finishReason];
  if (lost !== undefined && countChecked(report) === 0) throw new DossierError("model_output", lost);
  return { ...report, answer, finishReason: reply.finishReason };
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

import { budgetOf } from "../domain/budget.ts";
import { type ChatMessage, estimateTokens } from "../domain/chat.ts";
import { fittingTokens } from "../domain/failures.ts";
import type { WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../domain/ports/models.ts";
import type { Models } from "../domain/request.ts";
import type { DossierError } from "../errors.ts";
import { addressesIn } from "../evidence/address-detection.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import type { StreamContext } from "./cited-prose.ts";
import { publisherOf } from "./passages.ts";
import { lastTurns } from "./prompt-text.ts";
import type { TextDisplay, TextRole } from "./text-role.ts";

/** The share of the free tokens that is used, because token estimates may be too low. */
const USED_SHARE = 0.9;
const ANSWER_SHARE = 0.3;

export interface WriteRequest {
  readonly view: WritingView;
  readonly models: Models;
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
  readonly writer: TextRole;
}

/** A text that a model is about to write, with the passages that it is shown. */
export interface PreparedText extends WriteRequest {
  readonly effects: Effects;
  /** The time of the run clock when the writing began. */
  readonly since: number;
  readonly passages: readonly Evidence[];
  readonly messages: readonly ChatMessage[];
  readonly context: StreamContext;
  readonly display: TextDisplay | null;
}

/** Chooses the passages that fit into the model's context; null if there are none. */
export async function prepareText(request: WriteRequest, effects: Effects): Promise<PreparedText | null> {
  const { view, writer } = request;
  if (view.readings.length === 0) return null;
  const since = effects.now();
  const before: ChatMessage[] = [{ role: "system", content: await writer.system() }, ...lastTurns(view.history)];
  const passages = await writer.choose(passageTokens(request, before, effects), effects);
  return passages.length === 0 ? null : showPassagesTo({ ...request, effects, since }, passages, before);
}

/** The same text from fewer passages, for a model whose context is smaller than counted on. Null if no passage fits. */
export async function shortenText({ passages, messages, ...request }: PreparedText, error: DossierError): Promise<PreparedText | null> {
  const size = passages.reduce((sum, { text, start, end }) => sum + estimateTokens(text.slice(start, end)), 0);
  const whole = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  const fitting = await request.writer.choose(fittingTokens(whole, error) - (whole - size), request.effects);
  return fitting.length === 0 ? null : showPassagesTo(request, fitting, messages.slice(0, -1));
}

async function showPassagesTo(
  request: WriteRequest & Pick<PreparedText, "effects" | "since">,
  passages: readonly Evidence[],
  before: readonly ChatMessage[],
): Promise<PreparedText> {
  const { view, writer, effects } = request;
  const messages: ChatMessage[] = [...before, { role: "user", content: await writer.userMessage(passages) }];
  const context = streamContext(passages, view);
  return { ...request, passages, messages, context, display: writer.openDisplay(context, effects) };
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

function knownAddresses({ question, readings }: WritingView): string[] {
  const found = readings
    .flatMap(({ hit, document }) => [hit.url, document.url, hit.publication?.fullTextUrl ?? ""])
    .filter((url) => url !== "");
  return [...found, ...addressesIn(question)];
}

import { budgetOf } from "../domain/budget.ts";
import { type ChatMessage, estimateTokens } from "../domain/chat.ts";
import { fittingTokens } from "../domain/failures.ts";
import type { WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { Models } from "../domain/request.ts";
import type { DossierError } from "../errors.ts";
import { addressesIn } from "../evidence/address-filter.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { type ModelDeps, promptOf } from "./call-model.ts";
import { publisherOf } from "./passages.ts";
import type { TextContext } from "./read-text.ts";
import type { TextRole } from "./text-roles.ts";

/** The share of the free tokens that is used, because token estimates may be too low. */
const USED_SHARE = 0.9;
const ANSWER_SHARE = 0.3;

export interface WriteRequest extends ModelDeps {
  readonly view: WritingView;
  readonly models: Models;
  readonly role: TextRole;
}

/** A text that a model is about to write, with the passages that it is shown. */
export interface PreparedText extends WriteRequest {
  /** The time of the run clock when the writing began. */
  readonly since: number;
  readonly passages: readonly Evidence[];
  readonly messages: readonly ChatMessage[];
  readonly context: TextContext;
}

/** Chooses the passages that fit into the model's context; null if there are none. */
export async function prepareText(request: WriteRequest, effects: Effects): Promise<PreparedText | null> {
  const { view, models, role, prompts } = request;
  if (view.readings.length === 0) return null;
  const since = effects.now();
  const messages = await promptOf(role.name, view, await messageOf(request, []), prompts, role.places);
  const left = budgetOf(view.limits, effects).tokensLeft;
  const answerTokens = Math.min(models.maxOutputTokens, left * ANSWER_SHARE);
  const room = Math.min(models.contextTokens - models.maxOutputTokens, left - answerTokens) * USED_SHARE;
  const passages = await role.choose(Math.max(0, Math.floor(room - tokensOf(messages))), effects);
  return passages.length === 0 ? null : withPassages({ ...request, since, messages }, passages);
}

/** The same text from fewer passages, for a model whose context is smaller than counted on. Null if no passage fits. */
export async function shortenText(text: PreparedText, error: DossierError, effects: Effects): Promise<PreparedText | null> {
  const size = text.passages.reduce((sum, { text: whole, start, end }) => sum + estimateTokens(whole.slice(start, end)), 0);
  const all = tokensOf(text.messages);
  const fitting = await text.role.choose(fittingTokens(all, error) - (all - size), effects);
  return fitting.length === 0 ? null : withPassages(text, fitting);
}

/** Puts passages into the last message. */
async function withPassages(
  text: WriteRequest & Pick<PreparedText, "since" | "messages">,
  passages: readonly Evidence[],
): Promise<PreparedText> {
  const content = await messageOf(text, passages);
  const messages: ChatMessage[] = [...text.messages.slice(0, -1), { role: "user", content }];
  return { ...text, passages, messages, context: contextOf(passages, text.view) };
}

function messageOf({ view, role, prompts }: WriteRequest, passages: readonly Evidence[]): Promise<string> {
  return prompts(`messages/${role.message}`, { ...role.values(passages), question: view.question });
}

function tokensOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

function contextOf(passages: readonly Evidence[], view: WritingView): TextContext {
  const { question, language, readings, showsUnsupported = false } = view;
  const evidence = new Map(passages.map((passage) => [passage.id, passage]));
  const names = [...new Set(readings.flatMap((reading) => publisherOf(reading) ?? []))];
  const found = readings.flatMap(({ hit, document }) => [hit.url, document.url, hit.publication?.fullTextUrl ?? ""]).filter(Boolean);
  const known = [...found, ...addressesIn(question)];
  return { evidence, known, names, question, language, showsUnverified: showsUnsupported };
}

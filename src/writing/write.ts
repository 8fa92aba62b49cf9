import type { ChatMessage } from "../domain/chat.ts";
import { modelFailureEntry } from "../domain/failures.ts";
import type { Analyst, Draft, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { LedgerEntry } from "../domain/report.ts";
import { type Models, modelOf } from "../domain/request.ts";
import { DossierError, toDossierError } from "../errors.ts";
import {
  askForText,
  beginCorrection,
  isWorthShowing,
  mayBeCorrected,
  type PreparedText,
  prepareText,
  type ReadText,
  readReply,
  shortenText,
  toDraft,
  type WriteRequest,
} from "./cited-draft.ts";
import type { ModelAnalystDeps } from "./rules-fallback.ts";
import { createWriterRole } from "./writer-role.ts";

export async function writeByModel(
  view: WritingView,
  models: Models,
  { model, rules, prompts }: ModelAnalystDeps,
  effects: Effects,
): Promise<Draft> {
  const writer = createWriterRole(view, prompts);
  return (await writeCitedText({ view, models, model, prompts, writer }, effects)) ?? writeUnsent(view, rules, effects);
}

/** Rules write if there is nothing to send: nothing was read, or no passage of it is relevant, which the ledger says. */
export async function writeUnsent(view: WritingView, rules: Pick<Analyst, "write">, effects: Effects): Promise<Draft> {
  const draft = await rules.write(view, effects);
  return { ...draft, ledger: [...(draft.ledger ?? []), ...unsentEntries(view, view.readings.length)] };
}

/** Says how many of the documents have no relevant passage, so that nothing of them was sent to a model. */
export function unsentEntries({ question, readings }: WritingView, unsent: number): LedgerEntry[] {
  if (unsent === 0) return [];
  const detail = `Not sent to the model, as no passage is relevant: ${unsent} of ${readings.length} documents.`;
  return [{ what: "rerank", source: "words", target: question, outcome: "nothing", results: 0, failure: null, detail, ms: 0 }];
}

/** Writes a cited text; null if nothing was read. @throws DossierError `model_output`; the errors of `ChatModel.complete` */
export async function writeCitedText(request: WriteRequest, effects: Effects): Promise<Draft | null> {
  const [written] = await writeCitedTexts([request], effects);
  if (written === undefined) return null;
  if (!written.ok) throw written.error;
  return written.value;
}

export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/**
 * Writes several cited texts, each with one call and at most one correction. The calls are made side by side; what is long work is done in
 * turns before and after them, because a result that is released between two turns would change the order of events. A text is null if
 * there was nothing to read for it.
 */
export async function writeCitedTexts(requests: readonly WriteRequest[], effects: Effects): Promise<Attempt<Draft | null>[]> {
  const texts: (Writing | null)[] = [];
  for (const request of requests) {
    const text = await prepareText(request, effects);
    texts.push(text && { text, first: null, second: null, ledger: [] });
  }
  const asked = texts.filter((writing) => writing !== null);
  await askFirst(asked, effects);
  await shortenLarge(asked, effects);
  await correctFaulty(asked, effects);
  const drafts: Attempt<Draft | null>[] = [];
  for (const writing of texts) drafts.push(await attempt(async () => writing && draftOf(writing), effects));
  return drafts;
}

interface Writing {
  text: PreparedText;
  first: Attempt<ReadText> | null;
  /** The correction; null if none is asked for. */
  second: Attempt<ReadText> | null;
  /** An entry for each time that the text was made shorter. */
  readonly ledger: LedgerEntry[];
}

async function askFirst(asked: readonly Writing[], effects: Effects): Promise<void> {
  const reads = await askAll(
    asked.map(({ text }) => ({ text, messages: text.messages })),
    effects,
  );
  for (const [index, writing] of asked.entries()) writing.first = reads[index] ?? null;
}

/** Each time a text has at most half of its tokens. */
const MAX_SHORTENINGS = 4;

async function shortenLarge(asked: readonly Writing[], effects: Effects): Promise<void> {
  for (let times = 0; times < MAX_SHORTENINGS; times += 1) {
    const shorter: Writing[] = [];
    for (const writing of asked) if (await shortenIfLarge(writing)) shorter.push(writing);
    if (shorter.length === 0) return;
    await askFirst(shorter, effects);
  }
}

async function shortenIfLarge(writing: Writing): Promise<boolean> {
  const error = writing.first?.ok === false ? toDossierError(writing.first.error) : null;
  if (error?.code !== "context_too_large") return false;
  const { models, writer, effects, since } = writing.text;
  const text = await shortenText(writing.text, error);
  if (text === null) return false;
  writing.text = text;
  writing.ledger.push(modelFailureEntry({ model: modelOf(models, writer.role), target: "prompt", error, ms: effects.elapsedMs(since) }));
  return true;
}

async function correctFaulty(asked: readonly Writing[], effects: Effects): Promise<void> {
  const faulty: Writing[] = [];
  const corrections: Question[] = [];
  for (const writing of asked) {
    const { text, first } = writing;
    if (first?.ok !== true || !mayBeCorrected(first.value, text)) continue;
    faulty.push(writing);
    corrections.push({ text, messages: await beginCorrection(first.value, text) });
  }
  const reads = await askAll(corrections, effects);
  for (const [index, writing] of faulty.entries()) writing.second = reads[index] ?? null;
}

interface Question {
  readonly text: PreparedText;
  readonly messages: readonly ChatMessage[];
}

async function askAll(questions: readonly Question[], effects: Effects): Promise<Attempt<ReadText>[]> {
  const replies = await Promise.all(questions.map(({ text, messages }) => attempt(() => askForText(text, messages), effects)));
  const reads: Attempt<ReadText>[] = [];
  for (const [index, { text }] of questions.entries()) {
    const reply = replies[index];
    if (reply !== undefined) reads.push(reply.ok ? await attempt(() => readReply(text, reply.value), effects) : reply);
  }
  return reads;
}

/** A correction that fails leaves the first text, if that is worth showing. */
async function draftOf(writing: Writing): Promise<Draft | null> {
  const [shortened] = writing.ledger;
  try {
    return await readDraft(writing);
  } catch (thrown) {
    if (shortened === undefined) throw thrown;
    // Rules may write instead, and their ledger has only the last error.
    const { code, message } = toDossierError(thrown);
    throw new DossierError(code, `${message} ${shortened.detail}`, { cause: thrown });
  }
}

async function readDraft({ text, first, second, ledger }: Writing): Promise<Draft | null> {
  if (first === null) return null;
  if (!first.ok) throw first.error;
  if (second?.ok === false && !isWorthShowing(first.value, text.view)) throw second.error;
  const draft = await toDraft(first.value, second?.ok ? second.value : null, second !== null, text);
  return ledger.length === 0 ? draft : { ...draft, ledger: [...ledger, ...(draft.ledger ?? [])] };
}

/** @throws the reason if the run was stopped */
async function attempt<T>(work: () => Promise<T>, effects: Effects): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    effects.signal.throwIfAborted();
    return { ok: false, error };
  }
}

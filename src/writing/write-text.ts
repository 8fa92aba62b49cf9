import type { ChatMessage, ChatReply } from "../domain/chat.ts";
import { modelFailureEntry } from "../domain/failures.ts";
import type { Draft } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { checkedAnswers, isChecked, type LedgerEntry, statedAnswers } from "../domain/report.ts";
import { modelOf } from "../domain/request.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { askAgain, callModel, FINAL_FAULTS } from "./call-model.ts";
import { checkSupport } from "./check-support.ts";
import { createDraftDisplay, createSummaryDisplay, type TextDisplay } from "./draft-display.ts";
import { KNOWN_LINES } from "./missing-lines.ts";
import { type PreparedText, prepareText, shortenText, type WriteRequest } from "./prepare-text.ts";
import { short } from "./prompt-text.ts";
import { computeReport, NO_ANSWER, type ReadReport, readWritten, SUMMARY_FORMAT, type WrittenText } from "./read-text.ts";
import { WRITING_NODE } from "./text-roles.ts";

interface ReadText extends ReadReport, WrittenText {
  readonly reply: ChatReply;
}

interface Writing {
  readonly text: PreparedText;
  readonly display: TextDisplay | null;
  readonly effects: Effects;
}

/** Each time a text has at most half of its tokens. */
const MAX_SHORTENINGS = 4;

/**
 * Writes a cited text with one call, more if it is too large for the model, and at most one correction. Returns null if there is nothing to
 * read for it. @throws DossierError `model_output`; the errors of `ChatModel.complete`
 */
export async function writeText(request: WriteRequest, effects: Effects): Promise<Draft | null> {
  const prepared = await prepareText(request, effects);
  if (prepared === null) return null;
  const shortenings: LedgerEntry[] = [];
  const { writing, first } = await writeFitting(prepared, shortenings, effects);
  const { text, display } = writing;
  const second = await correct(first, writing);
  const best = second === null ? first : betterOf(first, second);
  const said = { missing: best.missing, ...(best.named && best.named.length > 0 && { named: best.named }) };
  if (best.noAnswer !== null) {
    display?.finish?.({ text: "", answers: "not", missing: best.missing });
    return { claims: [], citations: [], reason: best.noAnswer || null, answers: "not", ...said };
  }
  if (!isWorthShowing(best, text)) throw new DossierError("model_output", faultOf(best));
  const answers = checkedAnswers(best.answers, best.claims);
  display?.finish?.({ ...best, answers });
  const { claims, blocks, ledger } = await checkSupport(best, text, effects);
  const all = [...shortenings, ...ledger];
  const { citations, struck, isCut, cutOff } = best;
  const checked = { claims, citations, blocks, struck, reason: null, answers: checkedAnswers(answers, claims), cutOff: isCut || cutOff };
  return { ...checked, ...said, ...(all.length > 0 && { ledger: all }) };
}

/** Asks for the text, again from fewer passages if it is too large for the model. Adds an entry for each time that it was. */
async function writeFitting(text: PreparedText, ledger: LedgerEntry[], effects: Effects): Promise<{ writing: Writing; first: ReadText }> {
  const writing = { text, display: openDisplay(text, effects), effects };
  try {
    return { writing, first: await askAndRead(text.messages, writing) };
  } catch (thrown) {
    effects.signal.throwIfAborted();
    const error = toDossierError(thrown);
    const mayFit = error.code === "context_too_large" && ledger.length < MAX_SHORTENINGS;
    const shorter = mayFit ? await shortenText(text, error, effects) : null;
    if (shorter === null) throw thrown;
    const ms = effects.elapsedMs(text.since);
    ledger.push(modelFailureEntry({ model: modelOf(text.models, text.role.name), target: "prompt", error, ms }));
    return writeFitting(shorter, ledger, effects);
  }
}

function openDisplay({ role: { isNotes, isComponent, part }, context }: PreparedText, effects: Effects): TextDisplay | null {
  if (isNotes) return null;
  return isComponent ? createSummaryDisplay(context, effects) : createDraftDisplay(context, effects, part);
}

async function askAndRead(messages: readonly ChatMessage[], { text, display, effects }: Writing): Promise<ReadText> {
  const { view, models, model, role, since, context } = text;
  const asking = {
    ...{ view, models, messages, since, role: role.name, node: WRITING_NODE, purpose: role.purpose ?? "write", known: context.known },
    ...(role.isComponent && { schema: { name: SUMMARY_FORMAT.name, schema: SUMMARY_FORMAT.wire } }),
    ...(view.modelUnreachable && { tries: 1 }),
    onContent: (piece: string) => display?.push(piece),
    restart: () => display?.restart("Text shown so far, if any, is taken back."),
  };
  const reply = await callModel(asking, model, effects);
  display?.end?.();
  return readReply(reply, text, effects);
}

async function readReply(reply: ChatReply, { view, role, context, passages }: PreparedText, effects: Effects): Promise<ReadText> {
  const written = readWritten(reply, role.isComponent === true);
  const lines = written.missing.map((line) => sanitizeText(line, context.known).trim()).filter((line) => line !== "");
  const shown = passages.map(({ text, start, end }) => text.slice(start, end));
  const { question, today, systemContext, history } = view;
  const todos = (role.todos ?? []).map(({ todo }) => todo);
  const missing = await effects.compute(KNOWN_LINES, lines, { question, today, systemContext, history }, shown, todos);
  // A summary without an answer has its reason there.
  const isEmpty = written.text === NO_ANSWER;
  const own = isEmpty ? { text: `${NO_ANSWER}: ${missing.join(" ")}` } : (role.textIn?.(written.text) ?? {});
  const whole = { ...written, ...own };
  const report = await computeReport(whole.text, context, effects);
  const lost = FINAL_FAULTS[reply.finishReason];
  if (lost !== undefined && countChecked(report) === 0) throw new DossierError("model_output", lost);
  const cutOff = CUT_OFF.includes(reply.finishReason) || written.cutOff;
  return { ...whole, ...report, reply, missing, answers: statedAnswers(written.answers, missing), cutOff };
}

/** Returns a second text if the first one has faults that the model can mend. If that fails, the first one stays if it is worth showing. */
async function correct(first: ReadText, { text, display, effects }: Writing): Promise<ReadText | null> {
  const { fault, reply } = first;
  if (fault === null && (text.role.isNotes || isFinal(first) || !needsCorrection(first))) return null;
  const faults = fault === null ? formatFaults(first) || "- No sentence has a citation." : `- ${fault}`;
  display?.restart(
    `${fault === null ? "Not all that the report says is in its quotes" : "The answer cannot be used as it is"}; the model corrects it.`,
  );
  const template = fault === null ? "writer-correction" : "component-correction";
  const messages = await askAgain(text.messages, reply, template, faults, text.prompts);
  try {
    return await askAndRead(messages, { text, display, effects });
  } catch (thrown) {
    effects.signal.throwIfAborted();
    if (first.noAnswer !== null || !isWorthShowing(first, text)) throw thrown;
    return null;
  }
}

/** Whether the server ended the text, so that a second one would end as early. An empty text is asked for again after `length`. */
function isFinal({ reply: { finishReason }, claims }: ReadText): boolean {
  return FINAL_FAULTS[finishReason] !== undefined || (finishReason === "length" && claims.length > 0);
}

function isWorthShowing(report: ReadText, { view }: PreparedText): boolean {
  return countChecked(report) > 0 || (view.showsUnsupported === true && report.claims.length > 0);
}

function faultOf({ fault, text }: ReadText): string {
  if (fault !== null) return `The model's report cannot be used: ${fault}`;
  return text.trim() === "" ? "The model's report is empty." : "No sentence of the model's report has a citation that holds.";
}

const CUT_OFF: readonly ChatReply["finishReason"][] = ["length", "content_filter", "repetition"];
function countChecked({ claims }: Pick<ReadReport, "claims">): number {
  return claims.filter(isChecked).length;
}

function countUnverified({ claims }: ReadReport): number {
  return claims.filter(({ support }) => support === "unverified").length;
}

/** Chooses the text with more checked sentences, then with fewer struck ones, then with fewer unverified ones, then the later one. */
function betterOf<Report extends ReadReport>(first: Report, second: Report): Report {
  const [checked, struck] = [countChecked(first) - countChecked(second), second.struck.length - first.struck.length];
  const isWorse = (checked || struck || countUnverified(second) - countUnverified(first)) > 0;
  return isWorse && (second.noAnswer === null || checked > 0) ? first : second;
}

/** Faults that a second text of the model cannot mend. */
const LASTING: readonly string[] = ["too_long", "model_disagrees"];
const MAX_FAULTS = 20;
const MAX_WORDS = 300;

/**
 * Whether a second text may be better: the model can mend a fault, and a sentence that is shown is unverified or at least as many
 * sentences are struck as shown.
 */
function needsCorrection(report: ReadReport): boolean {
  if (report.noAnswer !== null) return false;
  if (countChecked(report) === 0) return true;
  const isAllChecked = countUnverified(report) === 0 && report.struck.length < report.claims.length;
  return !isAllChecked && report.faults.some(({ why }) => !LASTING.includes(why));
}

/** Names each fault once by its code, a line each. The prompt of the correction says what the codes mean. */
function formatFaults({ faults }: ReadReport): string {
  const lines = faults.map(({ why, words, sentence, marker }) => {
    const where = [sentence, marker]
      .filter(Boolean)
      .map((text) => short(text, MAX_WORDS))
      .join(" ");
    return `- ${where}: ${why}${words === "" ? "" : ` (${short(words, MAX_WORDS)})`}`;
  });
  return [...new Set(lines)].slice(0, MAX_FAULTS).join("\n");
}

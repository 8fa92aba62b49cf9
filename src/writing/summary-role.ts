import { type ChatReply, estimateTokens } from "../domain/chat.ts";
import { SummaryResponseSchema } from "../domain/components.ts";
import type { TodoStatus } from "../domain/plan.ts";
import type { Executed, SummaryView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import { type Citation, formatUnanswered, statedAnswers } from "../domain/report.ts";
import { readClosingLines } from "../evidence/closing-lines.ts";
import { fence } from "../evidence/data-fence.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { createDetailCheck } from "../evidence/unknown-references.ts";
import { languageName } from "../ranking/language.ts";
import { fieldsOf, textOf } from "../util/json-fields.ts";
import { finish, type LongWork } from "../util/turns.ts";
import { CitedProseFilter, type StreamContext } from "./cited-prose.ts";
import { formatOf } from "./components/component-format.ts";
import type { PropFilter } from "./components/fit-props.ts";
import { readComponent } from "./components/read-component.ts";
import { ComponentDisplay, createPropFilter, GrowingProps } from "./components/shown-component.ts";
import { readNoAnswer } from "./no-answer.ts";
import { fitNotes, formatNoted, type Noted, showNotes, shownNotes } from "./notes.ts";
import { selectPassages, showPassages } from "./passages.ts";
import { short } from "./prompt-text.ts";
import { type CitedAnswer, type ReportDisplay, TEXT_OF_PASSAGES, type WriterRole } from "./writer-role.ts";

export const SUMMARY = { model: "summary", prompt: "summary", stage: "summarise", component: SummaryResponseSchema } as const;

/** Shows the summary while the model writes it: whole sections, once they are checked. */
function createSummaryDisplay(context: StreamContext, effects: Effects): ReportDisplay {
  const readText = (): PropFilter => createAnswerFilter(context);
  const component = new ComponentDisplay(
    { node: SUMMARY.stage, format: SUMMARY_FORMAT, readText, deferredKeys: ["answers", "missing"] },
    effects,
  );
  return {
    push: (piece) => component.push(piece),
    // `finish` ends the display, because a correction may replace this answer.
    end: async () => {},
    restart: (reason) => component.restart(reason),
    finish({ text, answers, missing }, last) {
      if (!last) component.restart("More sentences of the first answer are checked, so it is used.");
      const isNoAnswer = readNoAnswer(text) !== null;
      const answer = isNoAnswer ? "" : createAnswerFilter(context)(text, true, "answer").trim();
      component.end({ answer, answers: isNoAnswer ? "not" : answers, missing: [...missing] });
    },
  };
}

/** Filters `answer` with CitedProseFilter, and all other strings as in any component. */
function createAnswerFilter(context: StreamContext): PropFilter {
  const clean = createPropFilter(context.known);
  const prose = new CitedProseFilter(context);
  let read = "";
  let shown = "";
  let over = false;
  return (text, ended, path) => {
    if (path !== "answer") return clean(text, ended, path);
    if (over || !text.startsWith(read)) return shown;
    shown += prose.push(text.slice(read.length)).join("");
    read = text;
    if (ended) shown += finish(prose.end()).join("");
    over = ended;
    return shown;
  };
}

const MAX_CLAIMS = 12;
const MAX_CLAIM_LENGTH = 300;
/** Limits the findings of all todos in the prompt together. */
const MAX_FINDING_TOKENS = 6_000;
export const SUMMARY_FORMAT = formatOf(SUMMARY.component);

/**
 * Returns the role that writes the answer to all todos: a component whose `answer` cites passages, or the words that notes quote. With
 * notes, it is shown the first of them that fit.
 */
export function createSummaryRole(view: SummaryView, notes: readonly Noted[], prompts: RenderPrompt): WriterRole {
  const { question, readings, systemContext, today, executed } = view;
  const places = { language: languageName(view), today, systemContext, form: SUMMARY_FORMAT.sketch };
  const citations = executed.flatMap(({ findings }) => findings.citations);
  const passagesAndTodos = (shown: readonly Evidence[]): { passages: string; todos: string } => {
    if (notes.length === 0) return { passages: showPassages(shown, readings), todos: formatExecuted(executed, shown) };
    const chosen = shownNotes(notes, shown);
    return { passages: showNotes(chosen), todos: formatNoted(view, chosen) };
  };
  return {
    role: SUMMARY.model,
    node: SUMMARY.stage,
    schema: { name: SUMMARY_FORMAT.name, schema: SUMMARY_FORMAT.wire },
    ...TEXT_OF_PASSAGES,
    choose: async (tokens, signal) =>
      notes.length > 0 ? fitNotes(notes, tokens).map(({ evidence }) => evidence) : selectPassages(view, tokens, signal, citations),
    otherTokens: Math.min(
      MAX_FINDING_TOKENS,
      estimateTokens(executed.map(({ todo, findings }) => allText(todo.description, findings)).join("\n")),
    ),
    system: () => prompts(SUMMARY.prompt, places, view.prompts),
    userMessage: (shown) => prompts("messages/summary-passages", { ...passagesAndTodos(shown), question }),
    openDisplay: createSummaryDisplay,
    *read(reply, known) {
      return yield* withMissing(yield* readSummary(reply, known), view);
    },
  };
}

function* readSummary({ content, finishReason }: ChatReply, known: readonly string[]): LongWork<CitedAnswer> {
  const clean = createPropFilter(known);
  const readText: PropFilter = (text, ended, path) => (path === "answer" ? text : clean(text, ended, path));
  const reading = readComponent(content, SUMMARY_FORMAT, readText, finishReason !== "stop");
  if (reading.ok) {
    const { props } = reading;
    const { text, answers, missing } = yield* readClosingLines(props.answer);
    const all = [...props.missing, ...missing.map((line) => clean(line, true, "missing"))].filter((line) => line !== "");
    const said = { whole: content, fault: null, answers: props.answers ?? answers, missing: all };
    return { text: text === "" ? noAnswer(all) : text, ...said };
  }
  if (!content.includes("{")) {
    const { text, answers, missing } = yield* readClosingLines(content);
    const all = [readNoAnswer(text) ?? "", ...missing].map((line) => clean(line, true, "missing")).filter((line) => line !== "");
    return { text, whole: content, fault: null, answers, missing: all };
  }
  const begun = reading.cut ? beginningOf(content) : "";
  // The token limit would cut off a second answer too, so the beginning of this one is used without a correction.
  const fault = begun === "" || finishReason === "stop" ? reading.fault : null;
  return { text: begun, whole: content, fault, answers: null, missing: [], cutOff: reading.cut };
}

function beginningOf(content: string): string {
  const growing = new GrowingProps(SUMMARY_FORMAT, (text) => text);
  growing.push(content);
  growing.parseNow();
  return textOf(fieldsOf(growing.shown)["answer"]);
}

function* withMissing(answer: CitedAnswer, view: SummaryView): LongWork<CitedAnswer> {
  if (answer.fault !== null && answer.text === "") return answer;
  yield;
  const missing = yield* missingLines(answer.missing, view);
  const text = readNoAnswer(answer.text) === null ? answer.text : noAnswer(missing);
  return { ...answer, text, answers: statedAnswers(answer.answers, missing), missing };
}

function noAnswer(missing: readonly string[]): string {
  return `NO ANSWER: ${missing.join(" ")}`;
}

function formatExecuted(executed: readonly Executed[], passages: readonly Evidence[]): string {
  let room = MAX_FINDING_TOKENS;
  const texts = executed.map(({ todo, findings }) => {
    const { id, description, status, feedback } = todo;
    const lines = [...formatClaims(findings, passages), ...formatUnsourced(todo, findings)].filter((line) => {
      room -= estimateTokens(line);
      return room > 0;
    });
    const { reason } = findings;
    const why = reason !== null && feedback?.includes(reason) ? [feedback] : [feedback, reason];
    const open = status === "completed" ? (feedback ?? "") : why.filter(Boolean).join(" ");
    const told = short(open, MAX_CLAIM_LENGTH);
    const found = lines.join("\n") || "nothing";
    return fence(id, `${description}\n${status}${told === "" ? "" : `: ${told}`}\n${found}`);
  });
  return texts.join("\n") || "nothing";
}

function formatClaims({ claims, citations }: Executed["findings"], passages: readonly Evidence[]): string[] {
  const byId = new Map(citations.map((citation) => [citation.id, citation]));
  return claims.slice(0, MAX_CLAIMS).flatMap(({ text, citations: ids }) => {
    const cited = ids.flatMap((id) => byId.get(id) ?? []).flatMap((citation) => markerOf(citation, passages));
    const words = cited.length === 1 && text === byId.get(ids[0] ?? 0)?.quote ? "" : `${short(text, MAX_CLAIM_LENGTH)} `;
    return cited.length === 0 ? [] : [`- ${words}${cited.join(" ")}`];
  });
}

function formatUnsourced({ status, result }: Executed["todo"], { claims, citations }: Executed["findings"]): string[] {
  if (status !== "completed" || citations.length > 0) return [];
  const texts = claims.slice(0, MAX_CLAIMS).map(({ text }) => text);
  return (texts.length > 0 ? texts : [result ?? ""]).filter(Boolean).map((text) => `- (no source) ${short(text, MAX_CLAIM_LENGTH)}`);
}

function markerOf({ contentHash, start, end, quote }: Citation, passages: readonly Evidence[]): string[] {
  const of = passages.find((one) => one.contentHash === contentHash && one.start <= start && end <= one.end);
  return of === undefined ? [] : [`[${of.id}: “${short(quote, MAX_CLAIM_LENGTH)}”]`];
}

function allText(description: string, { claims, citations }: Executed["findings"]): string {
  const quotes = citations.map(({ quote }) => quote.slice(0, MAX_CLAIM_LENGTH));
  return [description, ...claims.slice(0, MAX_CLAIMS).map(({ text }) => text.slice(0, MAX_CLAIM_LENGTH)), ...quotes].join("\n");
}

const UNANSWERED: readonly TodoStatus[] = ["failed", "skipped"];
const MAX_FEEDBACK_LENGTH = 300;
const MAX_LINE_LENGTH = 1_000;

/** Returns the model's lines, then failed and skipped todos it omits. Drops lines with new details, which pages may have planted. */
export function* missingLines(
  lines: readonly string[],
  { question, executed }: Pick<SummaryView, "question" | "executed">,
): LongWork<string[]> {
  const known = [question, ...executed.flatMap(({ todo }) => [todo.id, todo.description, todo.doneCriteria, ...todo.keyFacts])];
  const cut = lines.map((line) => line.slice(0, MAX_LINE_LENGTH).toWellFormed());
  const hasUnknownDetails = yield* createDetailCheck(known);
  yield;
  const kept: string[] = [];
  for (const sentence of cut) {
    if (sentence.trim() !== "" && !hasUnknownDetails(sentence)) kept.push(sentence);
    yield;
  }
  const open = executed.filter(
    ({ todo }) => UNANSWERED.includes(todo.status) && !kept.some((sentence) => sentence.includes(todo.description)),
  );
  return [
    ...kept,
    ...open.map(({ todo: { description, feedback } }) => {
      const why = short(feedback ?? "", MAX_FEEDBACK_LENGTH);
      return why === "" || hasUnknownDetails(why) ? description : formatUnanswered(description, why);
    }),
  ];
}

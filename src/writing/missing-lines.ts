import type { TodoStatus } from "../domain/plan.ts";
import type { Executed, SummaryView, WritingView } from "../domain/ports/analyst.ts";
import { formatUnanswered } from "../domain/report.ts";
import { createDetailCheck, keepKnownLines } from "../evidence/unknown-references.ts";
import type { LongWork } from "../util/turns.ts";
import { short } from "./prompt-text.ts";

const UNANSWERED: readonly TodoStatus[] = ["failed", "skipped"];
const MAX_FEEDBACK_LENGTH = 300;
const MAX_LINE_LENGTH = 1_000;

/** Keeps the lines whose details stand in the question, the documents or the conversation. Pages may have planted others. */
export function missingInDocuments(lines: readonly string[], addresses: readonly string[], view: WritingView): LongWork<string[]> {
  const { question, history, readings, systemContext, today } = view;
  const texts = [question, today, systemContext, ...history.flatMap((turn) => [turn.question, turn.answer])];
  return keepKnownLines(lines, { texts, addresses, documents: readings.map(({ document }) => document.text) });
}

/** Returns the model's lines, then failed and skipped todos it omits. Drops lines with new details, which pages may have planted. */
export function* missingOfTodos(
  lines: readonly string[],
  { question, executed }: Pick<SummaryView, "question" | "executed">,
): LongWork<string[]> {
  const known = [question, ...executed.flatMap(({ todo }) => [todo.id, todo.description, todo.doneCriteria, ...todo.keyFacts])];
  const hasUnknownDetails = yield* createDetailCheck(known);
  yield;
  const kept: string[] = [];
  for (const line of lines.map((one) => one.slice(0, MAX_LINE_LENGTH).toWellFormed())) {
    if (!hasUnknownDetails(line)) kept.push(line);
    yield;
  }
  const isOpen = ({ todo }: Executed): boolean =>
    UNANSWERED.includes(todo.status) && !kept.some((sentence) => sentence.includes(todo.description));
  const open = executed.filter(isOpen).map(({ todo: { description, feedback } }) => {
    const why = short(feedback ?? "", MAX_FEEDBACK_LENGTH);
    return why === "" || hasUnknownDetails(why) ? description : formatUnanswered(description, why);
  });
  return [...kept, ...open];
}

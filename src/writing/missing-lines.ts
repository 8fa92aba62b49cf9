import type { TodoStatus } from "../domain/plan.ts";
import type { Executed, SummaryView, WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { formatUnanswered } from "../domain/report.ts";
import { createDetailCheck, KNOWN_LINES } from "../evidence/unknown-references.ts";
import { short } from "./prompt-text.ts";

const UNANSWERED: readonly TodoStatus[] = ["failed", "skipped"];
const MAX_FEEDBACK_LENGTH = 300;
const MAX_LINE_LENGTH = 1_000;

/** Keeps the lines whose details stand in the question, the documents or the conversation. Pages may have planted others. */
export function missingInDocuments(
  lines: readonly string[],
  addresses: readonly string[],
  view: WritingView,
  effects: Pick<Effects, "compute">,
): Promise<string[]> {
  const { question, history, readings, systemContext, today } = view;
  const texts = [question, today, systemContext, ...history.flatMap((turn) => [turn.question, turn.answer])];
  return effects.compute(KNOWN_LINES, lines, { texts, addresses, documents: readings.map(({ document }) => document.text) });
}

/** Returns the model's lines, then failed and skipped todos it omits. Drops lines with new details, which pages may have planted. */
export function missingOfTodos(lines: readonly string[], { question, executed }: Pick<SummaryView, "question" | "executed">): string[] {
  const known = [question, ...executed.flatMap(({ todo }) => [todo.id, todo.description, todo.doneCriteria, ...todo.keyFacts])];
  const hasUnknownDetails = createDetailCheck(known);
  const kept = lines.map((line) => line.slice(0, MAX_LINE_LENGTH).toWellFormed()).filter((line) => !hasUnknownDetails(line));
  const isOpen = ({ todo }: Executed): boolean =>
    UNANSWERED.includes(todo.status) && !kept.some((sentence) => sentence.includes(todo.description));
  const open = executed.filter(isOpen).map(({ todo: { description, feedback } }) => {
    const why = short(feedback ?? "", MAX_FEEDBACK_LENGTH);
    return why === "" || hasUnknownDetails(why) ? description : formatUnanswered(description, why);
  });
  return [...kept, ...open];
}

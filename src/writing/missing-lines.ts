import { computation } from "../domain/computation.ts";
import type { Todo, TodoStatus } from "../domain/plan.ts";
import type { QuestionView } from "../domain/ports/analyst.ts";
import { formatUnanswered } from "../domain/report.ts";
import { createDetailCheck } from "../evidence/unknown-references.ts";
import { short } from "./prompt-text.ts";

const UNANSWERED: readonly TodoStatus[] = ["failed", "skipped"];
const MAX_FEEDBACK_LENGTH = 300;
const MAX_LINE_LENGTH = 1_000;

type Asked = Pick<QuestionView, "question" | "today" | "systemContext" | "history">;

/**
 * Returns the lines that say what is missing, then the todos without an answer that they omit. Drops lines with figures and addresses that stand
 * neither in the question, the conversation, the todos nor in `shown`: pages may have planted them.
 */
export function keepKnownLines(lines: readonly string[], view: Asked, shown: readonly string[], todos: readonly Todo[] = []): string[] {
  if (lines.length === 0 && todos.length === 0) return [];
  const asked = todos.flatMap(({ id, description, doneCriteria, keyFacts }) => [id, description, doneCriteria, ...keyFacts]);
  const hasUnknownDetails = createDetailCheck([...toldIn(view), ...asked, ...shown]);
  const kept = lines.map((line) => line.slice(0, MAX_LINE_LENGTH).toWellFormed()).filter((line) => !hasUnknownDetails(line));
  const isOpen = ({ status, description }: Todo): boolean =>
    UNANSWERED.includes(status) && !kept.some((line) => line.includes(description));
  const open = todos.filter(isOpen).map(({ description, feedback }) => {
    const why = short(feedback ?? "", MAX_FEEDBACK_LENGTH);
    return why === "" || hasUnknownDetails(why) ? description : formatUnanswered(description, why);
  });
  return [...kept, ...open];
}

function toldIn({ question, history, systemContext, today }: Asked): string[] {
  return [question, today, systemContext, ...history.flatMap((turn) => [turn.question, turn.answer])];
}

/** `keepKnownLines` as a computation. */
export const KNOWN_LINES = computation(
  import.meta.url,
  keepKnownLines,
  (lines, view, shown, todos = []) => (lines.length + todos.length) * [...toldIn(view), ...shown].join("").length,
  20_000,
);

import { openLine } from "../../../domain/open-line.ts";
import type { PlannedTodo, TodoStatus } from "../../../domain/plan.ts";
import type { SummaryView } from "../../../domain/ports/research-analyst.ts";
import { bringsNew } from "../../../evidence/brings-new.ts";
import { short } from "./tell.ts";

const OPEN: readonly TodoStatus[] = ["failed", "skipped"];
const MAX_FEEDBACK_LENGTH = 300;

/**
 * What could not be answered, a line each: of a model's sentences those that state nothing beyond the user's words and the todos; and each
 * todo that failed or was skipped and that none of them repeats, in its own words, with what was said of it. A model judged it and has
 * read pages: what that says is held to the same.
 */
export function openTodos(said: readonly string[], { question, executed }: Pick<SummaryView, "question" | "executed">): string[] {
  const known = [question, ...executed.flatMap(({ todo }) => wordsOf(todo))];
  const kept = said.filter((sentence) => sentence.trim() !== "" && !bringsNew(sentence, known));
  const open = executed.filter(({ todo }) => OPEN.includes(todo.status) && !kept.some((sentence) => sentence.includes(todo.description)));
  return [
    ...kept,
    ...open.map(({ todo: { description, feedback } }) => {
      const why = short(feedback ?? "", MAX_FEEDBACK_LENGTH);
      return why === "" || bringsNew(why, known) ? description : openLine(description, why);
    }),
  ];
}

function wordsOf({ id, description, doneCriteria, keyFacts }: PlannedTodo): string[] {
  return [id, description, doneCriteria, ...keyFacts];
}

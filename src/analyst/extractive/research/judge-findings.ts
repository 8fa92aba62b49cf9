import type { PlannedTodo } from "../../../domain/plan.ts";
import type { Findings, ResearchView } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import { answersTogether, type Bearing, bearOut, isAskedAgain, isLoosened, questionOf } from "./bears-out.ts";
import { splitQuestion } from "./split/split-question.ts";

interface Worked {
  readonly todo: PlannedTodo;
  readonly findings: Findings;
  /** How often it has been executed. */
  readonly rounds: number;
}

/**
 * What the findings of a todo say to it, and whether that answers it. The user's own question is answered by quotes alone, which rules
 * have weighed before: what an executor answers without a model, research answers as well. Where its parts were asked before, in vain,
 * one of the quotes has to answer them together.
 */
export function judgeFindings(
  { question, history }: Pick<ResearchView, "question" | "history">,
  { todo, findings, rounds }: Worked,
): { readonly bearing: Bearing; readonly answered: boolean } {
  const loosened = isLoosened(todo, rounds);
  const bearing = bearOut(questionOf(todo), findings);
  if (todo.description !== question.trim()) return { bearing, answered: bearing.holds };
  const earlier = history.map((turn) => turn.question);
  const parts = isAskedAgain(todo) ? splitQuestion(question, earlier) : [];
  if (parts.length < 2) return { bearing, answered: bearing.holds || (!loosened && isQuoted(findings)) };
  return { bearing, answered: isQuoted(findings) && answersTogether(question, parts, findings) };
}

/** Whether it is all quotes. */
function isQuoted({ claims, citations, reason }: Findings): boolean {
  const isQuote = ({ text, citations: ids }: DraftClaim): boolean => citations.some(({ id, quote }) => ids.includes(id) && quote === text);
  return reason === null && claims.length > 0 && claims.every((claim) => claim.supported && isQuote(claim));
}

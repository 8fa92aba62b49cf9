import type { PlannedTodo } from "../../../domain/plan.ts";
import type { Findings, ResearchView } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import { DossierError } from "../../../errors.ts";
import { answersTogether, type Bearing, bearOut, isAskedAgain, questionOf } from "./bears-out.ts";
import { cutQuestion, splitQuestion } from "./split/split-question.ts";

interface Worked {
  readonly todo: PlannedTodo;
  readonly findings: Findings;
}

/**
 * What the findings of a todo say to it, and whether that answers it, by the same criteria for one todo as for several. Where the parts
 * of the user's own question were asked before, in vain, one of the quotes has to answer them together.
 */
export function judgeFindings(
  { question, history }: Pick<ResearchView, "question" | "history">,
  { todo, findings }: Worked,
): { readonly bearing: Bearing; readonly answered: boolean } {
  const bearing = bearOutEach(cutQuestion(questionOf(todo)), findings);
  if (todo.description !== question.trim() || !isAskedAgain(todo)) return { bearing, answered: bearing.holds };
  const parts = splitQuestion(
    question,
    history.map((turn) => turn.question),
  );
  if (parts.length < 2) return { bearing, answered: bearing.holds };
  return { bearing, answered: isQuoted(findings) && answersTogether(question, parts, findings) };
}

/** What is said to the questions that one todo joins: each has to be borne out, and the first that is not tells what is missing. */
function bearOutEach(questions: readonly string[], findings: Findings): Bearing {
  const bearings = questions.map((question) => bearOut(question, findings));
  const open = bearings.find(({ holds }) => !holds) ?? bearings[0];
  if (open === undefined) throw new DossierError("internal", "A todo asks nothing.");
  return { ...open, claims: [...new Set(bearings.flatMap(({ claims }) => claims))] };
}

/** Whether it is all quotes, and some. */
export function isQuoted({ claims, citations, reason }: Findings): boolean {
  const isQuote = ({ text, citations: ids }: DraftClaim): boolean => citations.some(({ id, quote }) => ids.includes(id) && quote === text);
  return reason === null && claims.length > 0 && claims.every((claim) => claim.supported && isQuote(claim));
}

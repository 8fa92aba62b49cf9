import { NOTHING_FOUND } from "../../../domain/findings.ts";
import type { Executed, Recalled, RecallView } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import { saysNoAnswer } from "../no-answer.ts";
import { questionOf } from "./bears-out.ts";
import { meaningOf } from "./equal-meaning.ts";
import { saysJustThat } from "./says-just-that.ts";

const MAX_TEXT = 500;

/**
 * What answers the todo already, by certain signs: a question of the same words that was answered, in this run or in the conversation;
 * or a sentence among the findings that says the todo's own words and, beside them, nothing but what is asked for.
 */
export function recallByRules({ todo, history, executed }: RecallView): Recalled | null {
  const question = questionOf(todo);
  const meaning = meaningOf(question);
  const completed = executed.filter((one) => one.todo.status === "completed" && one.todo.id !== todo.id);
  const equal = completed.find((one) => one.findings.claims.length > 0 && meaningOf(questionOf(one.todo)) === meaning);
  if (equal) return { from: "evidence", text: textOf(equal.findings.claims), findings: equal.findings };
  const said = completed.flatMap((one) => saying(question, one))[0];
  if (said) return said;
  const turn = history.findLast((earlier) => meaningOf(earlier.question) === meaning && isAnswer(earlier.answer));
  return turn ? { from: "conversation", text: turn.answer.slice(0, MAX_TEXT).toWellFormed(), findings: NOTHING_FOUND } : null;
}

function isAnswer(answer: string): boolean {
  return answer.trim() !== "" && !saysNoAnswer(answer);
}

/** The sentences of a todo's findings that say just what is asked. */
function saying(question: string, { findings }: Executed): Recalled[] {
  const claims = findings.claims.filter(({ supported, text }) => supported && saysJustThat(question, text));
  if (claims.length === 0) return [];
  const cited = new Set(claims.flatMap((claim) => claim.citations));
  const citations = findings.citations.filter(({ id }) => cited.has(id));
  return [{ from: "evidence", text: textOf(claims), findings: { claims, citations, reason: null } }];
}

function textOf(claims: readonly DraftClaim[]): string {
  return claims[0]?.text.slice(0, MAX_TEXT).toWellFormed() ?? "";
}

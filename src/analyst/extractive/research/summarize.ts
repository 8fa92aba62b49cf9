import { joinFindings } from "../../../domain/findings.ts";
import { openLine } from "../../../domain/open-line.ts";
import { MAX_TODOS } from "../../../domain/plan.ts";
import type { Executed, Summary, SummaryView } from "../../../domain/ports/research-analyst.ts";
import { questionsIn } from "./question-list.ts";

/**
 * What the todos found, in the order of the plan: each quote once, each passage with one number. Of several todos those that found a
 * quote are its heading. `unanswered` names the todos that are not completed, with the reason.
 */
export function summarizeFindings({ question, executed }: Pick<SummaryView, "question" | "executed">): Summary {
  const several = executed.length > 1;
  const { claims, citations, reason } = joinFindings(executed.map(({ findings }) => findings));
  const headingOf = (text: string): string => {
    const found = executed.filter(({ findings }) => findings.claims.some((claim) => claim.text === text));
    return found.map(({ todo }) => todo.description).join(" / ");
  };
  const open = executed.filter(({ todo }) => todo.status !== "completed");
  return {
    claims: several ? claims.map((claim) => ({ ...claim, section: headingOf(claim.text) })) : claims,
    citations,
    reason: several ? null : reason,
    unanswered: [...open.map(formatUnanswered), ...unplanned(question, executed)],
  };
}

/** The quotes with the numbers of their citations. */
export function formatAnswer({ claims }: Pick<Summary, "claims">): string {
  return claims.map(({ text, citations }) => `${text} ${citations.map((id) => `[${id}]`).join("")}`).join("\n\n");
}

/** The items of a list for which the plan had no room. */
function unplanned(question: string, executed: readonly Executed[]): string[] {
  const items = questionsIn(question);
  return executed.every(({ todo }) => items.includes(todo.description)) ? items.slice(MAX_TODOS) : [];
}

function formatUnanswered({ todo: { description, feedback }, findings: { reason } }: Executed): string {
  const why = feedback || reason;
  return why ? openLine(description, why) : description;
}

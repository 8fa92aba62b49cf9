import { joinFindings } from "../../../domain/findings.ts";
import { openLine } from "../../../domain/open-line.ts";
import { MAX_TODOS } from "../../../domain/plan.ts";
import type { Executed, Summary, SummaryView } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import { questionsIn } from "./question-list.ts";

/**
 * What the todos found, in the order of the plan: each sentence once, each passage with one number. Of several todos each is the heading
 * of its sentences; a todo alone keeps its sections. `unanswered` names the todos that are not completed, with the reason.
 */
export function summarizeFindings({ question, executed }: Pick<SummaryView, "question" | "executed">): Summary {
  const several = executed.length > 1;
  const parts = executed.map(({ todo, findings }) => ({
    ...findings,
    claims: findings.claims.map((claim) => (several ? { ...claim, section: todo.description } : claim)),
  }));
  const { claims, citations } = joinFindings(parts);
  const reason = claims.length > 0 || several ? null : (executed[0]?.findings.reason ?? null);
  const open = executed.filter(({ todo }) => todo.status !== "completed").map(formatUnanswered);
  return {
    claims: several ? shareHeadings(claims, executed) : claims,
    citations,
    reason,
    unanswered: [...open, ...unplanned(question, executed)],
  };
}

/** The same as Markdown, with headings and the numbers of the citations. */
export function formatAnswer({ claims }: Pick<Summary, "claims">): string {
  const blocks = claims.flatMap(({ section, text, citations }, at) => {
    const heading = section === "" || section === claims[at - 1]?.section ? [] : [`## ${section}`];
    return [...heading, `${text} ${citations.map((id) => `[${id}]`).join("")}`];
  });
  return blocks.join("\n\n");
}

/** A todo whose sentences all stand under an earlier heading shares that heading. */
function shareHeadings(claims: readonly DraftClaim[], executed: readonly Executed[]): DraftClaim[] {
  return executed.reduce<DraftClaim[]>(
    (
      shown,
      {
        todo: { description },
        findings: {
          claims: [first],
        },
      },
    ) => {
      if (first === undefined || shown.some(({ section }) => section === description)) return shown;
      const heading = shown.find(({ text }) => text === first.text)?.section;
      return shown.map((claim) => (claim.section === heading ? { ...claim, section: `${heading} / ${description}` } : claim));
    },
    [...claims],
  );
}

function formatUnanswered({ todo: { description, feedback }, findings: { reason } }: Executed): string {
  const why = feedback || reason;
  return why ? openLine(description, why) : description;
}

/** The items of a list for which the plan had no room. */
function unplanned(question: string, executed: readonly Executed[]): string[] {
  const items = questionsIn(question);
  return executed.every(({ todo }) => items.includes(todo.description)) ? items.slice(MAX_TODOS) : [];
}

import type { Rendered } from "../../domain/bundle.ts";
import type { Report } from "../../domain/report.ts";
import type { Run } from "../../domain/run.ts";
import { renderMarkdown } from "../render-markdown.ts";

type Asked = Pick<Run, "question" | "termination">;

/** The Markdown of a report's content, as a report is made of it. */
export function renderAgain({ question }: Pick<Run, "question">, report: Report, rendered: NonNullable<Rendered>): string {
  const { markdown: _, ...content } = report;
  return renderMarkdown({ ...content, ...rendered, question: question.trim().toWellFormed() }).toWellFormed();
}

/**
 * With what the report's Markdown can be rendered again from its content; null where it cannot: another version of the program
 * rendered it, or it is no rendering at all. The reason for having no answer is kept in the run's termination, if anywhere.
 */
export function findRendered(run: Asked, report: Report, language: string): Rendered {
  const reasons = [null, run.termination?.detail ?? null];
  const reason = reasons.find((candidate) => renderAgain(run, report, { language, reason: candidate }) === report.markdown);
  return reason === undefined ? null : { language, reason };
}

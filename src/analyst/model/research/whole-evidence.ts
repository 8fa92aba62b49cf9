import { joinFindings } from "../../../domain/findings.ts";
import type { VerificationView } from "../../../domain/ports/research-analyst.ts";

/**
 * The same for rules that judge in a model's place: whoever has executed a todo has called it completed, and the words that bear it out
 * may be among those that another todo quotes.
 */
export function overAllEvidence(view: VerificationView): VerificationView {
  const executed = view.executed.map(({ todo, findings }) => {
    if (todo.status !== "completed" || findings.claims.length === 0) return { todo, findings };
    const others = view.executed.filter((one) => one.todo.id !== todo.id).map((one) => one.findings);
    return { todo, findings: joinFindings([findings, ...others]) };
  });
  return { ...view, executed };
}

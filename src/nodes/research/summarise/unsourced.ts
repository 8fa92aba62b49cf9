import type { Todo } from "../../../domain/plan.ts";
import type { Executed, Summary } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import type { TodoWork } from "../../../graphs/research/state.ts";

/**
 * What todos have come to that no source bears out: what was said before the run, and the words of agents that quote nothing, such as a
 * calculation or what their user said. Each under its todo, none `supported`.
 */
export function unsourcedOf(todos: readonly Todo[], works: readonly TodoWork[]): DraftClaim[] {
  return todos.flatMap((todo) => {
    const section = todo.description;
    if (todo.answeredBy === "conversation") return [{ text: todo.result ?? "", citations: [], supported: false, section }];
    const findings = works.find((one) => one.todo.id === todo.id)?.findings;
    if (findings === undefined || !isUnsourced({ todo, findings })) return [];
    return findings.claims.map(({ text }) => ({ text, citations: [], supported: false, section }));
  });
}

/** The same without the sentences that are shown as unsourced anyway. */
export function withoutThose(summary: Summary, shown: readonly DraftClaim[]): Summary {
  const texts = new Set(shown.map(({ text }) => text));
  return { ...summary, claims: summary.claims.filter(({ text, citations }) => citations.length > 0 || !texts.has(text)) };
}

function isUnsourced({ todo, findings }: Executed): boolean {
  return todo.status === "completed" && todo.by === "agent" && findings.citations.length === 0;
}

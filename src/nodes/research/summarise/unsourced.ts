import type { Todo } from "../../../domain/plan.ts";
import type { Executed, Summary } from "../../../domain/ports/research-analyst.ts";
import type { DraftClaim } from "../../../domain/report.ts";
import type { TodoWork } from "../../../graphs/research/state.ts";

/**
 * The words of agents that completed a todo and quote nothing, such as a calculation or what their user said. Each stands under its todo,
 * none is `supported`.
 */
export function unsourcedOf(todos: readonly Todo[], works: readonly TodoWork[]): DraftClaim[] {
  return todos.flatMap((todo) => {
    const findings = works.find((one) => one.todo.id === todo.id)?.findings;
    if (findings === undefined || !isUnsourced({ todo, findings })) return [];
    return findings.claims.map(({ text }) => ({ text, citations: [], supported: false, section: todo.description }));
  });
}

/** The same without the sentences that are shown as unsourced anyway. */
export function withoutThose(summary: Summary, shown: readonly DraftClaim[]): Summary {
  const texts = new Set(shown.map(({ text }) => text));
  return { ...summary, claims: summary.claims.filter(({ text, citations }) => citations.length > 0 || !texts.has(text)) };
}

/** Those that `claims` do not hold with a quote, in the same words; what several todos came to once, under them all. */
export function withoutQuoted(unsourced: readonly DraftClaim[], claims: readonly DraftClaim[]): DraftClaim[] {
  const quoted = new Set(claims.filter(({ supported }) => supported).map(({ text }) => text.trim()));
  const open = unsourced.filter(({ text }) => !quoted.has(text.trim()));
  return [...Map.groupBy(open, ({ text }) => text.trim()).values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    return { ...first, section: sideBySide([first, ...more].map(({ section }) => section)) };
  });
}

/** Headings as one: what ends as a sentence does needs no mark before the next. */
function sideBySide(sections: readonly string[]): string {
  return [...new Set(sections)].reduce((all, next) => `${all}${/\p{Sentence_Terminal}$/u.test(all) ? " " : "; "}${next}`);
}

function isUnsourced({ todo, findings }: Executed): boolean {
  return todo.status === "completed" && todo.by === "agent" && findings.citations.length === 0;
}

import { citationsOf } from "../../../domain/findings.ts";
import type { Todo } from "../../../domain/plan.ts";
import type { Citation, DraftClaim } from "../../../domain/report.ts";
import type { TodoWork } from "../../../graphs/research/state.ts";

/**
 * The todos with the numbers of the report that each has brought. A passage that several came upon is of the one whose result it is; where
 * it is nobody's result, of the one under whose words it stands; and where it stands under none, of all that came upon it.
 */
export function withCitations(
  todos: readonly Todo[],
  works: readonly TodoWork[],
  { claims, citations }: { readonly claims: readonly DraftClaim[]; readonly citations: readonly Citation[] },
): Todo[] {
  const found = new Map(works.map(({ todo, findings }) => [todo.id, new Set(citationsOf(findings, citations))]));
  const brought = citations.map(({ id }) => {
    const finders = todos.filter((todo) => found.get(todo.id)?.has(id));
    return { id, owners: finders.length > 1 ? ownersAmong(finders, sentencesWith(id, claims)) : finders };
  });
  return todos.map((todo) => {
    if (!found.has(todo.id)) return todo;
    return { ...todo, citations: brought.filter(({ owners }) => owners.includes(todo)).map(({ id }) => id) };
  });
}

function sentencesWith(id: number, claims: readonly DraftClaim[]): DraftClaim[] {
  return claims.filter(({ citations }) => citations.includes(id));
}

function ownersAmong(finders: readonly Todo[], sentences: readonly DraftClaim[]): readonly Todo[] {
  const saying = finders.filter(({ result }) => result && sentences.some(({ text }) => text.startsWith(result)));
  if (saying.length > 0) return saying;
  const heading = finders.filter(({ description }) => sentences.some(({ section }) => section.includes(description)));
  return heading.length > 0 ? heading : finders;
}

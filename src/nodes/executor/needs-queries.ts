import type { Task } from "../../domain/request.ts";
import { hasLanguage, searchLanguage } from "../../ranking/language.ts";

/**
 * Whether the question cannot stand alone as a query, as far as code can see it: there are questions before it, or a source has texts in
 * other languages only. A todo is written to stand alone, so only the languages count for it.
 */
export function needsQueries({ question, language, history, sources, sourceFacts = {}, notes }: Task): boolean {
  if (notes === undefined && history.some((turn) => turn.question.trim() !== "")) return true;
  const own = searchLanguage(language, question);
  return sources.some((source) => !hasLanguage(sourceFacts[source]?.languages, own));
}

import type { Executed } from "../../../domain/ports/research-analyst.ts";
import type { Citation, DraftClaim } from "../../../domain/report.ts";
import { detectLanguage } from "../../../ranking/language.ts";
import { withoutUnspacedStopWords } from "../../../ranking/query-terms.ts";
import { STOP_TERMS } from "../../../ranking/stop-words.ts";
import { tokenise } from "../../../ranking/tokenise.ts";

/** What a model wrote, with the quotes that it cites. */
interface Cited {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
}

/**
 * The claims, of which those are not `supported` that speak of a todo which was judged not to be answered and whose quotes have not one
 * word of content with them in common: nobody has found what they say. A quote in another language has other words for the same.
 */
export function withoutUnfounded({ claims, citations }: Cited, executed: readonly Executed[]): DraftClaim[] {
  const open = new Set(executed.flatMap(({ todo }) => (todo.status === "completed" ? [] : contentOf(todo.description))));
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  return claims.map((claim) => {
    if (!claim.supported || open.size === 0) return claim;
    const said = contentOf(claim.text);
    if (!said.some((term) => open.has(term))) return claim;
    const quoted = claim.citations.flatMap((id) => quotes.get(id) ?? []).join("\n");
    const known = new Set(contentOf(quoted));
    if (said.some((term) => known.has(term)) || detectLanguage(quoted) !== detectLanguage(claim.text)) return claim;
    return { ...claim, citations: [], supported: false };
  });
}

function contentOf(text: string): string[] {
  return tokenise(withoutUnspacedStopWords(text)).filter((term) => !STOP_TERMS.has(term));
}

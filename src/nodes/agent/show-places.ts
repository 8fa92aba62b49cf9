import { estimateTokens } from "../../domain/chat.ts";
import { isUntitled } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import { readQueries } from "../../domain/queries.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { loadAnalyzed } from "../../gathering/documents.ts";
import type { Read } from "../../gathering/reading.ts";
import { queryTerms } from "../../ranking/query-terms.ts";
import { bestPlaces, MAX_PLACES_LENGTH, type Places, textOfSpans } from "./best-places.ts";
import type { AgentStateValue } from "./state.ts";
import { firstLinesTold, type Told, toldOf } from "./told.ts";

/** A source is read only if at least so much of it can be shown, in tokens. */
export const MIN_PLACES_TOKENS = 200;

/** What to show of a source that was read. */
export interface ShownPlaces {
  /** `""` if all of it was told before. */
  readonly text: string;
  /** Whether places that fit stand above. */
  readonly isAbove: boolean;
  /** The source that was shown with the same text first, or null. */
  readonly sameAs: string | null;
  /** The title of the document, where the source has none. */
  readonly title?: string;
}

interface PlacesContext {
  readonly documents: DocumentStore;
  readonly effects: Effects;
  /** Gets what is shown. */
  readonly told: Told[];
  /** Of each source. */
  readonly tokens: number;
}

/** Returns what to show of each source that was read, and how many places of documents are new to the model. */
export async function placesIn(reads: readonly Read[], wanted: readonly (readonly string[])[], context: PlacesContext) {
  const { documents, effects, told, tokens } = context;
  const places = new Map<string, ShownPlaces>();
  let fresh = 0;
  for (const { hit, contentHash, status } of reads) {
    if (contentHash === null) continue;
    const isSnippet = status === "snippet";
    const { text, title, analysis } = await loadAnalyzed(contentHash, documents, effects);
    const earlier = told.find(({ of }) => of === contentHash)?.sourceId ?? hit.id;
    const known = toldOf(told, contentHash);
    const placesOf = (length: number) => bestPlaces(text, analysis, wanted, { length, told: known });
    // The text of a search result may stand above as its first lines.
    const lines = firstLinesTold(hit);
    const isListed = isSnippet && text.length <= lines.end && told.some(({ of }) => of === lines.of);
    const { spans, isAbove } = isListed ? { spans: [], isAbove: true } : fitTokens(placesOf, text, tokens);
    told.push(...spans.map((span) => ({ ...span, of: contentHash, sourceId: hit.id })));
    if (!isSnippet) fresh += spans.length;
    const shown = textOfSpans(text, spans);
    places.set(hit.id, {
      text: isSnippet ? ofSnippet(shown) : shown,
      isAbove,
      sameAs: earlier === hit.id ? null : earlier,
      ...(isUntitled(hit) && title !== "" && { title }),
    });
  }
  return { places, fresh };
}

function ofSnippet(shown: string): string {
  return shown === ""
    ? "It could not be read; what is known of it stands above."
    : `It could not be read; only this is known of it: ${shown}`;
}

/** The words of the queries, and those of the question for texts that have none of them. */
export function termsOf({ arguments: args }: ToolCall, { task }: Pick<AgentStateValue, "task">): string[][] {
  const queries = readQueries(args).map(({ text }) => text);
  return [queries.join("\n"), task.question].map(queryTerms);
}

function fitTokens(placesOf: (length: number) => Places, text: string, tokens: number): Places {
  for (let length = MAX_PLACES_LENGTH; ; ) {
    const places = placesOf(length);
    const taken = estimateTokens(textOfSpans(text, places.spans));
    if (taken <= tokens || length <= MIN_PLACES_TOKENS) return places;
    length = Math.max(MIN_PLACES_TOKENS, Math.floor(length * Math.min(0.9, tokens / taken)));
  }
}

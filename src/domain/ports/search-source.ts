import type { Hit } from "../hit.ts";
import type { Source } from "../report.ts";
import type { CallContext } from "./http-fetch.ts";

export interface SearchQuery {
  readonly text: string;
  /** The last questions before it in the conversation, which "And how tall is it?" may be about. Sources that need every word of a query leave them out. */
  readonly context?: string;
  /** BCP 47 tag of the question. */
  readonly language: string;
  /** At most so many hits, best first. */
  readonly limit: number;
}

/** A place that can be searched. */
export interface SearchSource {
  readonly id: string;
  readonly kind: Source["kind"];
  readonly title: string;
  /** @throws DossierError with a code of the ledger when it could not look; an empty list means that it looked. */
  search(query: SearchQuery, context: CallContext): Promise<Hit[]>;
  /** What the latest search left out although it belongs to the source, in a few words; null where nothing is known to be missing. */
  gaps?(): string | null;
}

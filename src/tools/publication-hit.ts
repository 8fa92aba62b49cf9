import { type Hit, sourceIdOf } from "../domain/hit.ts";
import type { Publication, Source } from "../domain/report.ts";
import { plainText } from "./plain-text.ts";

/** A work as an adapter found it. What is left out is unknown. */
export interface FoundWork extends Partial<Omit<Publication, "retracted">> {
  readonly kind: Source["kind"];
  readonly foundBy: string;
  readonly title: string;
  /** The address that a reader would cite. */
  readonly url: string;
  /** As the service spells it: `2021-03-04`, `2021-03`, `2021`; anything else counts as unknown. */
  readonly publishedAt?: string | null;
  /** The abstract or the lines a search engine shows; markup is taken out. */
  readonly snippet: string;
  readonly retracted?: boolean;
}

const MAX_SNIPPET = 4_000;
const MAX_TITLE = 500;
const MAX_AUTHORS = 50;
const DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?(?=$|T)/;
const RETRACTED_TITLE = /^\W*(?:retracted(?: article)?|retraction note)\b/i;

/** The same work as a hit, its names, numbers and texts normalised. */
export function publicationHit(work: FoundWork): Hit {
  const title = plainText(work.title).slice(0, MAX_TITLE);
  return {
    id: sourceIdOf(work.url),
    kind: work.kind,
    title: title || work.url,
    url: work.url,
    publishedAt: DATE.exec(work.publishedAt?.trim() ?? "")?.[0] ?? null,
    foundBy: work.foundBy,
    contentHash: null,
    snippet: plainText(work.snippet).slice(0, MAX_SNIPPET),
    publication: {
      authors: (work.authors ?? [])
        .map(plainText)
        .filter((name) => name !== "")
        .slice(0, MAX_AUTHORS),
      doi: normaliseDoi(work.doi),
      arxivId: work.arxivId?.replace(/^arxiv:/i, "").replace(/v\d+$/, "") || null,
      pmid: work.pmid || null,
      venue: plainText(work.venue ?? "") || null,
      licence: work.licence || null,
      retracted: work.retracted === true || RETRACTED_TITLE.test(title),
      fullTextUrl: work.fullTextUrl || null,
    },
  };
}

/** The DOI alone, in lower case as DOIs compare; null for what is none. */
export function normaliseDoi(text: string | null | undefined): string | null {
  return /10\.\d{4,9}\/\S+/.exec(text?.trim() ?? "")?.[0].toLowerCase() ?? null;
}

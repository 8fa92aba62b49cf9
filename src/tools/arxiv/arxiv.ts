import type { Hit } from "../../domain/hit.ts";
import type { Endpoint } from "../../domain/ports/http-fetch.ts";
import type { SearchSource } from "../../domain/ports/search-source.ts";
import { firstHits } from "../hits/first-hits.ts";
import { normaliseArxivId, publicationHits } from "../hits/publication-hit.ts";
import { allThenAny, englishWords } from "../query/query-words.ts";
import { createServiceClient } from "../services/service-client.ts";
import type { SourceOptions } from "../services/source-entry.ts";
import { authorsOf, type Entry, errorOfFeed, linkOf, readFeed } from "./feed.ts";

/** One request every three seconds over a single connection: https://info.arxiv.org/help/api/tou.html. */
export const ARXIV: Endpoint = {
  id: "arxiv",
  owner: "arxiv",
  hosts: ["export.arxiv.org"],
  rate: { requests: 1, perMs: 3_000, concurrent: 1 },
};

const MAX_RESULTS = 100;
/** The remark that takes the place of a comment or an abstract where the authors have taken a paper back. */
const WITHDRAWN = /^\s*(?:this|the) (?:paper|article|submission|manuscript|preprint|work|version)\b[^.]{0,60}\bwithdrawn\b/i;

/**
 * Preprints, from arXiv's Atom API (https://info.arxiv.org/help/api/user-manual.html). The papers that have all words of
 * the question; where there are none, those that have any. Its index is English: of a question in two scripts the Latin
 * words are asked, and one in Chinese alone is asked as it is, to which "nothing" is arXiv's own answer. A paper that its
 * authors withdrew counts as retracted. The feed names no licence.
 */
export function createArxiv({ fetch }: SourceOptions): SearchSource {
  const client = createServiceClient(ARXIV, fetch, ({ text }) => errorOfFeed(text));
  return {
    id: "arxiv",
    kind: "scholar",
    title: "arXiv",
    async search({ text, limit }, context) {
      const words = englishWords(text);
      return allThenAny(words, async (operator) => {
        const url = new URL("https://export.arxiv.org/api/query");
        url.searchParams.set("search_query", words.map(term).join(` ${operator} `));
        url.searchParams.set("max_results", String(Math.min(limit, MAX_RESULTS)));
        url.searchParams.set("sortBy", "relevance");
        return firstHits(readFeed(await client.text(url, context)).flatMap(toHit), limit);
      });
    },
  };
}

/**
 * One word for all fields. Quoted, unless it is letters and digits, so that nothing in it is an operator; a compound is a
 * phrase, because arXiv finds nothing for a hyphen.
 */
function term(word: string): string {
  if (/^[\p{L}\p{N}\p{M}]+$/u.test(word) && !/^(?:and|or|andnot|not|to)$/i.test(word)) return `all:${word}`;
  return `all:"${word.replaceAll(/["\\\-‐‑–/_&]+/g, " ").trim()}"`;
}

function toHit(entry: Entry): Hit[] {
  const arxivId = normaliseArxivId(entry.id.trim());
  if (arxivId === null) return [];
  return publicationHits({
    kind: "scholar",
    foundBy: "arxiv",
    title: entry.title,
    url: `https://arxiv.org/abs/${arxivId}`,
    publishedAt: entry.published ?? null,
    snippet: entry.summary ?? "",
    authors: authorsOf(entry),
    arxivId,
    doi: entry.doi ?? null,
    venue: entry.journal_ref ?? "arXiv",
    retracted: WITHDRAWN.test(entry.comment ?? "") || WITHDRAWN.test(entry.summary ?? ""),
    fullTextUrl: linkOf(entry, "pdf"),
  });
}

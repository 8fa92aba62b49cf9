import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { firstHits, normalizeArxivId, publicationHits } from "../services/hits.ts";
import { allThenAny, englishWords } from "../services/query.ts";
import { parseXml, readItems, XmlText } from "../services/read-answer.ts";
import { createServiceClient } from "../services/service-client.ts";
import { plainText } from "../services/text.ts";

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
  const arxivId = normalizeArxivId(entry.id.trim());
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

const LinkSchema = z.object({ "@href": z.string(), "@rel": z.string().optional(), "@title": z.string().optional() });

/** An entry of arXiv's Atom feed, in the shapes of before and after its change of 2025-2026; titles and abstracts are raw. */
const EntrySchema = z.object({
  id: XmlText,
  title: XmlText,
  summary: XmlText.nullish(),
  published: XmlText.nullish(),
  author: z.array(z.unknown()).nullish(),
  link: z.array(z.unknown()).nullish(),
  doi: XmlText.nullish(),
  journal_ref: XmlText.nullish(),
  comment: XmlText.nullish(),
});
type Entry = z.infer<typeof EntrySchema>;

const FeedSchema = z.object({ feed: z.object({ entry: z.array(z.unknown()).nullish(), totalResults: XmlText.nullish() }) });
const AuthorSchema = z.object({ name: XmlText });

/** The entries of a feed, in its order. @throws DossierError `unreadable` for a feed that is an error, or that lacks what it counts */
function readFeed(text: string): Entry[] {
  const parsed = FeedSchema.safeParse(parseXml("arxiv", text, { lists: ["entry", "author", "link"], mixed: ["title", "summary"] }));
  if (!parsed.success) throw new DossierError("unreadable", "arxiv answered with something that is no feed.");
  const { entry, totalResults } = parsed.data.feed;
  const entries = readItems("arxiv", EntrySchema, entry ?? []);
  const error = entries.find(isError);
  if (error !== undefined) throw refused(error);
  if (entries.length === 0 && Number(totalResults ?? "0") > 0)
    throw new DossierError("unreadable", `arxiv counted ${totalResults} results and sent none.`);
  return entries;
}

/** The error that a feed is, whatever its status; null where it is none or no feed. */
function errorOfFeed(text: string): DossierError | null {
  if (!/<title[^<>]*>\s*Error\s*<\/title>/.test(text)) return null;
  try {
    readFeed(text);
    return null;
  } catch (error) {
    return error instanceof DossierError ? error : null;
  }
}

function authorsOf({ author }: Entry): string[] {
  return (author ?? []).flatMap((one) => AuthorSchema.safeParse(one).data?.name ?? []);
}

/** The address of the link of this title, such as `pdf`. */
function linkOf({ link }: Entry, title: string): string | null {
  const links = (link ?? []).flatMap((one) => LinkSchema.safeParse(one).data ?? []);
  return links.find((one) => one["@title"] === title)?.["@href"].replace(/^http:/, "https:") ?? null;
}

function isError({ id, title }: Entry): boolean {
  return title.trim() === "Error" || /\/api\/errors/.test(id);
}

function refused({ summary }: Entry): DossierError {
  return new DossierError("unreadable", `arxiv refused the question: ${plainText(summary ?? "").slice(0, 200) || "it gives no reason"}.`);
}

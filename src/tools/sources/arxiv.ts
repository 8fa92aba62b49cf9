import { z } from "zod";
import type { Hit } from "../../domain/hit.ts";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { normalizeArxivId, publicationHits } from "../shared/hits.ts";
import { dayRange, englishWords, withCondition } from "../shared/query.ts";
import { searchByWords } from "../shared/searches.ts";
import { createServiceClient, parseXml, readItems, withQuery, XmlText } from "../shared/service-client.ts";
import { plainText } from "../shared/text.ts";

/** Searches arXiv's Atom API: https://info.arxiv.org/help/api/user-manual.html. */
export const ARXIV: SourceEntry = {
  // arXiv allows one request every three seconds over a single connection: https://info.arxiv.org/help/api/tou.html.
  endpoint: { id: "arxiv", owner: "arxiv", hosts: ["export.arxiv.org"], rate: { requests: 1, perMs: 3_000, concurrent: 1 } },
  kind: "scholar",
  title: "arXiv",
  description: "preprints, in English",
  languages: ["en"],
  settings: { baseUrl: { variable: "ARXIV_BASE_URL" } },
  create: createArxiv,
};

const MAX_RESULTS = 100;
const WITHDRAWN = /^\s*(?:this|the) (?:paper|article|submission|manuscript|preprint|work|version)\b[^.]{0,60}\bwithdrawn\b/i;

function createArxiv({ fetch }: SourceOptions): SearchFunctions {
  const client = createServiceClient(ARXIV.endpoint, fetch, ({ text }) => feedError(text));
  return searchByWords(englishWords, async (words, operator, query, context) => {
    const days = dayRange(query);
    const submitted = days && `submittedDate:[${days.map((day) => day.replaceAll("-", "")).join("0000 TO ")}2359]`;
    const url = withQuery("https://export.arxiv.org/api/query", {
      search_query: withCondition(words.map(term).join(` ${operator} `), submitted),
      max_results: Math.min(query.limit, MAX_RESULTS),
      sortBy: "relevance",
    });
    return readFeed(await client.text(url, context)).flatMap(toHit);
  });
}

/** `all:` searches every field. Quotes keep arXiv from reading a word as an operator. */
function term(word: string): string {
  if (/^[\p{L}\p{N}\p{M}]+$/u.test(word) && !/^(?:and|or|andnot|not|to)$/i.test(word)) return `all:${word}`;
  return `all:"${word.replaceAll(/["\\\-‐‑–/_&]+/g, " ").trim()}"`;
}

const LinkSchema = z.object({ "@href": z.string(), "@title": z.string().optional() });
const AuthorSchema = z.object({ name: XmlText });

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

function toHit(entry: Entry): Hit[] {
  const arxivId = normalizeArxivId(entry.id.trim());
  if (arxivId === null) return [];
  const links = (entry.link ?? []).flatMap((link) => LinkSchema.safeParse(link).data ?? []);
  const pdf = links.find((link) => link["@title"] === "pdf")?.["@href"].replace(/^http:/, "https:");
  return publicationHits({
    kind: "scholar",
    foundBy: "arxiv",
    title: entry.title,
    url: `https://arxiv.org/abs/${arxivId}`,
    publishedAt: entry.published ?? null,
    snippet: entry.summary ?? "",
    authors: (entry.author ?? []).flatMap((author) => AuthorSchema.safeParse(author).data?.name ?? []),
    arxivId,
    doi: entry.doi ?? null,
    venue: entry.journal_ref ?? "arXiv",
    retracted: WITHDRAWN.test(entry.comment ?? "") || WITHDRAWN.test(entry.summary ?? ""),
    fullTextUrl: pdf ?? null,
  });
}

function readFeed(text: string): Entry[] {
  const parsed = FeedSchema.safeParse(parseXml("arxiv", text, { lists: ["entry", "author", "link"], mixed: ["title", "summary"] }));
  if (!parsed.success) throw new DossierError("unreadable", "arxiv answered with something that is not a feed.");
  const { entry, totalResults } = parsed.data.feed;
  const entries = readItems("arxiv", EntrySchema, entry ?? []);
  const error = entries.find(({ id, title }) => title.trim() === "Error" || /\/api\/errors/.test(id));
  if (error !== undefined) {
    const reason = plainText(error.summary ?? "").slice(0, 200) || "it gives no reason";
    throw new DossierError("unreadable", `arxiv refused the question: ${reason}.`);
  }
  if (entries.length === 0 && Number(totalResults ?? "0") > 0)
    throw new DossierError("unreadable", `arxiv counted ${totalResults} results and sent none.`);
  return entries;
}

function feedError(text: string): DossierError | null {
  if (!/<title[^<>]*>\s*Error\s*<\/title>/.test(text)) return null;
  try {
    readFeed(text);
    return null;
  } catch (error) {
    return error instanceof DossierError ? error : null;
  }
}

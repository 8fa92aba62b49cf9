import { z } from "zod";
import { DossierError } from "../../errors.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { arxivAddress, type FoundWork } from "../shared/hits.ts";
import { dayRange, englishWords, withCondition } from "../shared/query.ts";
import { searchByWords } from "../shared/searches.ts";
import { type Answer, parseXml, readItems, withQuery, XmlText } from "../shared/service-client.ts";
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
  refusal: feedError,
  create: createArxiv,
};

const MAX_ERROR = 5_000;
const WITHDRAWN = /^\s*(?:this|the) (?:paper|article|submission|manuscript|preprint|work|version)\b[^.]{0,60}\bwithdrawn\b/i;

function createArxiv({ client }: SourceOptions): SearchFunctions {
  return searchByWords(englishWords, async (words, operator, query, context) => {
    const days = dayRange(query);
    const submitted = days && `submittedDate:[${days.map((day) => day.replaceAll("-", "")).join("0000 TO ")}2359]`;
    const url = withQuery("https://export.arxiv.org/api/query", {
      search_query: withCondition(words.map(term).join(` ${operator} `), submitted),
      max_results: query.limit,
      sortBy: "relevance",
    });
    return readFeed(await client.text(url, context)).map(toWork);
  });
}

/** `all:` searches every field. Quotes keep arXiv from reading a word as an operator. */
function term(word: string): string {
  if (/^[\p{L}\p{N}\p{M}]+$/u.test(word) && !/^(?:and|or|andnot|not|to)$/i.test(word)) return `all:${word}`;
  return `all:"${word.replaceAll(/["\\\-‐‑–/_&]+/g, " ").trim()}"`;
}

const EntrySchema = z.object({
  id: XmlText,
  title: XmlText,
  summary: XmlText.nullish(),
  published: XmlText.nullish(),
  author: z.array(z.object({ name: XmlText })).nullish(),
  link: z.array(z.object({ "@href": z.string(), "@title": z.string().optional() })).nullish(),
  doi: XmlText.nullish(),
  journal_ref: XmlText.nullish(),
  comment: XmlText.nullish(),
});
type Entry = z.infer<typeof EntrySchema>;

const FeedSchema = z.object({ feed: z.object({ entry: z.array(z.unknown()).nullish(), totalResults: XmlText.nullish() }) });

function toWork(entry: Entry): FoundWork {
  const pdf = entry.link?.find((link) => link["@title"] === "pdf")?.["@href"].replace(/^http:/, "https:");
  return {
    title: entry.title,
    url: arxivAddress(entry.id) ?? "",
    publishedAt: entry.published,
    snippet: entry.summary,
    authors: entry.author?.map(({ name }) => name) ?? [],
    arxivId: entry.id,
    doi: entry.doi ?? null,
    venue: entry.journal_ref ?? "arXiv",
    retracted: WITHDRAWN.test(entry.comment ?? "") || WITHDRAWN.test(entry.summary ?? ""),
    fullTextUrl: pdf ?? null,
  };
}

function readFeed(text: string): Entry[] {
  const parsed = FeedSchema.safeParse(parseXml("arxiv", text, { lists: ["entry", "author", "link"], mixed: ["title", "summary"] }));
  if (!parsed.success) throw new DossierError("unreadable", "arxiv answered with something that is not a feed.");
  const { entry, totalResults } = parsed.data.feed;
  const entries = readItems("arxiv", EntrySchema, entry ?? []);
  if (entries.length === 0 && Number(totalResults ?? "0") > 0)
    throw new DossierError("unreadable", `arxiv counted ${totalResults} results and sent none.`);
  return entries;
}

/** arXiv answers an error with a feed, with status 200 or 400. Its only entry has the title "Error". */
function feedError({ text }: Answer): DossierError | null {
  const reason = /<title>Error<\/title>[\s\S]*?<summary[^<>]*>([^<]{1,200})/.exec(text.slice(0, MAX_ERROR))?.[1];
  return reason === undefined ? null : new DossierError("unreadable", `arxiv refused the question: ${plainText(reason)}.`);
}

import { z } from "zod";
import { type Hit, mergeHits } from "../../domain/hit.ts";
import type { CallContext, Endpoint, SearchQuery, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError, type ErrorCode, toDossierError } from "../../errors.ts";
import { keywords } from "../../ranking/query-terms.ts";
import type { SourceOptions } from "../services/entry.ts";
import { publicationHits } from "../services/hits.ts";
import { allThenAny, isTraditionalChinese, joinWithin, primaryLanguage } from "../services/query.ts";
import { jsonOrNull, readItems } from "../services/read-answer.ts";
import { type AnswerCheck, createServiceClient, type ServiceClient } from "../services/service-client.ts";

/** Editions that are asked: the largest, and those of languages that many people write. */
const EDITIONS = [
  "ar",
  "bn",
  "cs",
  "da",
  "de",
  "el",
  "en",
  "es",
  "fa",
  "fi",
  "fr",
  "he",
  "hi",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "nl",
  "no",
  "pl",
  "pt",
  "ro",
  "ru",
  "sv",
  "th",
  "tr",
  "uk",
  "vi",
  "zh",
] as const;
/** Tags that go by another name there. */
const ALIASES: Readonly<Record<string, string>> = { nb: "no", nn: "no", iw: "he", in: "id", cmn: "zh", yue: "zh", wuu: "zh" };

const HOSTS: readonly string[] = EDITIONS.map(hostOf);

/** An edition, and for one that is written in several scripts the variant a reader wants: `zh-cn`. */
interface Edition {
  readonly language: string;
  readonly variant?: string;
}

const ENGLISH: Edition = { language: "en" };

/** The edition in the language of a tag; the English one where there is none. */
function editionFor(tag: string): Edition {
  const asked = primaryLanguage(tag);
  const language = EDITIONS.find((edition) => edition === (ALIASES[asked] ?? asked));
  if (language === undefined) return ENGLISH;
  return language === "zh" ? { language, variant: chineseVariant(tag) } : { language };
}

function hostOf(language: string): string {
  return `${language}.wikipedia.org`;
}

/** One Chinese edition serves all regions and converts characters and words. */
function chineseVariant(tag: string): string {
  if (/-(?:hk|mo)\b/i.test(tag)) return "zh-hk";
  return isTraditionalChinese(tag) ? "zh-tw" : "zh-cn";
}

/**
 * Reading has no fixed limit; clients are asked to send one request after the other and to say who they are:
 * https://www.mediawiki.org/wiki/API:Etiquette, https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits.
 */
export const WIKIPEDIA: Endpoint = {
  id: "wikipedia",
  owner: "wikipedia",
  hosts: HOSTS,
  rate: { requests: 2, perMs: 1_000, concurrent: 1 },
};

/** What the search takes at most, in characters. */
const MAX_QUERY = 300;
/** First paragraphs come for so many pages of one answer: https://www.mediawiki.org/wiki/Extension:TextExtracts#API. */
const MAX_PAGES = 20;
const LAST = Number.MAX_SAFE_INTEGER;
const LATIN = /\p{sc=Latin}/u;

/** Articles of the edition in the language of the question, with their first paragraphs; where those are few, English ones too. */
export function createWikipedia({ fetch }: SourceOptions): SearchSource {
  const client = createServiceClient(WIKIPEDIA, fetch, judge);
  let leftOut: string | null = null;
  return {
    id: "wikipedia",
    kind: "encyclopedia",
    title: "Wikipedia",
    async search({ text, language, limit }, context) {
      const words = keywords(text);
      let missing: string | null = null;
      const own = editionFor(language);
      leftOut = null;
      const hits = await searchEdition(client, own, words, limit, context);
      if (own.language === "en" || hits.length >= limit) return hits;
      // What is written in Latin letters, a name most often, is the same in English.
      const names = words.filter((word) => LATIN.test(word));
      const english = await searchEdition(client, ENGLISH, names, limit, context).catch((error: unknown) => {
        context.signal.throwIfAborted();
        if (hits.length === 0) throw error;
        missing = `the English edition could not be asked: ${toDossierError(error).message}`;
        return [];
      });
      leftOut = missing;
      return mergeHits(hits, english).slice(0, limit);
    },
    gaps: () => leftOut,
  };
}

/** Pages with all the words; where there are none, pages with any of them. */
async function searchEdition(
  client: ServiceClient,
  edition: Edition,
  words: readonly string[],
  limit: SearchQuery["limit"],
  context: CallContext,
): Promise<Hit[]> {
  if (words.length === 0) return [];
  return allThenAny(words, (operator) => {
    const line = joinWithin(words, operator === "AND" ? " " : " OR ", MAX_QUERY);
    return ask(client, edition, line, limit, context);
  });
}

async function ask(client: ServiceClient, edition: Edition, words: string, limit: number, context: CallContext): Promise<Hit[]> {
  const { query } = await client.json(QueryAnswerSchema, queryUrl(edition, words, Math.min(limit, MAX_PAGES)), context);
  const items = [...Object.values(query?.pages ?? {}), ...(query?.search ?? [])];
  const pages = readItems("wikipedia", PageSchema, items).filter(({ missing }) => missing === undefined);
  const hits = pages.toSorted((a, b) => (a.index ?? LAST) - (b.index ?? LAST)).flatMap((page) => toHit(page, edition));
  return mergeHits([], hits).slice(0, limit);
}

function queryUrl({ language, variant }: Edition, words: string, count: number): URL {
  const url = new URL(`https://${hostOf(language)}/w/api.php`);
  const parameters = {
    action: "query",
    format: "json",
    formatversion: "2",
    generator: "search",
    gsrsearch: words,
    gsrnamespace: "0",
    gsrlimit: String(count),
    prop: "extracts|revisions",
    exintro: "1",
    explaintext: "1",
    exlimit: String(MAX_PAGES),
    rvprop: "timestamp",
    ...(variant !== undefined && { variant }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/** The date is that of the last change. A page in several scripts is cited by its one address and read in the reader's. */
function toHit({ title, extract, snippet, revisions, timestamp }: Page, { language, variant }: Edition): Hit[] {
  return publicationHits({
    kind: "encyclopedia",
    foundBy: "wikipedia",
    title,
    url: addressOf(language, title),
    publishedAt: (revisions?.[0]?.timestamp ?? timestamp)?.slice(0, 10) ?? null,
    snippet: extract ?? snippet ?? "",
    venue: `Wikipedia (${language})`,
    licence: "cc-by-sa-4.0",
    ...(variant !== undefined && { fullTextUrl: addressOf(language, title, variant) }),
  });
}

/** Codes of the API, https://www.mediawiki.org/wiki/API:Errors_and_warnings; those of the search begin with `cirrussearch`. */
const CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(?:maxlag|ratelimited|actionthrottledtext|cirrussearch-too-busy-error)/, "rate_limited"],
  [/^(?:blocked|autoblocked|readapidenied|permissiondenied|assert)/, "blocked"],
  [/^(?:readonly|internal_api_error|cirrussearch|search-error|srsearch-error)/, "unreachable"],
];

/** An error comes with status 200 and its name in the body. */
const judge: AnswerCheck = ({ text }) => {
  if (!text.trimStart().startsWith("{")) return null;
  const error = ErrorAnswerSchema.safeParse(jsonOrNull(text)).data?.error;
  if (error === undefined) return null;
  const code = CODES.find(([pattern]) => pattern.test(error.code))?.[1] ?? "unreadable";
  return new DossierError(code, `wikipedia answered ${error.code}: ${(error.info ?? "no reason given").slice(0, 200)}`);
};

/** Characters that MediaWiki leaves as they are in the addresses of pages. */
const LEFT_ALONE = /%(?:24|2C|2F|3A|3B|40)/g;

/** The canonical address of a page, or its address in a variant of the script. */
function addressOf(language: string, title: string, variant = "wiki"): string {
  const name = encodeURIComponent(title.toWellFormed().replaceAll(" ", "_"))
    .replaceAll(LEFT_ALONE, decodeURIComponent)
    .replaceAll("'", "%27");
  return `https://${hostOf(language)}/${variant}/${name}`;
}

/** A page as `list=search` and `generator=search` describe it, each in fields of its own. */
const PageSchema = z.object({
  title: z.string().min(1),
  /** There, with any value, on a page that does not exist. */
  missing: z.unknown().optional(),
  /** The place among the results; pages of a generator come in another order. */
  index: z.number().nullish(),
  extract: z.string().nullish(),
  revisions: z.array(z.object({ timestamp: z.string().nullish() })).nullish(),
  snippet: z.string().nullish(),
  timestamp: z.string().nullish(),
});
type Page = z.infer<typeof PageSchema>;

/** Pages are an array in format version 2, an object by id in version 1; without any, `query` may be left out. */
const QueryAnswerSchema = z
  .object({
    batchcomplete: z.unknown().optional(),
    query: z
      .object({
        search: z.array(z.unknown()).nullish(),
        pages: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish(),
      })
      .nullish(),
  })
  .refine(
    ({ batchcomplete, query }) => batchcomplete !== undefined || query?.search || query?.pages,
    "neither a result nor the end of one",
  );

/** Errors have status 200 and this instead of results. */
const ErrorAnswerSchema = z.object({
  error: z.object({ code: z.string(), info: z.string().nullish() }),
});

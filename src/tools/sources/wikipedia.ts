import { z } from "zod";
import type { CallContext } from "../../domain/ports/sources.ts";
import { DossierError, type ErrorCode, toDossierError } from "../../errors.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import { parseJson } from "../../util/json-fields.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import type { FoundWork } from "../shared/hits.ts";
import { allThenAny, isTraditionalChinese, joinWithin, searchWords } from "../shared/query.ts";
import { type Answer, readItems, withQuery } from "../shared/service-client.ts";

const EDITIONS = "ar bn cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh".split(" ");
export const WIKIPEDIA: SourceEntry = {
  // There is no fixed limit. Clients must send one request at a time and say who they are:
  // https://www.mediawiki.org/wiki/API:Etiquette, https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits.
  endpoint: { id: "wikipedia", owner: "wikipedia", hosts: EDITIONS.map(hostOf), rate: { requests: 2, perMs: 1_000, concurrent: 1 } },
  kind: "encyclopedia",
  title: "Wikipedia",
  description: "articles in the language of the question",
  settings: { baseUrl: { variable: "WIKIPEDIA_BASE_URL" } },
  refusal: apiError,
  create: createWikipedia,
};

const MAX_QUERY = 300;
/** `exlimit`, the number of introductions in an answer, is at most 20: https://www.mediawiki.org/wiki/Extension:TextExtracts#API. */
const MAX_PAGES = 20;
const LATIN = /\p{sc=Latin}/u;

interface Edition {
  readonly language: string;
  readonly variant?: string;
}

const ENGLISH: Edition = { language: "en" };

/** If the edition in the question's language has too few hits, the English edition is searched too. */
function createWikipedia({ client }: SourceOptions): SearchFunctions {
  async function searchEdition(edition: Edition, words: readonly string[], limit: number, context: CallContext) {
    if (words.length === 0) return [];
    return allThenAny(words, async (operator) => {
      const line = joinWithin(words, operator === "AND" ? " " : " OR ", MAX_QUERY);
      const url = queryUrl(edition, line, Math.min(limit, MAX_PAGES));
      return readPages(await client.json(QueryAnswerSchema, url, context), edition);
    });
  }

  return {
    wordsOf: ({ text, written }) => joinWithin(searchWords(text, written), " ", MAX_QUERY),
    async search({ text, written, language, limit }, context) {
      const words = searchWords(text, written);
      const own = editionFor(language);
      const found = await searchEdition(own, words, limit, context);
      if (own.language === "en" || found.length >= limit) return { found };
      // Words in Latin letters are mostly names, which are the same in English.
      const names = words.filter((word) => LATIN.test(word));
      try {
        return { found: [...found, ...(await searchEdition(ENGLISH, names, limit, context))] };
      } catch (error) {
        context.signal.throwIfAborted();
        if (found.length === 0) throw error;
        return { found, gaps: `the English edition could not be asked: ${toDossierError(error).message}` };
      }
    },
  };
}

function editionFor(tag: string): Edition {
  const language = primaryLanguage(tag);
  if (!EDITIONS.includes(language)) return ENGLISH;
  return language === "zh" ? { language, variant: chineseVariant(tag) } : { language };
}

function chineseVariant(tag: string): string {
  if (/-(?:hk|mo)\b/i.test(tag)) return "zh-hk";
  return isTraditionalChinese(tag) ? "zh-tw" : "zh-cn";
}

function hostOf(language: string): string {
  return `${language}.wikipedia.org`;
}

function queryUrl({ language, variant }: Edition, words: string, count: number): URL {
  return withQuery(`https://${hostOf(language)}/w/api.php`, {
    action: "query",
    format: "json",
    formatversion: "2",
    generator: "search",
    gsrsearch: words,
    gsrnamespace: "0",
    gsrlimit: count,
    prop: "extracts|revisions",
    exintro: "1",
    explaintext: "1",
    exlimit: MAX_PAGES,
    rvprop: "timestamp",
    variant,
  });
}

function readPages({ query }: z.infer<typeof QueryAnswerSchema>, edition: Edition): FoundWork[] {
  const items = [...Object.values(query?.pages ?? {}), ...(query?.search ?? [])];
  const pages = readItems("wikipedia", PageSchema, items).filter(({ missing }) => missing === undefined);
  const rank = ({ index }: Page): number => index ?? Number.MAX_SAFE_INTEGER;
  return pages.toSorted((a, b) => rank(a) - rank(b)).map((page) => toWork(page, edition));
}

/** `publishedAt` is the day of the last change. `fullTextUrl` is the page in the reader's variant of Chinese. */
function toWork({ title, extract, snippet, revisions, timestamp }: Page, { language, variant }: Edition): FoundWork {
  return {
    title,
    url: addressOf(language, title),
    publishedAt: revisions?.[0]?.timestamp ?? timestamp,
    snippet: extract ?? snippet,
    venue: `Wikipedia (${language})`,
    licence: "cc-by-sa-4.0",
    ...(variant !== undefined && { fullTextUrl: addressOf(language, title, variant) }),
  };
}

/** MediaWiki does not encode these characters in the URL of a page. */
const NOT_ENCODED = /%(?:24|2C|2F|3A|3B|40)/g;

function addressOf(language: string, title: string, variant = "wiki"): string {
  const name = encodeURIComponent(title.toWellFormed().replaceAll(" ", "_"))
    .replaceAll(NOT_ENCODED, decodeURIComponent)
    .replaceAll("'", "%27");
  return `https://${hostOf(language)}/${variant}/${name}`;
}

/** Maps MediaWiki's codes to ours; the first match counts: https://www.mediawiki.org/wiki/API:Errors_and_warnings. */
const ERROR_CODES: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(?:maxlag|ratelimited|actionthrottledtext|cirrussearch-too-busy-error)/, "rate_limited"],
  [/^(?:blocked|autoblocked|readapidenied|permissiondenied|assert)/, "blocked"],
  [/^(?:readonly|internal_api_error|cirrussearch|search-error|srsearch-error)/, "unreachable"],
];

function apiError({ text }: Answer): DossierError | null {
  if (!text.trimStart().startsWith("{")) return null;
  const error = ErrorAnswerSchema.safeParse(parseJson(text)).data?.error;
  if (error === undefined) return null;
  const code = ERROR_CODES.find(([pattern]) => pattern.test(error.code))?.[1] ?? "unreadable";
  return new DossierError(code, `wikipedia answered ${error.code}: ${(error.info ?? "no reason given").slice(0, 200)}`);
}

const PageSchema = z.object({
  title: z.string().min(1),
  missing: z.unknown().optional(),
  /** The rank of the page. The answer is not sorted by rank. */
  index: z.number().nullish(),
  extract: z.string().nullish(),
  revisions: z.array(z.object({ timestamp: z.string().nullish() })).nullish(),
  snippet: z.string().nullish(),
  timestamp: z.string().nullish(),
});
type Page = z.infer<typeof PageSchema>;

/** `pages` is an array in format version 2, and an object by page id in version 1. */
const ResultsSchema = z.object({
  search: z.array(z.unknown()).nullish(),
  pages: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish(),
});
const QueryAnswerSchema = z
  .object({ batchcomplete: z.unknown().optional(), query: ResultsSchema.nullish() })
  .refine(({ batchcomplete, query }) => batchcomplete !== undefined || query?.search || query?.pages, "neither a result nor an end");

const ErrorAnswerSchema = z.object({ error: z.object({ code: z.string(), info: z.string().nullish() }) });

import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import { parseJson } from "../../util/json-fields.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { collectPages, webResult } from "../shared/hits.ts";
import { isTraditionalChinese, questionLine, webDayRange } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { type Answer, readItems, withQuery } from "../shared/service-client.ts";

export const BRAVE: SourceEntry = {
  // The smallest plan allows 1 request a second: https://api-dashboard.search.brave.com/documentation/guides/rate-limiting.
  endpoint: { id: "brave", owner: "brave", hosts: ["api.search.brave.com"], rate: { requests: 1, perMs: 1_000, concurrent: 1 } },
  kind: "web",
  title: "Brave Search",
  description: "Brave's web search",
  settings: { apiKey: { variable: "BRAVE_API_KEY", required: true }, baseUrl: { variable: "BRAVE_BASE_URL" } },
  refusal: keyError,
  create: createBrave,
};

/** Brave's documented limits. `offset` counts pages. */
const MAX_QUERY = 400;
const MAX_WORDS = 50;
const PAGE_SIZE = 20;
const MAX_PAGES = 10;
const LANGUAGES = "ar cs da de en es fi fr he hi hu it ko nl pl ru sv th tr uk vi".split(" ");
const OTHER_LANGUAGES: Readonly<Record<string, string>> = { ja: "jp", zh: "zh-hans", pt: "pt-br" };

function createBrave({ client, apiKey = "" }: SourceOptions): SearchFunctions {
  const lineOf = (text: string, written?: true): string => questionLine(text, MAX_QUERY, { written, maxWords: MAX_WORDS });
  return searchByLine(lineOf, (q, query, context) => {
    const { language, limit } = query;
    // Each page costs money, so no extra page is read if a page has too few results.
    const maxPages = Math.min(Math.ceil(limit / PAGE_SIZE), MAX_PAGES);
    return collectPages({ limit, maxPages, signal: context.signal }, async (page) => {
      const url = withQuery("https://api.search.brave.com/res/v1/web/search", {
        q,
        count: Math.min(limit, PAGE_SIZE),
        offset: page > 0 ? page : undefined,
        search_lang: searchLanguageOf(language),
        freshness: webDayRange(query)?.join("to"),
        text_decorations: "false",
        result_filter: "web",
      });
      const headers = { "x-subscription-token": apiKey };
      const answer = await client.json(SearchAnswerSchema, url, context, { headers });
      const found = readItems("brave", webResult({ url: "url", snippet: "description", date: "page_age" }), answer.web?.results ?? []);
      return { found, more: answer.query?.more_results_available !== false };
    });
  });
}

function searchLanguageOf(tag: string): string | undefined {
  if (isTraditionalChinese(tag)) return "zh-hant";
  const language = primaryLanguage(tag);
  return LANGUAGES.includes(language) ? language : OTHER_LANGUAGES[language];
}

/** A wrong key has status 422, like a wrong parameter. Only the body tells them apart. */
function keyError({ status, text }: Answer): DossierError | null {
  if (status !== 422) return null;
  const error = ErrorAnswerSchema.safeParse(parseJson(text)).data?.error;
  if (error?.code.startsWith("SUBSCRIPTION_TOKEN") !== true) return null;
  return new DossierError("blocked", `brave answered 422: ${error.detail ?? error.code} Check BRAVE_API_KEY.`);
}

const SearchAnswerSchema = z.object({
  type: z.literal("search"),
  query: z.object({ more_results_available: z.boolean().nullish() }).nullish(),
  web: z.object({ results: z.array(z.unknown()) }).nullish(),
});

const ErrorAnswerSchema = z.object({ error: z.object({ code: z.string(), detail: z.string().nullish() }) });

import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import { parseJson } from "../../util/json-fields.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { calendarDate, collectPages, FoundAddressSchema, type ResultPage, webHit } from "../shared/hits.ts";
import { isTraditionalChinese, questionLine, webDayRange } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { type AnswerCheck, createServiceClient, readItems, withQuery } from "../shared/service-client.ts";

export const BRAVE: SourceEntry = {
  // The smallest plan allows 1 request a second: https://api-dashboard.search.brave.com/documentation/guides/rate-limiting.
  endpoint: { id: "brave", owner: "brave", hosts: ["api.search.brave.com"], rate: { requests: 1, perMs: 1_000, concurrent: 1 } },
  kind: "web",
  title: "Brave Search",
  description: "Brave's web search",
  settings: { apiKey: { variable: "BRAVE_API_KEY", required: true }, baseUrl: { variable: "BRAVE_BASE_URL" } },
  create: createBrave,
};

/** Brave's documented limits. `offset` counts pages. */
const MAX_QUERY = 400;
const MAX_WORDS = 50;
const PAGE_SIZE = 20;
const MAX_PAGES = 10;
const LANGUAGES = "ar cs da de en es fi fr he hi hu it ko nl pl ru sv th tr uk vi".split(" ");
const OTHER_LANGUAGES: Readonly<Record<string, string>> = { ja: "jp", zh: "zh-hans", pt: "pt-br" };

function createBrave({ fetch, apiKey = "" }: SourceOptions): SearchFunctions {
  const client = createServiceClient(BRAVE.endpoint, fetch, keyError, apiKey);
  const lineOf = (text: string, written?: true): string => questionLine(text, MAX_QUERY, { written, maxWords: MAX_WORDS });
  return searchByLine(lineOf, (q, query, context) => {
    const { language, limit } = query;
    const readPage = async (page: number): Promise<ResultPage> => {
      const url = withQuery("https://api.search.brave.com/res/v1/web/search", {
        q,
        count: Math.min(limit, PAGE_SIZE),
        offset: page > 0 ? page : undefined,
        search_lang: searchLanguageOf(language),
        freshness: webDayRange(query)?.join("to"),
        text_decorations: "false",
        result_filter: "web",
      });
      const answer = await client.json(SearchAnswerSchema, url, context, { headers: { "x-subscription-token": apiKey } });
      const hits = readItems("brave", ResultSchema, answer.web?.results ?? []).map(({ title, url: address, description, page_age }) =>
        webHit({ foundBy: "brave", title, url: address, publishedAt: calendarDate(page_age), snippet: description ?? "" }),
      );
      return { hits, more: answer.query?.more_results_available !== false };
    };
    // Each page costs money, so no extra page is read if a page has too few results.
    return collectPages(limit, Math.min(Math.ceil(limit / PAGE_SIZE), MAX_PAGES), context.signal, readPage);
  });
}

function searchLanguageOf(tag: string): string | undefined {
  if (isTraditionalChinese(tag)) return "zh-hant";
  const language = primaryLanguage(tag);
  return LANGUAGES.includes(language) ? language : OTHER_LANGUAGES[language];
}

/** A wrong key has status 422, like a wrong parameter. Only the body tells them apart. */
const keyError: AnswerCheck = ({ status, text }) => {
  if (status !== 422) return null;
  const error = ErrorAnswerSchema.safeParse(parseJson(text)).data?.error;
  if (error?.code.startsWith("SUBSCRIPTION_TOKEN") !== true) return null;
  return new DossierError("blocked", `brave answered 422: ${error.detail ?? error.code} Check BRAVE_API_KEY.`);
};

const SearchAnswerSchema = z.object({
  type: z.literal("search"),
  query: z.object({ more_results_available: z.boolean().nullish() }).nullish(),
  web: z.object({ results: z.array(z.unknown()) }).nullish(),
});

const ResultSchema = z.object({
  title: z.string(),
  url: FoundAddressSchema,
  description: z.string().nullish(),
  page_age: z.string().nullish(),
});

const ErrorAnswerSchema = z.object({ error: z.object({ code: z.string(), detail: z.string().nullish() }) });

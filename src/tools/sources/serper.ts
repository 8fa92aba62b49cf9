import { z } from "zod";
import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { calendarDate, collectPages, FoundAddressSchema, type ResultPage, webHit } from "../services/hits.ts";
import { isTraditionalChinese, primaryLanguage, questionLine } from "../services/query.ts";
import { readItems } from "../services/read-answer.ts";
import { type AnswerCheck, createServiceClient } from "../services/service-client.ts";

/** Its plans begin at 50 requests a second: https://serper.dev. No run needs so many. */
export const SERPER: Endpoint = {
  id: "serper",
  owner: "serper",
  hosts: ["google.serper.dev"],
  rate: { requests: 5, perMs: 1_000, concurrent: 2 },
};

const MAX_QUERY = 400;
/** What Google puts on one page; each page is one credit. */
const PAGE_SIZE = 10;
const MAX_PAGES = 5;
/** A page may be short of a few; one that is half empty is the last. */
const FULL_PAGE = 6;

/** Google's web results by way of serper.dev. */
export function createSerper({ fetch, apiKey = "" }: SourceOptions): SearchSource {
  const client = createServiceClient(SERPER, fetch, judge, apiKey);
  return {
    id: "serper",
    kind: "web",
    title: "Google (Serper)",
    async search({ text, language, limit }, context) {
      const q = questionLine(text, MAX_QUERY);
      if (q === "") return [];
      const readPage = async (page: number): Promise<ResultPage> => {
        const answer = await client.json(SearchAnswerSchema, "https://google.serper.dev/search", context, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": apiKey },
          body: JSON.stringify({ q, hl: interfaceLanguage(language), num: PAGE_SIZE, page: page + 1 }),
        });
        const hits = readItems("serper", ResultSchema, answer.organic ?? []).map(({ title, link, snippet, date }) =>
          webHit({ foundBy: "serper", title, url: link, publishedAt: calendarDate(date), snippet: snippet ?? "" }),
        );
        return { hits, more: hits.length >= FULL_PAGE };
      };
      return collectPages(limit, Math.min(Math.ceil(limit / PAGE_SIZE), MAX_PAGES), context.signal, readPage);
    },
  };
}

/** Credits that are used up are answered with 400, like a request that makes no sense. */
const judge: AnswerCheck = ({ status, text }) =>
  status === 400 && /not enough credits/i.test(text)
    ? new DossierError("rate_limited", "serper answered 400: the credits of the account are used up.")
    : null;

function interfaceLanguage(tag: string): string {
  const language = primaryLanguage(tag);
  if (language !== "zh") return language || "en";
  return isTraditionalChinese(tag) ? "zh-tw" : "zh-cn";
}

/** `searchParameters` repeats what was asked; `organic` is left out where nothing was found. */
const SearchAnswerSchema = z.object({
  searchParameters: z.record(z.string(), z.unknown()),
  organic: z.array(z.unknown()).nullish(),
});

const ResultSchema = z.object({
  title: z.string(),
  link: FoundAddressSchema,
  snippet: z.string().nullish(),
  /** As Google shows it, in the language of the page of results: `Mar 5, 2023`, `2023年3月5日`, `2 days ago`. */
  date: z.string().nullish(),
});

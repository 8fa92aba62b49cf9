import { z } from "zod";
import { UNDETERMINED } from "../../domain/language-code.ts";
import { DossierError } from "../../errors.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { collectPages, webResult } from "../shared/hits.ts";
import { dateFilters, isTraditionalChinese, questionLine } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import { readItems } from "../shared/service-client.ts";

export const SERPER: SourceEntry = {
  // Serper allows at least 50 requests a second (https://serper.dev); a run needs fewer.
  endpoint: { id: "serper", owner: "serper", hosts: ["google.serper.dev"], rate: { requests: 5, perMs: 1_000, concurrent: 2 } },
  kind: "web",
  title: "Google (Serper)",
  description: "Google's results by serper.dev",
  settings: { apiKey: { variable: "SERPER_API_KEY", required: true }, baseUrl: { variable: "SERPER_BASE_URL" } },
  // An account without credits gets status 400, like a malformed request.
  refusal: ({ status, text }) =>
    status === 400 && /not enough credits/i.test(text)
      ? new DossierError("rate_limited", "serper answered 400: the account has no credits left.")
      : null,
  create: createSerper,
};

const MAX_QUERY = 400;
/** Each page costs one credit. */
const PAGE_SIZE = 10;
const MAX_PAGES = 5;
/** Pages before the last one can have fewer than `PAGE_SIZE` results, but not fewer than this. */
const FULL_PAGE = 6;

function createSerper({ client, apiKey = "" }: SourceOptions): SearchFunctions {
  const lineOf = (text: string, written?: true): string => questionLine(text, MAX_QUERY, { written });
  return searchByLine(lineOf, (q, query, context) => {
    const { language, limit } = query;
    const days = dateFilters(query, "cd_min", "cd_max")?.replaceAll(/(\d{4})-0?(\d{1,2})-0?(\d{1,2})/g, "$2/$3/$1");
    const tbs = days && `cdr:1,${days}`;
    const maxPages = Math.min(Math.ceil(limit / PAGE_SIZE), MAX_PAGES);
    return collectPages({ limit, maxPages, signal: context.signal }, async (page) => {
      const answer = await client.json(SearchAnswerSchema, "https://google.serper.dev/search", context, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": apiKey },
        body: JSON.stringify({ q, hl: interfaceLanguage(language), num: PAGE_SIZE, page: page + 1, tbs }),
      });
      const found = readItems("serper", webResult({ url: "link", snippet: "snippet", date: "date" }), answer.organic ?? []);
      return { found, more: found.length >= FULL_PAGE };
    });
  });
}

function interfaceLanguage(tag: string): string | undefined {
  const language = primaryLanguage(tag);
  if (language === UNDETERMINED) return undefined;
  if (language !== "zh") return language || "en";
  return isTraditionalChinese(tag) ? "zh-tw" : "zh-cn";
}

const SearchAnswerSchema = z.object({
  searchParameters: z.record(z.string(), z.unknown()),
  organic: z.array(z.unknown()).nullish(),
});

import { z } from "zod";
import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { calendarDate, collectPages, FoundAddressSchema, type ResultPage, webHit } from "../services/hits.ts";
import { keywordLine } from "../services/query.ts";
import { readItems } from "../services/read-answer.ts";
import { type AnswerCheck, createServiceClient } from "../services/service-client.ts";

/** Everybody runs it at an address of their own, which sets its limits; each search becomes many at the engines behind it. */
export const SEARXNG: Endpoint = {
  id: "searxng",
  owner: "searxng",
  hosts: ["searxng.invalid"],
  rate: { requests: 2, perMs: 1_000, concurrent: 2 },
};

const MAX_QUERY = 400;
const MAX_PAGES = 3;
/** Each engine gives about ten; where all of them together give fewer, they have no more. */
const FULL_PAGE = 10;

/** A SearXNG of the operator's, which asks many search engines: https://docs.searxng.org/dev/search_api.html. */
export function createSearxng({ fetch }: SourceOptions): SearchSource {
  const client = createServiceClient(SEARXNG, fetch, judge);
  return {
    id: "searxng",
    kind: "web",
    title: "SearXNG",
    async search({ text, language, limit }, context) {
      const words = keywordLine(text, MAX_QUERY);
      if (words === "") return [];
      const readPage = async (page: number): Promise<ResultPage> => {
        const answer = await client.json(SearchAnswerSchema, searchUrl(words, language, page + 1), context);
        if (page === 0) checkOutage(answer);
        const hits = readItems("searxng", ResultSchema, answer.results).map(({ title, url, content, publishedDate }) =>
          webHit({ foundBy: "searxng", title, url, publishedAt: calendarDate(publishedDate), snippet: content ?? "" }),
        );
        return { hits, more: answer.results.length >= FULL_PAGE };
      };
      return collectPages(limit, MAX_PAGES, context.signal, readPage);
    },
  };
}

function searchUrl(words: string, language: string, page: number): URL {
  const url = new URL("https://searxng.invalid/search");
  url.searchParams.set("q", words);
  url.searchParams.set("format", "json");
  url.searchParams.set("language", language);
  if (page > 1) url.searchParams.set("pageno", String(page));
  return url;
}

/** No results from engines that could not be asked are an outage, not "nothing found". */
function checkOutage({ results, unresponsive_engines }: z.infer<typeof SearchAnswerSchema>): void {
  if (results.length > 0 || (unresponsive_engines ?? []).length === 0) return;
  const named = (unresponsive_engines ?? []).flatMap((engine) => {
    const [name, why] = UnresponsiveEngineSchema.safeParse(engine).data ?? [];
    return name === undefined ? [] : [`${name} (${why})`];
  });
  throw new DossierError(
    "unreachable",
    `searxng has no results, and its engines could not be asked: ${named.join(", ") || "it does not say which"}.`,
  );
}

/** A page that wants to see a browser first, as public instances put before themselves. */
const VERIFICATION = /<title>[^<]*(?:verifying your request|just a moment|checking your browser|making sure you're not a bot)/i;

/** JSON is off in a fresh instance, which then answers 403; the limiter gives programs a few answers an hour. */
const judge: AnswerCheck = ({ status, text }) => {
  if (status === 403) {
    return new DossierError("blocked", "searxng answered 403: JSON is off there. Add json to search.formats in its settings.yml.");
  }
  if (status === 429) {
    return new DossierError("rate_limited", "searxng answered 429: its limiter is on. Let this machine pass in its limiter.toml.");
  }
  if (VERIFICATION.test(text)) return new DossierError("blocked", "searxng wants to see a browser before it answers.");
  return null;
};

/** `number_of_results` may be absent and means little; it is not used. */
const SearchAnswerSchema = z.object({
  results: z.array(z.unknown()),
  /** Pairs of an engine's name and why it gave nothing. */
  unresponsive_engines: z.array(z.unknown()).nullish(),
});

const UnresponsiveEngineSchema = z.tuple([z.string(), z.string()]).rest(z.unknown());

const ResultSchema = z.object({
  title: z.string(),
  url: FoundAddressSchema,
  content: z.string().nullish(),
  /** `2024-03-27T00:00:00`, from the few engines that tell. */
  publishedDate: z.string().nullish(),
});

import type { Endpoint } from "../../domain/ports/http-fetch.ts";
import type { SearchSource } from "../../domain/ports/search-source.ts";
import { webHit } from "../hits/web-hit.ts";
import { primaryLanguage } from "../query/language-tag.ts";
import { keywordLine } from "../query/query-line.ts";
import { createServiceClient } from "../services/service-client.ts";
import type { SourceOptions } from "../services/source-entry.ts";
import { judge } from "./judge.ts";
import { readResults } from "./read-results.ts";

/** Made for people: there is no documented limit, and whoever asks often is shown a challenge. */
export const DUCKDUCKGO: Endpoint = {
  id: "duckduckgo",
  owner: "duckduckgo",
  hosts: ["html.duckduckgo.com"],
  rate: { requests: 1, perMs: 3_000, concurrent: 1 },
};

const MAX_QUERY = 400;
/** Values of the form's field `kl`; all regions where there is none. */
const REGIONS: Readonly<Record<string, string>> = {
  ar: "xa-ar",
  de: "de-de",
  es: "es-es",
  fr: "fr-fr",
  it: "it-it",
  ja: "jp-jp",
  ko: "kr-kr",
  nl: "nl-nl",
  pl: "pl-pl",
  pt: "pt-pt",
  ru: "ru-ru",
  sv: "se-sv",
  tr: "tr-tr",
  uk: "ua-uk",
  zh: "cn-zh",
};

/** The first page of DuckDuckGo's results without scripts, asked for as its own form does. */
export function createDuckduckgo({ fetch }: SourceOptions): SearchSource {
  const client = createServiceClient(DUCKDUCKGO, fetch, judge);
  return {
    id: "duckduckgo",
    kind: "web",
    title: "DuckDuckGo",
    async search({ text, language, limit }, context) {
      const q = keywordLine(text, MAX_QUERY);
      if (q === "") return [];
      const form = new URLSearchParams({ q, kl: REGIONS[primaryLanguage(language)] ?? "wt-wt" });
      const page = await client.text("https://html.duckduckgo.com/html/", context, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
        body: form.toString(),
      });
      const results = await readResults(page);
      return results.slice(0, limit).map((result) => webHit({ foundBy: "duckduckgo", ...result }));
    },
  };
}

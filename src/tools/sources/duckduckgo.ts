import type { Endpoint, SearchSource } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import type { SourceOptions } from "../services/entry.ts";
import { FoundAddressSchema, webHit } from "../services/hits.ts";
import { keywordLine, primaryLanguage } from "../services/query.ts";
import { type AnswerCheck, createServiceClient } from "../services/service-client.ts";

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

/** The form of the challenge. Results cannot contain it: their texts are escaped. Bounded, as what it looks at may be anything. */
const CHALLENGE = /<form\s[^<>]{0,200}\baction="[^"<>?]{0,200}\/anomaly\.js/i;

/** The challenge for bots comes with status 202, or with 200 like an ordinary page. */
const judge: AnswerCheck = ({ status, text }) =>
  status === 202 || CHALLENGE.test(text)
    ? new DossierError("blocked", "duckduckgo wants to see a human: it showed its challenge instead of results. Search less often.")
    : null;

interface Result {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A page of results has some 40,000 characters and 1,000 marks; the parser takes time quadratic in what is nested. */
const MAX_LENGTH = 1_000_000;
const MAX_MARKS = 10_000;

/**
 * The results of a page of html.duckduckgo.com, without advertisements.
 * @throws DossierError `unreadable` for a page that neither has results nor says that there are none
 */
async function readResults(page: string): Promise<Result[]> {
  if (!/<\/html>\s*$/i.test(page)) throw new DossierError("unreadable", "duckduckgo answered with a page that is not complete.");
  if (page.length > MAX_LENGTH || (page.match(/[<&]/g)?.length ?? 0) > MAX_MARKS)
    throw new DossierError("unreadable", "duckduckgo answered with a page far larger than a page of results.");
  // Loaded when it is needed first: few runs search here, and it takes a tenth of a second.
  const { parseHTML } = await import("linkedom");
  const { document } = parseHTML(page);
  if (document.querySelector(".no-results, .result--no-result") !== null) return [];
  const blocks: readonly PageElement[] = [...document.querySelectorAll("#links .result")];
  if (blocks.length === 0) throw new DossierError("unreadable", "duckduckgo answered with a page without results of a known form.");
  const results = blocks.filter((block) => !block.classList.contains("result--ad"));
  const read = results.flatMap((block) => readResult(block) ?? []);
  if (read.length === 0 && results.length > 0) throw new DossierError("unreadable", "duckduckgo answered with results of an unknown form.");
  return read;
}

/** As much of an element as is read here; linkedom's own types need the DOM library of a browser. */
interface PageElement {
  readonly textContent: string | null;
  readonly classList: { contains(name: string): boolean };
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}

function readResult(block: PageElement): Result | null {
  const link = block.querySelector("a.result__a");
  const url = targetOf(link?.getAttribute("href") ?? "");
  if (url === null) return null;
  return { title: link?.textContent ?? "", url, snippet: block.querySelector(".result__snippet")?.textContent ?? "" };
}

/** Where a result leads: links go by way of `//duckduckgo.com/l/?uddg=`; what leads to the site itself is an advertisement. */
function targetOf(href: string): string | null {
  if (!URL.canParse(href, "https://html.duckduckgo.com")) return null;
  const link = new URL(href, "https://html.duckduckgo.com");
  const own = link.hostname === "duckduckgo.com" || link.hostname.endsWith(".duckduckgo.com");
  const target = own && link.pathname === "/l/" ? link.searchParams.get("uddg") : own ? null : link.href;
  return FoundAddressSchema.safeParse(target).data ?? null;
}

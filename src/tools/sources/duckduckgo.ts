import { DossierError } from "../../errors.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import type { SearchFunctions, SourceEntry, SourceOptions } from "../shared/entry.ts";
import { FoundAddressSchema, type FoundWork } from "../shared/hits.ts";
import { keywordLine, webDayRange } from "../shared/query.ts";
import { searchByLine } from "../shared/searches.ts";
import type { Answer } from "../shared/service-client.ts";

export const DUCKDUCKGO: SourceEntry = {
  // No limit is documented. Frequent requests get a CAPTCHA.
  endpoint: { id: "duckduckgo", owner: "duckduckgo", hosts: ["html.duckduckgo.com"], rate: { requests: 1, perMs: 3_000, concurrent: 1 } },
  kind: "web",
  title: "DuckDuckGo",
  description: "DuckDuckGo's page for browsers without scripts",
  settings: { baseUrl: { variable: "DUCKDUCKGO_BASE_URL" } },
  onlyWhenNamed: true,
  refusal: challengeError,
  create: createDuckduckgo,
};

const MAX_QUERY = 400;
const REGIONS = new Map(
  "ar xa-ar,de de-de,es es-es,fr fr-fr,it it-it,ja jp-jp,ko kr-kr,nl nl-nl,pl pl-pl,pt pt-pt,ru ru-ru,sv se-sv,tr tr-tr,uk ua-uk,zh cn-zh"
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);
const ALL_REGIONS = "wt-wt";

function createDuckduckgo({ client }: SourceOptions): SearchFunctions {
  const lineOf = (text: string, written?: true): string => keywordLine(text, MAX_QUERY, written);
  return searchByLine(lineOf, async (q, query, context) => {
    const form = new URLSearchParams({ q, kl: REGIONS.get(primaryLanguage(query.language)) ?? ALL_REGIONS });
    const df = webDayRange(query)?.join("..");
    if (df !== undefined) form.set("df", df);
    const page = await client.text("https://html.duckduckgo.com/html/", context, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
      body: form.toString(),
    });
    return readResults(page);
  });
}

/** The form of a CAPTCHA. Results contain no form, because their text is escaped. The bounds keep the matching fast. */
const CHALLENGE = /<form\s[^<>]{0,200}\baction="[^"<>?]{0,200}\/anomaly\.js/i;

function challengeError({ status, text }: Answer): DossierError | null {
  return status === 202 || CHALLENGE.test(text)
    ? new DossierError("blocked", "duckduckgo answered with a CAPTCHA for bots instead of results. Search less often.")
    : null;
}

/** Far above a normal page of results. The parser can take quadratic time for nested elements. */
const MAX_LENGTH = 1_000_000;
const MAX_MARKS = 10_000;

/** Leaves out advertisements. @throws DossierError `unreadable` if the page has neither results nor a `.no-results` element */
async function readResults(page: string): Promise<FoundWork[]> {
  if (!/<\/html>\s*$/i.test(page)) throw new DossierError("unreadable", "duckduckgo answered with an incomplete page.");
  if (page.length > MAX_LENGTH || (page.match(/[<&]/g)?.length ?? 0) > MAX_MARKS)
    throw new DossierError("unreadable", "duckduckgo answered with a page far larger than a page of results.");
  // Loaded on first use: loading takes 0.1 s, and few runs need the parser.
  const { parseHTML } = await import("linkedom");
  const { document } = parseHTML(page);
  if (document.querySelector(".no-results, .result--no-result") !== null) return [];
  const blocks: readonly PageElement[] = [...document.querySelectorAll("#links .result")];
  if (blocks.length === 0) throw new DossierError("unreadable", "duckduckgo answered with a page in which no results were recognized.");
  const results = blocks.filter((block) => !block.classList.contains("result--ad"));
  const read = results.flatMap((block) => readResult(block) ?? []);
  if (read.length === 0 && results.length > 0) throw new DossierError("unreadable", "duckduckgo answered with unknown results.");
  return read;
}

/** linkedom's types need the DOM types of a browser, so this declares the few members in use. */
interface PageElement {
  readonly textContent: string | null;
  readonly classList: { contains(name: string): boolean };
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}

function readResult(block: PageElement): FoundWork | null {
  const link = block.querySelector("a.result__a");
  const url = targetOf(link?.getAttribute("href") ?? "");
  if (url === null) return null;
  return { title: link?.textContent ?? "", url, snippet: block.querySelector(".result__snippet")?.textContent ?? "" };
}

/** A result links to `//duckduckgo.com/l/?uddg=TARGET`. Other links to DuckDuckGo are advertisements and give null. */
function targetOf(href: string): string | null {
  const link = URL.parse(href, "https://html.duckduckgo.com");
  if (link === null) return null;
  const own = link.hostname === "duckduckgo.com" || link.hostname.endsWith(".duckduckgo.com");
  const target = own && link.pathname === "/l/" ? link.searchParams.get("uddg") : own ? null : link.href;
  return FoundAddressSchema.safeParse(target).data ?? null;
}

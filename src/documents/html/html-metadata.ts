import { collapse } from "../block-text.ts";
import { normaliseDate } from "../normalise-date.ts";
import { bodyOf, type DomDocument, type DomNode } from "./dom.ts";
import { datelineDate, visibleByline, visibleDate, withoutLeadIn } from "./visible-facts.ts";

/** What a page says about itself; null where it says nothing. */
export interface PageMetadata {
  readonly title: string | null;
  readonly language: string | null;
  readonly publishedAt: string | null;
  readonly author: string | null;
}

const TITLE_KEYS = ["citation_title", "og:title", "twitter:title", "dc.title", "dcterms.title"];
const AUTHOR_KEYS = ["author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author"];
const DATE_KEYS = [
  "article:published_time",
  "article:published",
  "og:published_time",
  "citation_publication_date",
  "citation_date",
  "datepublished",
  "dc.date",
  "dc.date.issued",
  "dcterms.created",
  "dcterms.date",
  "dcterms.issued",
  "pubdate",
  "publishdate",
  "publish_date",
  "parsely-pub-date",
  "date",
];
const MAX_JSON_LD_ENTRIES = 200;

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads meta tags, JSON-LD and `<time>`. Call it before anything takes the document apart. */
export function pageMetadata(document: DomDocument): PageMetadata {
  const metas = metaTags(document);
  const article = articleData(document);
  const body = bodyOf(document);
  const named = (keys: readonly string[]): string[] => keys.flatMap((key) => metas.get(key) ?? []);
  return {
    // Last the headline: some sites (Wikipedia) put a description there.
    title: withoutSite(firstText([...named(TITLE_KEYS), documentTitle(document), article?.["headline"]]), metas.get("og:site_name") ?? ""),
    language: languageOf(document, metas),
    publishedAt:
      firstDate([article?.["datePublished"], ...named(DATE_KEYS), ...times(document)]) ?? visibleDate(body) ?? datelineDate(body),
    author: authorOf([nameOfPerson(article?.["author"]), ...named(AUTHOR_KEYS)]) ?? visibleByline(body),
  };
}

function metaTags(document: DomDocument): Map<string, string> {
  const tags = new Map<string, string>();
  for (const meta of document.querySelectorAll("meta[content]")) {
    const content = attribute(meta, "content");
    for (const name of ["property", "name", "itemprop", "http-equiv"]) {
      for (const key of attribute(meta, name).toLowerCase().split(/\s+/)) {
        if (key !== "" && !tags.has(key)) tags.set(key, content);
      }
    }
  }
  return tags;
}

/** The title that names the page rather than page and site: the only `<h1>` where `<title>` begins with it. */
function documentTitle(document: DomDocument): string | null {
  const title = firstText(Array.from(document.querySelectorAll("title"), (node) => node.textContent));
  const headings = Array.from(document.querySelectorAll("h1"), (node) => collapse(node.textContent ?? ""));
  const [heading = ""] = headings;
  if (title === null) return firstText(headings);
  return headings.length === 1 && heading.length > 1 && title.startsWith(heading) ? heading : title;
}

/** "Headline - Site" without the site. */
function withoutSite(title: string | null, site: string): string | null {
  if (!title || site === "" || !title.endsWith(site)) return title;
  return /^(.+?)\s*[-|–—:·_]\s*$/u.exec(title.slice(0, -site.length))?.[1] ?? title;
}

/** A name; some pages give an address, or the byline as it is shown. */
function authorOf(values: readonly (string | null)[]): string | null {
  const name = firstText(values.filter((value) => value !== null && !/^https?:/.test(value)));
  return name === null ? null : withoutLeadIn(name);
}

function languageOf(document: DomDocument, metas: ReadonlyMap<string, string>): string | null {
  const root = document.documentElement;
  return firstText([root && (attribute(root, "lang") || attribute(root, "xml:lang")), metas.get("content-language")]);
}

function times(document: DomDocument): string[] {
  const marked = document.querySelectorAll("time[pubdate], time[itemprop=datePublished], article time[datetime]");
  return Array.from(marked, (node) => attribute(node, "datetime"));
}

/** The JSON-LD entry that describes the page: the first with a headline or a date of publication. */
function articleData(document: DomDocument): JsonObject | undefined {
  const scripts = Array.from(document.querySelectorAll('script[type="application/ld+json"]'));
  return scripts.flatMap((script) => entries(script.textContent ?? "")).find((entry) => entry["headline"] || entry["datePublished"]);
}

function entries(json: string): JsonObject[] {
  try {
    const queue: unknown[] = [JSON.parse(json.replaceAll(/^\s*(?:<!--|<!\[CDATA\[)|(?:-->|\]\]>)\s*$/g, ""))];
    const found: JsonObject[] = [];
    // The queue grows while it is gone through; the bound is against data that only nests.
    for (let i = 0; i < queue.length && i < MAX_JSON_LD_ENTRIES; i++) {
      const value = queue[i];
      if (Array.isArray(value)) queue.push(...value.slice(0, MAX_JSON_LD_ENTRIES));
      else if (isObject(value)) {
        found.push(value);
        if (Array.isArray(value["@graph"])) queue.push(value["@graph"]);
      }
    }
    return found;
  } catch {
    return [];
  }
}

function nameOfPerson(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.slice(0, 20).map(nameOfPerson).filter(Boolean).join(", ") || null;
  return isObject(value) && typeof value["name"] === "string" ? value["name"] : null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstText(values: readonly unknown[]): string | null {
  for (const value of values) {
    const text = typeof value === "string" ? collapse(value) : "";
    if (text !== "") return text;
  }
  return null;
}

function firstDate(values: readonly unknown[]): string | null {
  for (const value of values) {
    const date = typeof value === "string" ? normaliseDate(value) : null;
    if (date) return date;
  }
  return null;
}

function attribute(node: DomNode, name: string): string {
  return node.getAttribute?.(name) ?? "";
}

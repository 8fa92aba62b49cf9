import { collapse } from "../block-text.ts";
import { isDateLine, normalizeDate } from "../dates.ts";
import { clutterWord, namesOf } from "./clutter.ts";
import { bodyOf, type DomDocument, type DomNode, isElement, isText, walk } from "./dom.ts";

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
    const date = typeof value === "string" ? normalizeDate(value) : null;
    if (date) return date;
  }
  return null;
}

function attribute(node: DomNode, name: string): string {
  return node.getAttribute?.(name) ?? "";
}

const MAX_NAME_LENGTH = 100;
/** A line about the date, with words such as "Updated" and the name of the author. */
const MAX_DATE_LENGTH = 200;
/** `author`, `post-author`, `author-name`, `byline`: not what is about the author, such as a picture or a biography. */
const BYLINE_NAME = /^(?:[\w-]{0,40}-)?(?:by-?lines?|authors?|author-?names?|written-?by)(?:-(?:name|names|link|text|title))?$/;
const DATE_NAME = /^(?:[\w-]{0,40}-)?(?:\w{0,20}date(?:-?(?:time|published|pub|line))?|published|posted-on|timestamp)$/;
/** Parts of a page that name the authors and dates of something else. */
const OTHERS = /comment|repl(?:y|ies)|related|recirc|recommended|sidebar|widget|promo|teaser|popular|trending|latest|more-/;
const LEAD_IN =
  /^(?:(?:written|posted|published|story|text|words)\s+)?(?:by|von|par|por|di|door|oleh|автор|作者|文|記者|记者)(?:\s*[:：]\s*|\s+)/iu;
/** A date, a department, a dash that leads on to them. */
const AFTER_NAME = /(?:\s*\d.*|\s+[-–—|•·].*|[\s,:;|–—-]+)$/u;
const LINE = /^(?:br|div|li|p|time)$/;
const SILENT = /^(?:script|style|svg)$/;
/** Characters and lines behind the headline within which the date of an article stands, and the length of its line. */
const DATELINE_REACH = 600;
const MAX_DATELINES = 6;
const MAX_DATELINE_LENGTH = 70;
const LINE_END = /[.!?。！？]["'”’」』]?$/u;
const WRITTEN_DATE =
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2}))?|\d{4}年\d{1,2}月\d{1,2}日|\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|\b\d{1,2}\/\d{1,2}\/\d{4}\b|\b[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}\b|\b\d{1,2}\.? [A-Z][a-z]{2,8}\.? \d{4}\b/u;

/** "By Ada Lindqvist" without "By"; a name as it is. */
function withoutLeadIn(name: string): string {
  return collapse(name).replace(LEAD_IN, "");
}

/** The author as the page shows it, without "By" and without a date that follows; null where no part is marked as that. */
function visibleByline(root: DomNode): string | null {
  return firstMarked(root, isByline, (lines) => {
    const names = lines.map(withoutLeadIn).filter((line) => /\p{L}{2}/u.test(line) && !isDateLine(line) && !LEAD_IN.test(`${line} `));
    const name = names[0]?.replace(AFTER_NAME, "") ?? "";
    return name === "" || name.length > MAX_NAME_LENGTH ? null : name;
  });
}

/** The first date that the page shows in a part that is marked as one; null where there is none that can be read. */
function visibleDate(root: DomNode): string | null {
  return firstMarked(root, isDate, (lines, node) => {
    const text = lines.join(" ");
    const written = [
      node.getAttribute?.("datetime") ?? "",
      node.getAttribute?.("content") ?? "",
      text.length > MAX_DATE_LENGTH ? "" : text,
    ];
    return written.map((date) => normalizeDate(WRITTEN_DATE.exec(date)?.[0])).find((date) => date !== null) ?? null;
  });
}

/** The date in the first lines after the headline, such as `新华社 2016年10月14日07:17`; null where they have none. */
function datelineDate(root: DomNode): string | null {
  let headings = 0;
  let text = "";
  walk(root, (node) => {
    const name = node.localName ?? "";
    if (name === "h1") {
      headings++;
      text = "";
      return false;
    }
    if (headings > 0 && isText(node)) text += node.nodeValue ?? "";
    else if (LINE.test(name)) text += "\n";
    return SILENT.test(name) ? false : text.length > DATELINE_REACH ? "stop" : true;
  });
  if (headings !== 1) return null;
  const lines = text.split("\n").map(collapse).filter(Boolean).slice(0, MAX_DATELINES);
  const dateline = lines.find((line) => line.length <= MAX_DATELINE_LENGTH && !LINE_END.test(line) && WRITTEN_DATE.test(line));
  return dateline === undefined ? null : normalizeDate(WRITTEN_DATE.exec(dateline)?.[0]);
}

function firstMarked<T>(root: DomNode, isMarked: (node: DomNode) => boolean, read: (lines: string[], node: DomNode) => T | null): T | null {
  let found: T | null = null;
  walk(root, (node) => {
    if (!isElement(node) || OTHERS.test(clutterWord(node) ?? "")) return false;
    if (isMarked(node)) found = read(linesOf(node), node);
    return found === null ? true : "stop";
  });
  return found;
}

function isByline(node: DomNode): boolean {
  if (/\bauthor\b/.test(`${node.getAttribute?.("rel") ?? ""} ${node.getAttribute?.("itemprop") ?? ""}`)) return true;
  return namesOf(node, ["class", "id"]).some((name) => BYLINE_NAME.test(name));
}

function isDate(node: DomNode): boolean {
  if (node.localName === "time" || /\bdatePublished\b/.test(node.getAttribute?.("itemprop") ?? "")) return true;
  return namesOf(node, ["class", "id"]).some((name) => DATE_NAME.test(name));
}

/** The text of a small element by its lines; what is longer than any byline is cut off. */
function linesOf(root: DomNode): string[] {
  let text = "";
  walk(root, (node) => {
    if (isText(node)) text += node.nodeValue ?? "";
    else if (LINE.test(node.localName ?? "")) text += "\n";
    else if (SILENT.test(node.localName ?? "")) return false;
    return text.length > 10 * MAX_NAME_LENGTH ? "stop" : true;
  });
  return text.split("\n").map(collapse).filter(Boolean);
}

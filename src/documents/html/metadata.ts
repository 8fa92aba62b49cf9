import { type Fields, fieldsOf, isFields, listOf, parseJson } from "../../util/json-fields.ts";
import { collapse, type Draft } from "../block-text.ts";
import { normalizeDate, WRITTEN_DATE } from "../dates.ts";
import { clutterWord, namesOf } from "./clutter.ts";
import { attributeOf, bodyOf, type DomDocument, type DomNode, isElement, isText, walk } from "./dom.ts";
import { isDataTable } from "./tables.ts";

export type PageMetadata = Pick<Draft, "title" | "language" | "publishedAt" | "author">;

const TITLE_KEYS = ["citation_title", "og:title", "twitter:title", "dc.title", "dcterms.title"];
const AUTHOR_KEYS = ["author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author"];
const DATE_KEYS = [
  ...["article:published_time", "article:published", "og:published_time", "citation_publication_date", "citation_date", "datepublished"],
  ...["dc.date", "dc.date.issued", "dcterms.created", "dcterms.date", "dcterms.issued"],
  ...["pubdate", "publishdate", "publish_date", "parsely-pub-date", "date"],
];
const MAX_JSON_LD_ENTRIES = 200;

/** Reads meta tags, JSON-LD and visible text. Call it before anything changes the document. */
export function pageMetadata(document: DomDocument): PageMetadata {
  const metas = metaTags(document);
  const article = articleData(document);
  const body = bodyOf(document);
  const root = document.documentElement;
  const named = (keys: readonly string[]): string[] => keys.flatMap((key) => metas.get(key) ?? []);
  const authors = [nameOfPerson(article?.["author"]), ...named(AUTHOR_KEYS)];
  return {
    // JSON-LD's headline comes last: on some sites (Wikipedia) it is a description.
    title: withoutSite(firstText([...named(TITLE_KEYS), documentTitle(document), article?.["headline"]]), metas.get("og:site_name") ?? ""),
    language: firstText([root && (attributeOf(root, "lang") || attributeOf(root, "xml:lang")), metas.get("content-language")]),
    publishedAt: first([article?.["datePublished"], ...named(DATE_KEYS)], normalizeDate) ?? visibleDate(body) ?? datelineDate(body),
    // Some pages give the URL of the author instead of a name.
    author: first(authors, (name) => (/^https?:/.test(name) ? null : withoutLeadIn(name))) ?? visibleByline(body),
  };
}

function metaTags(document: DomDocument): Map<string, string> {
  const tags = new Map<string, string>();
  for (const meta of document.querySelectorAll("meta[content]")) {
    const content = attributeOf(meta, "content");
    const keys = ["property", "name", "itemprop", "http-equiv"].flatMap((name) => attributeOf(meta, name).toLowerCase().split(/\s+/));
    for (const key of keys) if (key !== "" && !tags.has(key)) tags.set(key, content);
  }
  return tags;
}

/** The only `<h1>` if `<title>` begins with it (and may add the site's name); otherwise `<title>`. */
function documentTitle(document: DomDocument): string | null {
  const title = firstText(Array.from(document.querySelectorAll("title"), (node) => node.textContent));
  const headings = Array.from(document.querySelectorAll("h1"), (node) => collapse(node.textContent ?? ""));
  const [heading = ""] = headings;
  if (title === null) return firstText(headings);
  return headings.length === 1 && heading.length > 1 && title.startsWith(heading) ? heading : title;
}

function withoutSite(title: string | null, site: string): string | null {
  if (!title || site === "" || !title.endsWith(site)) return title;
  return /^(.+?)\s*[-|–—:·_]\s*$/u.exec(title.slice(0, -site.length))?.[1] ?? title;
}

function articleData(document: DomDocument): Fields | undefined {
  const scripts = Array.from(document.querySelectorAll('script[type="application/ld+json"]'));
  return scripts.flatMap((script) => entries(script.textContent ?? "")).find((entry) => entry["headline"] || entry["datePublished"]);
}

function entries(json: string): Fields[] {
  const queue = [parseJson(json.replaceAll(/^\s*(?:<!--|<!\[CDATA\[)|(?:-->|\]\]>)\s*$/g, ""))];
  // The queue grows during the loop; the limit stops at endlessly nested data.
  for (let i = 0; i < queue.length && i < MAX_JSON_LD_ENTRIES; i++) {
    const value = queue[i];
    queue.push(...listOf(value).slice(0, MAX_JSON_LD_ENTRIES), ...listOf(fieldsOf(value)["@graph"]).slice(0, MAX_JSON_LD_ENTRIES));
  }
  return queue.slice(0, MAX_JSON_LD_ENTRIES).filter(isFields);
}

function nameOfPerson(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.slice(0, 20).map(nameOfPerson).filter(Boolean).join(", ") || null;
  const { name } = fieldsOf(value);
  return typeof name === "string" ? name : null;
}

function firstText(values: readonly unknown[]): string | null {
  return first(values, collapse);
}

/** The first text that `read` accepts: neither empty nor null. */
function first(values: readonly unknown[], read: (text: string) => string | null): string | null {
  for (const value of values) {
    const found = typeof value === "string" ? read(value) : null;
    if (found) return found;
  }
  return null;
}

const MAX_NAME_LENGTH = 100;
/** In UTF-16 code units: a line with a date, words such as "Updated" and the name of the author. */
const MAX_DATE_LENGTH = 200;
/** `author`, `post-author`, `byline`, but not a picture or a biography of the author. */
const BYLINE_NAME = /^(?:[\w-]{0,40}-)?(?:by-?lines?|authors?|author-?names?|written-?by)(?:-(?:name|names|link|text|title))?$/;
const DATE_NAME = /^(?:[\w-]{0,40}-)?(?:\w{0,20}date(?:-?(?:time|published|pub|line))?|published|posted-on|timestamp)$/;
const OTHERS = /comment|replies|related|recirc|recommended|side-?bar|widget|promo|teaser|popular|trending|latest|more-/;
const LEAD_IN =
  /^(?:(?:written|posted|published|story|text|words)\s+)?(?:by|von|par|por|di|door|oleh|автор|作者|文|記者|记者)(?:\s*[:：]\s*|\s+)/iu;
/** A date or department after an author's name, with a dash before it or not. */
const AFTER_NAME = /(?:\s*\d.*|\s+[-–—|•·].*|[\s,:;|–—-]+)$/u;
const LINE = /^(?:br|div|li|p|time)$/;
const SILENT = /^(?:script|style|svg)$/;
const LIST = /^(?:ul|ol)$/;
/** The date of an article is searched this many UTF-16 code units below the headline. */
const MAX_DATELINE_DISTANCE = 600;
const MAX_DATELINES = 6;
const MAX_DATELINE_LENGTH = 70;
const LINE_END = /[.!?。！？]["'”’」』]?$/u;
/** Labels of the date of publication; `Filing date:` is another date. */
const PUBLICATION = /publi|post(?:ed)?\b|updat|^\W*date\W*$|veröffentlicht|aktualisiert|发布|發布|发表|發表|更新|时间|時間|来源|опублик/iu;
const OTHER_LABEL = /[:：]\s*$|\bdate\b|日期/iu;
const MAX_MARKED = 50;
const MAX_LINE_NODES = 500;

function withoutLeadIn(name: string): string {
  return collapse(name).replace(LEAD_IN, "");
}

/** The author that the page shows, without "By" and a date; null if no element is marked as one. */
function visibleByline(root: DomNode): string | null {
  for (const node of marked(root, isByline)) {
    const lines = linesOf(node).map(withoutLeadIn);
    const names = lines.filter((line) => /\p{L}{2}/u.test(line) && !LEAD_IN.test(`${line} `) && !WRITTEN_DATE.test(line.slice(0, 40)));
    const name = names[0]?.replace(AFTER_NAME, "") ?? "";
    if (name !== "" && name.length <= MAX_NAME_LENGTH) return name;
  }
  return null;
}

/** The first date in an element marked as one, but not in fact boxes, and not if elements of the same shape have other dates (lists). */
function visibleDate(root: DomNode): string | null {
  const dates = marked(root, isDate, isOfFacts).flatMap((node) => {
    const date = isOtherLabel(node.previousSibling?.textContent ?? "") || isPaired(node) ? null : markedDate(node);
    return date === null ? [] : [{ date, shape: `${shapeOf(node.parentNode)} ${shapeOf(node)}`, first: isDeclared(node) }];
  });
  const shapes = Map.groupBy(dates, ({ shape }) => shape);
  const isOne = (shape: string): boolean => new Set(shapes.get(shape)?.map(({ date }) => date.slice(0, 10))).size === 1;
  return (dates.find(({ first }) => first) ?? dates.find(({ shape }) => isOne(shape)))?.date ?? null;
}

/** The date in the first lines after the headline, such as `新华社 2016年10月14日07:17`; null if they have none, or several. */
function datelineDate(root: DomNode): string | null {
  const lines = linesAfterHeadline(root);
  const dated = lines.flatMap((line, i) => {
    const written = line.length <= MAX_DATELINE_LENGTH && !LINE_END.test(line) ? WRITTEN_DATE.exec(line) : null;
    return written === null ? [] : [{ written: written[0], label: line.slice(0, written.index).trim() || (lines[i - 1] ?? "") }];
  });
  const published = dated.find(({ label }) => PUBLICATION.test(label));
  const only = dated.length === 1 && !isOtherLabel(dated[0]?.label ?? "") ? dated[0] : undefined;
  return normalizeDate((published ?? only)?.written);
}

function linesAfterHeadline(root: DomNode): string[] {
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
    return SILENT.test(name) || isOfFacts(node) ? false : text.length > MAX_DATELINE_DISTANCE ? "stop" : true;
  });
  return headings === 1 ? text.split("\n").map(collapse).filter(Boolean).slice(0, MAX_DATELINES) : [];
}

function isOtherLabel(label: string): boolean {
  return OTHER_LABEL.test(label) && !PUBLICATION.test(label);
}

/** The first elements that `isMarked` accepts; none inside another one, in an excerpt of another page, or in what `isSkipped` accepts. */
function marked(root: DomNode, isMarked: (node: DomNode) => boolean, isSkipped: (node: DomNode) => boolean = () => false): DomNode[] {
  const found: DomNode[] = [];
  walk(root, (node) => {
    if (!isElement(node) || OTHERS.test(clutterWord(node) ?? "") || isSkipped(node)) return false;
    if (!isMarked(node)) return true;
    found.push(node);
    return found.length < MAX_MARKED ? false : "stop";
  });
  return found;
}

function isByline(node: DomNode): boolean {
  if (/\bauthor\b/.test(`${attributeOf(node, "rel")} ${attributeOf(node, "itemprop")}`)) return true;
  return namesOf(node).some((name) => BYLINE_NAME.test(name));
}

function isDate(node: DomNode): boolean {
  return node.localName === "time" || isDeclared(node) || namesOf(node).some((name) => DATE_NAME.test(name));
}

function isDeclared(node: DomNode): boolean {
  return node.getAttribute?.("pubdate") != null || /\bdatePublished\b/.test(attributeOf(node, "itemprop"));
}

/** Whether an element lists facts: a table, a definition list, or a list with more than one date. */
function isOfFacts(node: DomNode): boolean {
  const name = node.localName ?? "";
  if (name === "dl" || (name === "table" && isDataTable(node))) return true;
  return LIST.test(name) && linesOf(node).filter((line) => WRITTEN_DATE.test(line)).length > 1;
}

/** Whether a date that only its class marks is next to another one, as in a fact box. */
function isPaired(node: DomNode): boolean {
  if (node.localName === "time" || isDeclared(node) || namesOf(node).some((name) => PUBLICATION.test(name))) return false;
  let dates = 0;
  let at = node.parentNode?.firstChild ?? null;
  for (let i = 0; at && i < MAX_MARKED; i++, at = at.nextSibling) if (isElement(at) && markedDate(at) !== null) dates++;
  return dates > 1;
}

function markedDate(node: DomNode): string | null {
  const text = linesOf(node).join(" ");
  const written = [attributeOf(node, "datetime"), attributeOf(node, "content"), text.length > MAX_DATE_LENGTH ? "" : text];
  return written.map((date) => normalizeDate(WRITTEN_DATE.exec(date)?.[0])).find((date) => date !== null) ?? null;
}

function shapeOf(node: DomNode | null): string {
  return node === null || !isElement(node) ? "" : `${node.localName} ${attributeOf(node, "class")}`;
}

function linesOf(root: DomNode): string[] {
  let text = "";
  let nodes = 0;
  walk(root, (node) => {
    if (isText(node)) text += node.nodeValue ?? "";
    else if (LINE.test(node.localName ?? "")) text += "\n";
    else if (SILENT.test(node.localName ?? "")) return false;
    return text.length > 10 * MAX_NAME_LENGTH || ++nodes > MAX_LINE_NODES ? "stop" : true;
  });
  return text.split("\n").map(collapse).filter(Boolean);
}

import { type Fields, fieldsOf, isFields, listOf, parseJson } from "../../util/json-fields.ts";
import { collapse, type Draft } from "../block-text.ts";
import { normalizeDate, WRITTEN_DATE } from "../dates.ts";
import { clutterWord, namesOf } from "./clutter.ts";
import { attributeOf, bodyOf, type DomDocument, type DomNode, isElement, isText, shapeOf, walk } from "./dom.ts";
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

/** Reads meta tags, JSON-LD and visible text. Must be called before the document is changed. */
export function pageMetadata(document: DomDocument): PageMetadata {
  const metas = metaTags(document);
  const article = articleData(document);
  const body = bodyOf(document);
  const root = document.documentElement;
  const named = (keys: readonly string[]): string[] => keys.flatMap((key) => metas.get(key) ?? []);
  const authors = [personName(article?.["author"]), ...named(AUTHOR_KEYS)];
  const dates = [article?.["datePublished"], ...named(DATE_KEYS)];
  const author = first(authors, (name) => (/^https?:/.test(name) ? null : removeLeadIn(name))) ?? visibleByline(body);
  return {
    // JSON-LD's headline comes last, because on some sites, such as Wikipedia, it is a description.
    title: removeSiteName(
      firstText([...named(TITLE_KEYS), documentTitle(document), article?.["headline"]]),
      metas.get("og:site_name") ?? "",
    ),
    language: firstText([root && (attributeOf(root, "lang") || attributeOf(root, "xml:lang")), metas.get("content-language")]),
    publishedAt: first(dates, normalizeDate) ?? visibleDate(body, author) ?? datelineDate(body, author),
    author,
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

/** Returns the only `<h1>` if `<title>` begins with it, because `<title>` often adds the site's name. */
function documentTitle(document: DomDocument): string | null {
  const title = firstText(Array.from(document.querySelectorAll("title"), (node) => node.textContent));
  const headings = Array.from(document.querySelectorAll("h1"), (node) => collapse(node.textContent ?? ""));
  const [heading = ""] = headings;
  if (title === null) return firstText(headings);
  return headings.length === 1 && heading.length > 1 && title.startsWith(heading) ? heading : title;
}

function removeSiteName(title: string | null, site: string): string | null {
  if (!title || site === "" || !title.endsWith(site)) return title;
  return /^(.+?)\s*[-|–—:·_]\s*$/u.exec(title.slice(0, -site.length))?.[1] ?? title;
}

function articleData(document: DomDocument): Fields | undefined {
  const scripts = Array.from(document.querySelectorAll('script[type="application/ld+json"]'));
  return scripts.flatMap((script) => entries(script.textContent ?? "")).find((entry) => entry["headline"] || entry["datePublished"]);
}

function entries(json: string): Fields[] {
  const queue = [parseJson(json.replaceAll(/^\s*(?:<!--|<!\[CDATA\[)|(?:-->|\]\]>)\s*$/g, ""))];
  for (let i = 0; i < queue.length && i < MAX_JSON_LD_ENTRIES; i++) {
    const value = queue[i];
    queue.push(...listOf(value).slice(0, MAX_JSON_LD_ENTRIES), ...listOf(fieldsOf(value)["@graph"]).slice(0, MAX_JSON_LD_ENTRIES));
  }
  return queue.slice(0, MAX_JSON_LD_ENTRIES).filter(isFields);
}

function personName(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.slice(0, 20).map(personName).filter(Boolean).join(", ") || null;
  const { name } = fieldsOf(value);
  return typeof name === "string" ? name : null;
}

function firstText(values: readonly unknown[]): string | null {
  return first(values, collapse);
}

function first(values: readonly unknown[], read: (text: string) => string | null): string | null {
  for (const value of values) {
    const found = typeof value === "string" ? read(value) : null;
    if (found) return found;
  }
  return null;
}

const MAX_NAME_LENGTH = 100;
const MAX_DATE_LENGTH = 200;
const BYLINE_NAME = /^(?:[\w-]{0,40}-)?(?:by-?lines?|authors?|author-?names?|written-?by)(?:-(?:name|names|link|text|title))?$/;
const PUBLICATION_NAME =
  /^(?:[\w-]{0,40}-)?(?:(?:article|entry|news|post(?:ed)?|pub(?:lish(?:ed)?|lication)?|story|updated?)-?(?:date(?:-?time)?|time|on)|date-?(?:line|pub(?:lished)?)|published)$/;
/** Class names of any date. Such a date counts only next to the headline or a byline. */
const DATE_NAME = /^(?:(?:byline|content|field|header|info|item|meta|page)-)*(?:date(?:-?time)?|timestamp)$/;
const OTHERS = /comment|replies|related|recirc|recommended|side-?bar|widget|promo|teaser|popular|trending|latest|more-/;
const LEAD_IN =
  /^(?:(?:written|posted|published|story|text|words)\s+)?(?:by|von|par|por|di|door|oleh|автор|作者|文|記者|记者)(?:\s*[:：]\s*|\s+)/iu;
const AFTER_NAME = /(?:\s*[\d^[].*|\s+[-–—|•·].*|[\s,:;|–—-]+)$/u;
const LINE = /^(?:br|div|li|p|time)$/;
const SILENT = /^(?:script|style|svg)$/;
const MAX_DATELINE_DISTANCE = 600;
const MAX_DATELINES = 6;
const LABEL = /^.{0,60}(?<![.!?。！？]["'”’」』]?)$/u;
const PUBLICATION = String.raw`(?<!\p{L})(?:publi\p{L}*|pubblicat\p{L}|posted|updated|modified|original|veröffentlicht|aktualisiert|опубликовано|обновлено)(?!\p{L})|发布|發布|发表|發表|更新`;
const IS_PUBLICATION = new RegExp(PUBLICATION, "iu");
const BYLINE =
  /(?<!\p{L})(?:[Bb]y|BY|[Vv]on|[Pp]ar|文|作者|记者|記者|来源|來源)(?:\s*[:：]\s*|\s+)(?:(?:, | and | & |、| )?(?:@|[\p{Lu}\p{Lo}][\p{L}.'’-]*)){1,9}/gu;
/** Patterns of what a dateline may contain. The word "date" alone is none, because a "filing date" is no date of publication. */
const DATELINE_PARTS = [
  new RegExp(WRITTEN_DATE, "gu"),
  /\d{1,2}(?:(?::\d{2}){1,2}(?:\s*[ap]\.?m\b\.?)?|\s*[ap]\.?m\b\.?)(?:\s*\(?(?:[A-Z]{1,2}[SD]?T|CEST|UTC|GMT|Z|Uhr)\b)?/giu,
  /(?<!\p{L})(?:mon|tue|wed|thu|fri|sat|sun)(?:(?:s|nes|rs|ur)?day)?(?!\p{L})|(?:星期|周|週)[一二三四五六日天]/giu,
  new RegExp(`(?:(?:date(?: of)?|first|last)\\s+)?(?:${PUBLICATION})(?:于|於|日期|时间|時間|\\s+(?:date|time)\\b)?`, "giu"),
  BYLINE,
  /(?<!\p{L})(?:on|at|am|um|le|el|il|à)(?!\p{L})/giu,
];
/** Splits a line such as "2024-03-14 | Port office | Views: 31" into fields. */
const FIELD_END =
  /\s*[|｜]\s*|\s[·•]\s|\s(?=\p{sc=Han}{2,6}[:：])|(?<=\d)\s(?=\p{Lu}[\p{L} ]{1,30}:)|[【[（(](?:(?!\d{4})[^】\])）])*[】\])）]/u;
const WIDE_BLANK = /[^\S\n]{2,}|[\u2002\u2003\u3000]/g;
const PLAIN_LABEL = /^(?:date|日期|时间|時間)\s*[:：]/i;
const MARKED_AUTHOR = "[rel~=author], [itemprop~=author], [itemprop~=name]";
const MAX_MARKED = 50;
const MAX_LINE_NODES = 500;

function removeLeadIn(name: string): string {
  return collapse(name).replace(LEAD_IN, "");
}

function visibleByline(root: DomNode): string | null {
  const marked = findMarked(root, isByline).flatMap((node) => [...(node.querySelectorAll?.(MARKED_AUTHOR) ?? []), node]);
  for (const node of marked.slice(0, MAX_MARKED)) {
    const fields = linesOf(node).flatMap(fieldsIn);
    // Text after a date is the author's name only if it begins with "by".
    const parts = fields.flatMap((field) => field.split(WRITTEN_DATE).filter((part, i) => i === 0 || LEAD_IN.test(part.trim())));
    const names = parts
      .map(removeLeadIn)
      .filter((name) => /\p{L}{2}/u.test(name) && !LEAD_IN.test(`${name} `) && !IS_PUBLICATION.test(name));
    const name = names[0]?.replace(AFTER_NAME, "") ?? "";
    if (name !== "" && name.length <= MAX_NAME_LENGTH) return name;
  }
  return null;
}

function fieldsIn(line: string): string[] {
  return line.length > MAX_DATE_LENGTH ? [line] : line.split(FIELD_END).map(collapse).filter(Boolean);
}

/** Whether a line is only a date, times, the author and words such as "Updated", and `before` is not its label. */
export function isDateline(line: string, before: string, author: string | null): boolean {
  return !hasOtherWords(line, author) && isDateField(line, before, author);
}

function isDateField(field: string, before: string, author: string | null): boolean {
  const [label = "", rest] = field.length > MAX_DATE_LENGTH ? [] : field.split(WRITTEN_DATE, 2);
  if (rest === undefined || hasOtherWords(label, author)) return false;
  if (hasOtherWords(rest, author) && !(IS_PUBLICATION.test(label) && LABEL.test(rest))) return false;
  return IS_PUBLICATION.test(field) || !(LABEL.test(before) && hasOtherWords(before, author));
}

function hasOtherWords(line: string, author: string | null): boolean {
  const named = author ? line.replaceAll(author, "@") : line;
  return /[\p{L}\p{N}]/u.test(DATELINE_PARTS.reduce((rest, part) => rest.replaceAll(part, "|"), named));
}

/** Returns the first date of an element marked as a date. Skips lists, in which similar elements have different dates. */
function visibleDate(root: DomNode, author: string | null): string | null {
  const dates = findMarked(root, isDate, isFactBox).flatMap((node) => {
    const date = markedDate(node);
    return date === null || isLabeled(node, author) || isPaired(node)
      ? []
      : [{ node, date, shape: `${shapeOf(node.parentNode)} ${shapeOf(node)}` }];
  });
  const shapes = Map.groupBy(dates, ({ shape }) => shape);
  const isOne = (shape: string): boolean => new Set(shapes.get(shape)?.map(({ date }) => date.slice(0, 10))).size === 1;
  const isEvident = (node: DomNode): boolean => node.localName === "time" || hasName(node, PUBLICATION_NAME) || isBesideHeadline(node);
  return (dates.find(({ node }) => isDeclared(node)) ?? dates.find(({ node, shape }) => isOne(shape) && isEvident(node)))?.date ?? null;
}

function isLabeled(node: DomNode, author: string | null): boolean {
  let before = node.previousSibling;
  while (before && !isElement(before) && !(isText(before) && collapse(before.nodeValue ?? ""))) before = before.previousSibling;
  const text = collapse(before?.textContent ?? "");
  const runsOn = before !== null && (isText(before) ? !/[|,;•·–—-]$/u.test(text) : /^(?:b|strong|label)$/.test(before.localName ?? ""));
  return (runsOn || /[:：]$/u.test(text)) && LABEL.test(text) && hasOtherWords(text, author);
}

/** Returns the only date below the headline, or the first one with a word such as "Published". */
function datelineDate(root: DomNode, author: string | null): string | null {
  const datelines = linesAfterHeadline(root).flatMap((line, i, lines) => {
    const before = lines[i - 1] ?? "";
    const fields = fieldsIn(line);
    const dates = fields.map((field) => (fields.length > 1 || field !== line ? field.replace(PLAIN_LABEL, "") : field));
    const date = dates.find((field, at) => isDateField(field, at > 0 ? "" : before, author));
    return date === undefined ? [] : [{ date, isPublication: IS_PUBLICATION.test(`${before} ${line}`) }];
  });
  const published = datelines.find(({ isPublication }) => isPublication) ?? (datelines.length === 1 ? datelines[0] : undefined);
  return normalizeDate(WRITTEN_DATE.exec(published?.date ?? "")?.[0]);
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
    else if (LINE.test(name) || (isAfterElement(node) && !/[:：]\s*$/.test(text.slice(-10)))) text += "\n";
    return SILENT.test(name) || isFactBox(node) ? false : text.length > MAX_DATELINE_DISTANCE ? "stop" : true;
  });
  return headings === 1 ? linesIn(text).slice(0, MAX_DATELINES) : [];
}

function linesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => collapse(line.trim().replaceAll(WIDE_BLANK, " | ")))
    .filter(Boolean);
}

function isAfterElement(node: DomNode): boolean {
  let before = isElement(node) ? node.previousSibling : null;
  while (before && isText(before) && !before.nodeValue?.trim()) before = before.previousSibling;
  return before !== null && isElement(before);
}

function findMarked(root: DomNode, isMarked: (node: DomNode) => boolean, isSkipped: (node: DomNode) => boolean = () => false): DomNode[] {
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
  const isLinked = /\bauthor\b/.test(`${attributeOf(node, "rel")} ${attributeOf(node, "itemprop")}`);
  return isLinked || hasName(node, BYLINE_NAME);
}

function isDate(node: DomNode): boolean {
  return node.localName === "time" || isDeclared(node) || hasName(node, PUBLICATION_NAME) || hasName(node, DATE_NAME);
}

function hasName(node: DomNode, pattern: RegExp): boolean {
  return namesOf(node).some((name) => pattern.test(name));
}

function isBesideHeadline(node: DomNode): boolean {
  const around = [node, node.parentNode, node.parentNode?.parentNode].filter((at) => at != null);
  const beside = around.flatMap((at) => [at.previousElementSibling, at.nextElementSibling]).filter((at) => at != null);
  return beside.some((at) => at.localName === "h1" || isByline(at) || at.querySelector?.("h1, [rel~=author], [itemprop~=author]") != null);
}

function isDeclared(node: DomNode): boolean {
  return node.getAttribute?.("pubdate") != null || /\bdatePublished\b/.test(attributeOf(node, "itemprop"));
}

function isFactBox(node: DomNode): boolean {
  const name = node.localName ?? "";
  if (name === "dl" || (name === "table" && isDataTable(node))) return true;
  return /^[uo]l$/.test(name) && linesOf(node).filter((line) => WRITTEN_DATE.test(line)).length > 1;
}

/** Two dates side by side are facts and not the date of publication. */
function isPaired(node: DomNode): boolean {
  if (node.localName === "time" || isDeclared(node) || hasName(node, /publi|post|updat|^date$/)) return false;
  const beside = Array.from(node.parentNode?.childNodes ?? []).slice(0, MAX_MARKED);
  return beside.filter((at) => isElement(at) && markedDate(at) !== null).length > 1;
}

function markedDate(node: DomNode): string | null {
  const text = linesOf(node).join(" ");
  const written = [attributeOf(node, "datetime"), attributeOf(node, "content"), text.length > MAX_DATE_LENGTH ? "" : text];
  return written.map((date) => normalizeDate(WRITTEN_DATE.exec(date)?.[0])).find((date) => date !== null) ?? null;
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

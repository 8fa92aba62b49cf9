import { collapse } from "../block-text.ts";
import { normaliseDate } from "../normalise-date.ts";
import { clutterWord, namesOf } from "./clutter-names.ts";
import { isDateLine } from "./date-lines.ts";
import { type DomNode, isElement, isText, walk } from "./dom.ts";

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
const SENTENCE_END = /[.!?。！？]["'”’」』]?$/u;
const WRITTEN_DATE =
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2}))?|\d{4}年\d{1,2}月\d{1,2}日|\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|\b\d{1,2}\/\d{1,2}\/\d{4}\b|\b[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}\b|\b\d{1,2}\.? [A-Z][a-z]{2,8}\.? \d{4}\b/u;

/** "By Ada Lindqvist" without "By"; a name as it is. */
export function withoutLeadIn(name: string): string {
  return collapse(name).replace(LEAD_IN, "");
}

/** The author as the page shows it, without "By" and without a date that follows; null where no part is marked as that. */
export function visibleByline(root: DomNode): string | null {
  return firstMarked(root, isByline, (lines) => {
    const names = lines.map(withoutLeadIn).filter((line) => /\p{L}{2}/u.test(line) && !isDateLine(line) && !LEAD_IN.test(`${line} `));
    const name = names[0]?.replace(AFTER_NAME, "") ?? "";
    return name === "" || name.length > MAX_NAME_LENGTH ? null : name;
  });
}

/** The first date that the page shows in a part that is marked as one; null where there is none that can be read. */
export function visibleDate(root: DomNode): string | null {
  return firstMarked(root, isDate, (lines, node) => {
    const text = lines.join(" ");
    const written = [
      node.getAttribute?.("datetime") ?? "",
      node.getAttribute?.("content") ?? "",
      text.length > MAX_DATE_LENGTH ? "" : text,
    ];
    return written.map((date) => normaliseDate(WRITTEN_DATE.exec(date)?.[0])).find((date) => date !== null) ?? null;
  });
}

/** The date in the first lines after the headline, such as `新华社 2016年10月14日07:17`; null where they have none. */
export function datelineDate(root: DomNode): string | null {
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
  const dateline = lines.find((line) => line.length <= MAX_DATELINE_LENGTH && !SENTENCE_END.test(line) && WRITTEN_DATE.test(line));
  return dateline === undefined ? null : normaliseDate(WRITTEN_DATE.exec(dateline)?.[0]);
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

import type { Definition, Html, Image, Link, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Span } from "../ranking/sentences.ts";
import { codeMark } from "../util/code-spans.ts";
import { isLinkDestination } from "./address-detection.ts";
import { addressesOf, replaceAddresses, unknownForm } from "./address-filter.ts";
import type { FindKnownAddress } from "./known-addresses.ts";

const MAY_BE_ACTIVE = /<[a-z/!?]|\]\s*[(:[]/i;
/** Tags that reports understand. Others are code. */
const PLAIN_TAG = /^<\/?(?:br|su[bp])\s*\/?>$/i;
/** micromark takes time in proportion to the square of these. */
const COSTLY = /[*_~[\]!<`&>]|[-+](?=\s)/g;
const MAX_COSTLY = 500;
const MAX_LENGTH = 30_000;
/** A link that is taken away may make one of the brackets around it. */
const MAX_PASSES = 8;

interface Edit extends Span {
  readonly text: string;
}

interface Context {
  readonly source: string;
  readonly known: FindKnownAddress;
  readonly form: (address: string) => string;
  readonly ticks: string;
}

/**
 * Marks what a renderer of these whole blocks of Markdown would link or load although it is not known, and puts it into code spans: links,
 * images, definitions, HTML, addresses in prose. Code stays as it is, and so does all before the first of these.
 */
export function markBlocks(source: string, known: FindKnownAddress, shown = 0): string {
  if (!MAY_BE_ACTIVE.test(source) && addressesOf(source, known).next().done === true) return source;
  const isParsed = source.length <= MAX_LENGTH && (source.match(COSTLY)?.length ?? 0) <= MAX_COSTLY;
  let text = source;
  for (let pass = 0; isParsed && pass < MAX_PASSES; pass++) {
    const before = text;
    text = applyEdits(text, editsIn(parse(text), { source: text, known, form: unknownForm(source), ticks: codeMark(text) }));
    if (text === before) return text;
  }
  const escaped = source.slice(shown).replaceAll(/[\\[\]<`]/g, "\\$&");
  return source.slice(0, shown) + replaceAddresses(escaped, known, unknownForm(source));
}

/** Its transforms would add links that have no place in the source. */
const TO_TREE = gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension);

function parse(source: string): Root {
  return fromMarkdown(source, { extensions: [gfm()], mdastExtensions: TO_TREE });
}

/** Whether Markdown ends within a fence that lines without an indent may close. */
export function endsInCode(source: string): boolean {
  const last = parse(source).children.at(-1);
  if (last?.type !== "code") return false;
  const { start, end } = spanOf(last);
  const code = source.slice(start, end);
  const mark = /^(`{3,}|~{3,})/.exec(code)?.[0];
  const closing = /\n[ \t]{0,3}(`{3,}|~{3,})[ \t]*$/.exec(code)?.[1];
  return mark !== undefined && closing?.startsWith(mark) !== true;
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  let out = "";
  let from = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < from) continue;
    out += source.slice(from, start) + text;
    from = end;
  }
  return out + source.slice(from);
}

function editsIn(parent: Nodes, context: Context): Edit[] {
  if (!("children" in parent)) return [];
  const children: readonly Nodes[] = parent.children;
  const covered = joined(
    children.flatMap((node, i) => {
      if (node.type === "html" && node.value.includes("\n")) return linesOf(node, context);
      return isCode(node, context) ? gluedSpan(children, i, context) : [];
    }),
  );
  const others = children.flatMap((node): Edit[] => {
    if (isWords(node, context) || covered.some((span) => overlap(span, spanOf(node)))) return [];
    if (node.type === "definition") return definitionEdits(node, context);
    if (node.type === "image") return imageEdits(node, context);
    return node.type === "link" ? linkEdits(node, context) : editsIn(node, context);
  });
  const codes = covered.map((span) => ({ ...span, text: codeOf(span, context) }));
  return [...codes, ...others, ...wordGroups(children, covered, context).flatMap((group) => wordEdits(group, context))];
}

function spanOf({ position }: Nodes): Span {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** Whether a node is prose: text, or an address without brackets, which GFM links. */
function isWords(node: Nodes, { source }: Context): boolean {
  return node.type === "text" || (node.type === "link" && !/[[<]/.test(source.charAt(spanOf(node).start)));
}

/** HTML is shown as it is written. Code such as `handlers[name](event)` reads like a link to a word. */
function isCode(node: Nodes, context: Context): boolean {
  if (node.type === "html") return !PLAIN_TAG.test(node.value);
  return (node.type === "link" || node.type === "image") && !isWords(node, context) && !/^#/.test(node.url) && !isLinkDestination(node.url);
}

/** Returns the span of a node with the characters of code that adjoin it, such as `Map` before `<string>`. */
function gluedSpan(children: readonly Nodes[], index: number, context: Context): Span {
  const { source } = context;
  const [before, node, after] = [children[index - 1], children[index] as Nodes, children[index + 1]];
  let { start, end } = spanOf(node);
  const first = before !== undefined && isWords(before, context) ? spanOf(before).start : start;
  const last = after !== undefined && isWords(after, context) ? spanOf(after).end : end;
  while (start > first && /[!-~]/.test(source.charAt(start - 1))) start--;
  while (end < last && /[!-~]/.test(source.charAt(end))) end++;
  return { start, end };
}

/** Returns the lines of HTML without what encloses them, such as the `> ` of a quotation. */
function linesOf(node: Html, { source }: Context): Span[] {
  const { start, end } = spanOf(node);
  const inside = node.value.split("\n");
  let from = start;
  return source
    .slice(start, end)
    .split("\n")
    .flatMap((line, i): Span[] => {
      const words = (inside[i] ?? line).trim();
      const at = from + Math.max(0, line.lastIndexOf(words));
      from += line.length + 1;
      return words === "" ? [] : [{ start: at, end: at + words.length }];
    });
}

function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last !== undefined && last.end >= span.start) all[all.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else all.push(span);
  }
  return all;
}

function codeOf({ start, end }: Span, { source, ticks }: Context): string {
  const code = source.slice(start, end);
  const pad = /^`|`$/.test(code) ? " " : "";
  const isFree = (at: number): string => (/[\\`]/.test(source.charAt(at)) ? " " : "");
  return `${isFree(start - 1)}${ticks}${pad}${code}${pad}${ticks}${isFree(end)}`;
}

interface WordGroup extends Span {
  readonly nodes: readonly Nodes[];
}

/** Joins the prose that stands together, without what becomes code. */
function wordGroups(children: readonly Nodes[], covered: readonly Span[], context: Context): WordGroup[] {
  const groups: WordGroup[] = [];
  for (const node of children) {
    if (!isWords(node, context)) continue;
    const { start, end } = spanOf(node);
    const last = groups.at(-1);
    if (last?.end === start) groups[groups.length - 1] = { start: last.start, end, nodes: [...last.nodes, node] };
    else groups.push({ start, end, nodes: [node] });
  }
  return groups.map((group) => {
    const start = Math.max(group.start, ...covered.map(({ end }) => (end > group.start && end <= group.end ? end : 0)));
    const end = Math.min(group.end, ...covered.map((span) => (span.start >= start && span.start < group.end ? span.start : group.end)));
    return { ...group, start, end: Math.max(start, end) };
  });
}

function wordEdits({ start, end, nodes }: WordGroup, { source, known, form }: Context): Edit[] {
  const words = source.slice(start, end);
  const text = replaceAddresses(words, known, form, { before: source.charAt(start - 1), after: source.charAt(end), isMarkdown: true });
  if (text !== words) return [{ start, end, text }];
  // What GFM links although it does not look like an address.
  const isUnknown = (node: Nodes): boolean => {
    const { start: from, end: to } = spanOf(node);
    return node.type === "link" && from >= start && to <= end && known(node.url) === null && known(source.slice(from, to)) === null;
  };
  return nodes.filter(isUnknown).map((node) => ({ ...spanOf(node), text: form(source.slice(spanOf(node).start, spanOf(node).end)) }));
}

function linkEdits(node: Link, context: Context): Edit[] {
  const { source, known, form } = context;
  const { start, end } = spanOf(node);
  const spelling = known(node.url);
  if (source.charAt(start) === "<") return [{ start, end, text: spelling === null ? form(node.url) : `<${spelling}>` }];
  if (node.url.startsWith("#")) return [];
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (first === undefined || last === undefined) return spelling === null ? [{ start, end, text: form(node.url) }] : [];
  const inside = editsIn(node, context);
  const tail = { start: spanOf(last).end, end };
  if (spelling !== null) return [...inside, { ...tail, text: `](${escapeTarget(spelling)})` }];
  const isNamed = addressesOf(source.slice(spanOf(first).start, tail.start), known).next().value?.address === node.url;
  return [{ start, end: spanOf(first).start, text: "" }, ...inside, { ...tail, text: isNamed ? "" : ` ${form(node.url)}` }];
}

/** The words of an image are read again in the next pass. */
function imageEdits(node: Image, { known, form }: Context): Edit[] {
  if (node.url.startsWith("#")) return [];
  const alt = node.alt ?? "";
  const spelling = known(node.url);
  if (spelling === node.url) return [];
  const text =
    spelling === null
      ? `${alt === "" ? "" : `${alt} `}${form(node.url)}`
      : `![${alt.replaceAll(/[[\]\\`<]/g, "\\$&")}](${escapeTarget(spelling)})`;
  return [{ ...spanOf(node), text }];
}

function definitionEdits(node: Definition, { source, known, form }: Context): Edit[] {
  const { start, end } = spanOf(node);
  const label = /^\[(?:\\.|[^\\\]])*\]:/s.exec(source.slice(start, end))?.[0] ?? "";
  const spelling = known(node.url);
  if (spelling !== null) return [{ start, end, text: `${label} ${escapeTarget(spelling)}` }];
  const title = node.title == null ? "" : ` ${node.title}`;
  return [{ start, end, text: `\\${label} ${isLinkDestination(node.url) ? form(node.url) : node.url}${title}` }];
}

function escapeTarget(address: string): string {
  return address.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("\\", "%5C");
}

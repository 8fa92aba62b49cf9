import { createRequire } from "node:module";
import { DossierError } from "../../errors.ts";
import { type DomDocument, isElement, isText } from "./dom.ts";
import { writeFormulas } from "./formulas.ts";
import { flattenPresentation } from "./raised-text.ts";

/** The parser takes quadratic time in the depth. Real pages are far below this limit. */
const MAX_DEPTH = 5_000;
const MAX_ELEMENTS = 400_000;
const MAX_MARKS = 2 * MAX_ELEMENTS;
const MARK = /&|<(?:(\/?)([a-z][a-z0-9]*))?/gi;
/** The end tag of these elements is forbidden or optional, so they do not count as depth. */
const WITHOUT_END_TAG =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|path|rect|circle|use|g)$/i;

const require = createRequire(import.meta.url);
const REMOVED_ELEMENTS = ".mw-editsection, .MathJax_Preview, rt, rp";

/** Parses a page without running scripts. @throws DossierError `unreadable` if the page would exhaust a parser */
export function parsePage(html: string): DomDocument {
  assertParsable(html);
  // Loaded on demand, because it has 190 modules and few Markdown files contain HTML.
  const { parseHTML }: typeof import("linkedom") = require("linkedom");
  const document = parseHTML(addBody(html)).document as DomDocument;
  moveIntoBody(document);
  for (const node of Array.from(document.querySelectorAll(REMOVED_ELEMENTS))) node.remove?.();
  writeFormulas(document);
  flattenPresentation(document);
  return document;
}

function assertParsable(html: string): void {
  let [marks, elements, depth] = [0, 0, 0];
  for (const [, slash, name] of html.matchAll(MARK)) {
    refuse(++marks > MAX_MARKS, `has more than ${MAX_MARKS} tags and entities`);
    if (name === undefined) continue;
    if (!slash) elements++;
    if (!WITHOUT_END_TAG.test(name)) depth = Math.max(0, depth + (slash ? -1 : 1));
    refuse(depth > MAX_DEPTH, `nests elements more than ${MAX_DEPTH} levels deep`);
    refuse(elements > MAX_ELEMENTS, `has more than ${MAX_ELEMENTS} elements`);
  }
}

function refuse(refused: boolean, what: string): void {
  if (refused) throw new DossierError("unreadable", `The page ${what} and would exhaust the parser.`);
}

function addBody(html: string): string {
  const root = /<html\b[^>]*>/i.exec(html)?.[0];
  const hasBody = /<body[\s>]/i.test(html);
  if (root && hasBody) return html;
  if (hasBody) return `<!doctype html><html>${removeRootTags(html)}</html>`;
  const headEnd = /<\/head\s*>/i.exec(html);
  const at = headEnd ? headEnd.index + headEnd[0].length : 0;
  const content = removeRootTags(html.slice(at)).replaceAll(/<head(?:\s[^>]*)?>/gi, "");
  return `<!doctype html>${root ?? "<html>"}${removeRootTags(html.slice(0, at))}<body>${content}</body></html>`;
}

function removeRootTags(html: string): string {
  return html.replaceAll(/<!doctype[^>]*>|<\/?html\b[^>]*>/gi, "");
}

const HEAD_CONTENT = /^(?:base|link|meta|noscript|script|style|template|title)$/;

/** Moves nodes beside the body into it, as browsers do. */
function moveIntoBody(document: DomDocument): void {
  const children = Array.from(document.documentElement?.childNodes ?? []);
  const at = children.findIndex(({ localName }) => localName === "body");
  const body = children[at];
  if (body === undefined) return;
  const before = children.slice(0, at).filter(({ localName }) => localName !== "head");
  const after = children.slice(at + 1);
  for (const node of [...before, ...after]) node.remove?.();
  const first = body.firstChild;
  for (const node of before) {
    if (HEAD_CONTENT.test(node.localName ?? "") || !(isElement(node) || isText(node))) document.head?.append?.(node);
    else body.insertBefore?.(node, first);
  }
  for (const node of after) body.append?.(node);
}

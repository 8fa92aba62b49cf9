import { parseHTML } from "linkedom";
import { DossierError } from "../../errors.ts";

/** The members of a DOM node that are used here; linkedom's own types need TypeScript's DOM library. Text nodes lack the optional ones. */
export interface DomNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  readonly previousElementSibling?: DomNode | null;
  readonly parentNode: DomNode | null;
  getAttribute?(name: string): string | null;
  setAttribute?(name: string, value: string): void;
  removeAttribute?(name: string): void;
  append?(child: DomNode | string): void;
  insertBefore?(child: DomNode, before: DomNode | null): void;
  remove?(): void;
  contains(other: DomNode): boolean;
  closest?(selector: string): DomNode | null;
  querySelector?(selector: string): DomNode | null;
  querySelectorAll?(selector: string): Iterable<DomNode>;
}

export interface DomDocument extends DomNode {
  readonly documentElement: DomNode | null;
  readonly head: DomNode | null;
  readonly body: DomNode | null;
  querySelectorAll(selector: string): Iterable<DomNode>;
  createElement(name: string): DomNode;
}

/** In levels. The parser takes time quadratic in the depth; real pages stay far below. */
const MAX_DEPTH = 5_000;
const MAX_ELEMENTS = 400_000;
/** Each `<` and `&` may become a node. */
const MAX_MARKS = 2 * MAX_ELEMENTS;
/** Elements whose end tag is forbidden or optional: they do not count as depth. */
const SELF_ENDING =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option|optgroup|path|rect|circle|use|g)$/i;
const TAG = /<(\/?)([a-z][a-z0-9]*)/gi;

/** Edit links and note numbers of MediaWiki, and previews of formulas by MathJax. */
const MARGINALIA = ".mw-editsection, sup.reference, .MathJax_Preview";

/** Parses a page without running anything; adds a missing body. @throws DossierError `unreadable` if it would exhaust a parser */
export function parsePage(html: string): DomDocument {
  assertParsable(html);
  const document = parseHTML(withBody(html)).document as DomDocument;
  moveIntoBody(document);
  for (const node of Array.from(document.querySelectorAll(MARGINALIA))) node.remove?.();
  writeFormulas(document);
  return document;
}

function assertParsable(html: string): void {
  refuse(count(html, "<") + count(html, "&") > MAX_MARKS, `has more than ${MAX_MARKS} tags and entities`);
  let elements = 0;
  let depth = 0;
  for (const [, slash, name = ""] of html.matchAll(TAG)) {
    if (!slash) elements++;
    if (!SELF_ENDING.test(name)) depth = Math.max(0, depth + (slash ? -1 : 1));
    refuse(depth > MAX_DEPTH, `nests elements more than ${MAX_DEPTH} levels deep`);
    refuse(elements > MAX_ELEMENTS, `has more than ${MAX_ELEMENTS} elements`);
  }
}

function refuse(refused: boolean, what: string): void {
  if (refused) throw new DossierError("unreadable", `The page ${what}: it would exhaust the parser.`);
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}

function withBody(html: string): string {
  const root = /<html\b[^>]*>/i.exec(html)?.[0];
  const hasBody = /<body[\s>]/i.test(html);
  if (root && hasBody) return html;
  if (hasBody) return `<!doctype html><html>${withoutRoot(html)}</html>`;
  const headEnd = /<\/head\s*>/i.exec(html);
  const at = headEnd ? headEnd.index + headEnd[0].length : 0;
  const content = withoutRoot(html.slice(at)).replaceAll(/<head(?:\s[^>]*)?>/gi, "");
  return `<!doctype html>${root ?? "<html>"}${withoutRoot(html.slice(0, at))}<body>${content}</body></html>`;
}

function withoutRoot(html: string): string {
  return html.replaceAll(/<!doctype[^>]*>|<\/?html\b[^>]*>/gi, "");
}

/** Elements that may precede the body (HTML, "before head" and "after head" insertion modes). */
const HEAD_CONTENT = /^(?:base|link|meta|noscript|script|style|template|title)$/;

/** Moves nodes that are siblings of head and body into the body, as browsers do. linkedom would otherwise find no body. */
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

/** Elements of KaTeX, MediaWiki and MathJax that contain all forms of one formula. */
const FORMULA_CLASS = /(?:^|\s)(?:katex|mwe-math-element|MathJax|MathJax_Display)(?:\s|$)/;
const OPERATORS = new Map(Object.entries({ msup: "^", msub: "_", mfrac: "/" }));

/** Writes each formula once, as text: its TeX if the page has it, otherwise its characters. Readability drops some forms. */
function writeFormulas(document: DomDocument): void {
  const formulas: DomNode[] = [];
  walk(bodyOf(document), (node) => {
    if (!isElement(node)) return false;
    if (!isFormula(node)) return true;
    formulas.push(node);
    return false;
  });
  for (const formula of formulas) {
    const text = isBeforeItsTex(formula) ? "" : formulaText(formula).trim();
    const span = document.createElement("span");
    span.append?.(` ${text} `);
    formula.parentNode?.insertBefore?.(span, formula);
    formula.remove?.();
  }
}

function isFormula(node: DomNode): boolean {
  const { localName = "" } = node;
  if (localName === "math" || localName === "mjx-container" || isTexScript(node)) return true;
  if (localName === "img") return attributeOf(node, "alt").startsWith("{\\displaystyle");
  return FORMULA_CLASS.test(attributeOf(node, "class"));
}

function isTexScript(node: DomNode): boolean {
  return node.localName === "script" && /^math\/tex/i.test(attributeOf(node, "type"));
}

/** MathJax 2 draws a formula right before the script with its TeX. */
function isBeforeItsTex(formula: DomNode): boolean {
  let next = formula.nextSibling;
  while (next && isText(next) && next.nodeValue?.trim() === "") next = next.nextSibling;
  return next !== null && isTexScript(next) && !isTexScript(formula);
}

function formulaText(formula: DomNode): string {
  if (isTexScript(formula)) return formula.textContent ?? "";
  const found: { tex?: string | null; alt?: string | null; math?: string } = {};
  walk(formula, (node) => {
    const name = node.localName ?? "";
    if (name === "annotation" && /tex/i.test(attributeOf(node, "encoding"))) found.tex ??= node.textContent;
    if (name === "math" || name === "img") found.alt ??= node.getAttribute?.(name === "img" ? "alt" : "alttext") ?? null;
    if (name === "math") found.math ??= mathText(node);
    return isElement(node);
  });
  return found.tex ?? found.alt ?? found.math ?? formula.textContent ?? "";
}

function mathText(math: DomNode): string {
  let text = "";
  walk(math, (node) => {
    if (isText(node)) text += node.nodeValue?.trim() ?? "";
    if (!isElement(node) || /^annotation/.test(node.localName ?? "")) return false;
    const operator = OPERATORS.get(node.parentNode?.localName ?? "");
    if (operator !== undefined && node.previousElementSibling != null) text += operator;
    return true;
  });
  return text;
}

/** The element with the text of a page. It is not the document: `walk` would end at the doctype, which has no sibling. */
export function bodyOf(document: DomDocument): DomNode {
  return document.body ?? document.documentElement ?? document;
}

/** Visits nodes in order without recursion. `enter` returns whether to visit the children, or "stop"; `leave` follows them. */
export function walk(root: DomNode, enter: (node: DomNode) => boolean | "stop", leave: (node: DomNode) => unknown = () => {}): void {
  let node: DomNode | null = root;
  while (node) {
    const entered = enter(node);
    if (entered === "stop") return;
    const child: DomNode | null = entered ? node.firstChild : null;
    if (entered && !child) leave(node);
    node = child ?? nextAfter(node, root, leave);
  }
}

function nextAfter(from: DomNode, root: DomNode, leave: (node: DomNode) => unknown): DomNode | null {
  let node = from;
  while (node !== root) {
    if (node.nextSibling) return node.nextSibling;
    if (!node.parentNode) return null;
    node = node.parentNode;
    leave(node);
  }
  return null;
}

export function attributeOf(node: DomNode, name: string): string {
  return node.getAttribute?.(name) ?? "";
}

export function isElement(node: DomNode): boolean {
  return node.nodeType === 1;
}

export function isText(node: DomNode): boolean {
  return node.nodeType === 3;
}

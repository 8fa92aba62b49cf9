import { attributeOf, bodyOf, type DomDocument, type DomNode, isElement, isText, walk } from "./dom.ts";
import { BLOCKS } from "./html-blocks.ts";

const LEAVES = `math, script[type^="math/tex" i], img[alt^="{\\\\displaystyle"]`;
const CONTAINERS =
  "mjx-container, span.katex, span.MathJax, span.MathJax_CHTML, span.MathJax_SVG, span.MJXc-display, div.MathJax_Display, div.MathJax_SVG_Display, span.mwe-math-element, div.mwe-math-element";

/** Replaces each formula by text: its TeX, otherwise its `alttext`, otherwise its MathML in linear form. */
export function writeFormulas(document: DomDocument): void {
  const formulas = findFormulas(document);
  for (const formula of formulas) {
    const text = isBeforeItsTex(formula, formulas) ? "" : formulaText(formula).trim();
    const span = document.createElement("span");
    span.append?.(` ${text} `);
    formula.replaceWith?.(span);
  }
}

function findFormulas(document: DomDocument): ReadonlySet<DomNode> {
  const leaves = new Set(document.querySelectorAll(LEAVES));
  const containers = new Set(document.querySelectorAll(CONTAINERS));
  const formulas: DomNode[] = [];
  const open: { readonly node: DomNode; readonly formulas: number; readonly maths: number }[] = [];
  let maths = 0;
  const enter = (node: DomNode): boolean => {
    const { localName = "", parentNode } = node;
    const isOwnText = hasText(node) && (parentNode?.localName === "div" || parentNode === open.at(-1)?.node);
    if (isOwnText || (BLOCKS.has(localName) && localName !== "div")) open.length = 0;
    if (containers.has(node)) open.push({ node, formulas: formulas.length, maths });
    if (leaves.has(node)) formulas.push(node);
    if (localName === "math") maths++;
    return isElement(node) && !leaves.has(node);
  };
  walk(bodyOf(document), enter, (node) => {
    const inner = open.at(-1)?.node === node ? open.pop() : undefined;
    if (inner && maths - inner.maths <= 1) formulas.splice(inner.formulas, Number.POSITIVE_INFINITY, node);
  });
  return new Set(formulas);
}

function hasText(node: DomNode): boolean {
  return isText(node) && node.nodeValue?.trim() !== "";
}

/** MathJax 2 draws a formula before the script that contains its TeX. Only the script is read. */
function isBeforeItsTex(formula: DomNode, formulas: ReadonlySet<DomNode>): boolean {
  let next = formula.nextSibling;
  while (next && isText(next) && !hasText(next)) next = next.nextSibling;
  return formula.localName !== "script" && next?.localName === "script" && formulas.has(next);
}

function formulaText(formula: DomNode): string {
  if (formula.localName === "script") return formula.textContent ?? "";
  let [tex, alt, linear] = ["", "", ""];
  walk(formula, (node) => {
    const name = node.localName ?? "";
    if (name === "annotation" && /\b(?:la)?tex\b/i.test(attributeOf(node, "encoding"))) tex ||= node.textContent?.trim() ?? "";
    if (name === "math" || name === "img") alt ||= attributeOf(node, name === "img" ? "alt" : "alttext").trim();
    if (name === "math") linear ||= termOf(node).text;
    return isElement(node);
  });
  return tex || alt || linear || (formula.textContent ?? "");
}

const MAX_DEPTH = 100;
const TOKEN = /^(?:m[ino]|mtext|ms)$/;
const UNREAD = /^(?:annotation|annotation-xml|mphantom)$/;
const INVISIBLE_OPERATORS = /[\u2061-\u2064\u200b]/g;
const FENCED = /^(?:\([^()]*\)|\[[^[\]]*\]|\|[^|]*\|)$/;

/** `group` is `text` in parentheses if it has more than one token. */
type Term = Readonly<Record<"name" | "text" | "group", string>>;

/** Write MathML elements in linear form, similar to UnicodeMath. All other elements are written like `mrow`. */
const WRITERS = new Map<string, (terms: readonly Term[], texts: readonly string[], node: DomNode) => string>(
  Object.entries({
    mfrac: (terms, _, node) => {
      const parts = terms.map(({ group }) => group);
      return Number.parseFloat(attributeOf(node, "linethickness")) === 0 ? fence("()", parts.join(" choose "), node) : parts.join("/");
    },
    msqrt: (terms) => `√${joined("mrow", terms).group}`,
    mroot: (_, [radicand = "", index = ""]) => `root(${index})(${radicand})`,
    msub: scripted,
    msubsup: scripted,
    msup: ([base, sup]) => scripted([base, undefined, sup]),
    mmultiscripts: (terms) => {
      const at = terms.findIndex(({ name }) => name === "mprescripts");
      return at < 0 ? scripted(terms) : ` ${scripted([undefined, ...terms.slice(at + 1)])} ${scripted(terms.slice(0, at))}`;
    },
    mtable: (_, rows, node) => fence("[]", rows.join("; "), node),
    mtr: (_, cells) => cells.join(", "),
    mfenced: (_, texts, node) => `${node.getAttribute?.("open") ?? "("}${texts.join(",")}${node.getAttribute?.("close") ?? ")"}`,
  }),
);

function termOf(node: DomNode, depth = 0): Term {
  const name = (node.localName ?? "mi").replace("under", "sub").replace("over", "sup");
  if (TOKEN.test(name) || depth > MAX_DEPTH) return tokenOf(name, node.textContent ?? "");
  const children = Array.from(node.childNodes).filter((child) => (isElement(child) ? !UNREAD.test(child.localName ?? "") : hasText(child)));
  const terms = children.map((child) => termOf(child, depth + 1));
  const text = WRITERS.get(name)?.(
    terms,
    terms.map((term) => term.text),
    node,
  );
  return text === undefined ? joined(name, terms) : groupOf(name, text);
}

function tokenOf(name: string, content: string): Term {
  const text = content.replaceAll(INVISIBLE_OPERATORS, "").replaceAll(/\s+/g, " ");
  const token = text.trim();
  return { name, text: name === "mtext" ? text : token, group: token.includes(" ") ? `(${token})` : token };
}

function groupOf(name: string, text: string): Term {
  return { name, text, group: text === "" || FENCED.test(text) ? text : `(${text.trim()})` };
}

function fence(brackets: string, text: string, node: DomNode): string {
  return /^[([{|‖]$/.test(node.previousElementSibling?.textContent?.trim() ?? "") ? text : `${brackets[0]}${text}${brackets[1]}`;
}

function scripted([base, ...scripts]: readonly (Term | undefined)[]): string {
  return [base?.group, ...scripts.map((script, i) => script?.text && (i % 2 === 0 ? "_" : "^") + script.group)].join("");
}

function joined(name: string, all: readonly Term[]): Term {
  const terms = all.filter(({ text }) => text !== "");
  if (terms.length === 1 && terms[0]) return terms[0];
  return groupOf(name, terms.map((term, i) => (isApart(terms[i - 1], term) ? ` ${term.text}` : term.text)).join(""));
}

/** Whether two terms need a space between them, as in `3 1/2`, `x^2 y` and `sin x`. */
function isApart(left: Term | undefined, right: Term): boolean {
  const end = left?.text.slice(-2) ?? "";
  if (!left || !/[\p{L}\p{N}∞′]$/u.test(end) || !/^[\p{L}\p{N}]/u.test(right.text)) return false;
  const isWord = [left, right].some(({ name, text }) => TOKEN.test(name) && /\p{L}{2}/u.test(text));
  return isWord || !TOKEN.test(left.name) || (/^\d/.test(right.text) && (!TOKEN.test(right.name) || /\d$/.test(end)));
}

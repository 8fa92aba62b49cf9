import { collapse, lengthOf } from "../block-text.ts";
import { clutterReason } from "./clutter.ts";
import { attributeOf, type DomNode, hasText, isElement, shapeOf, walk } from "./dom.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { isDataTable } from "./tables.ts";

/** An attribute with the element's number in document order, which shows where to insert a removed element again. */
const ORDER = "data-order";
const OTHER_ROLES = /^(?:alert|banner|complementary|contentinfo|dialog|navigation|search|status)$/;
const PAGE_PARTS = /^(?:body|main|article)$/;
const HEADING = /^h[1-6]$/;
const MAX_FACTS = 100;
const MAX_NODES = 1_000;
const MAX_PART_LENGTH = 200;
const MIN_PAIRS = 2;
const LABEL = /^.{1,60}[:：]$/u;

interface Facts {
  readonly order: number;
  readonly end: number;
  readonly scope: readonly [from: number, to: number];
  readonly copies: readonly { readonly order: number; readonly node: DomNode }[];
}

/** Copies tables and lists of labels and values, because Readability drops those outside the article. Numbers all elements. */
export function findFacts(root: DomNode, isMetadata: (line: string) => boolean): Facts[] {
  const ends = new Map<DomNode, number>();
  let count = 0;
  const numbered = (node: DomNode): boolean => {
    if (isElement(node)) node.setAttribute?.(ORDER, String(count++));
    return true;
  };
  walk(root, numbered, (node) => ends.set(node, count));
  const found: DomNode[] = [];
  walk(root, (node) => {
    if (found.length === MAX_FACTS) return "stop";
    if (!isElement(node) || OTHER_ROLES.test(attributeOf(node, "role")) || (clutterReason(node) ?? "header") !== "header") return false;
    if (!isFacts(node, isMetadata)) return true;
    found.push(node);
    return false;
  });
  return found.map((node) => {
    const box = boxOf(node, new Set(found));
    const scope = box.parentNode ?? box;
    const copies = [headingOf(node, box), node]
      .filter((at) => at !== null)
      .map((at) => ({ order: orderOf(at), node: at.cloneNode?.(true) ?? at }));
    return { order: orderOf(node), end: ends.get(node) ?? 0, scope: [orderOf(scope), ends.get(scope) ?? 0], copies };
  });
}

/** Inserts facts that Readability dropped, if they stood inside or beside the article or below the headline. */
export function restoreFacts(article: DomNode, facts: readonly Facts[], headline: number): void {
  const kept = Array.from(article.querySelectorAll?.(`[${ORDER}]`) ?? []);
  const orders = kept.map(orderOf);
  const [start, last] = [Math.min(...orders), Math.max(...orders)];
  for (const { order, end, scope, copies } of facts) {
    const isNear = (order > Math.min(start, headline) && order < last) || (scope[0] <= start && last < scope[1]);
    if (orders.includes(order) || !isNear) continue;
    const next = kept[orders.findIndex((other) => other > order)];
    for (const copy of copies.filter((other) => !orders.includes(other.order))) {
      if (next) next.parentNode?.insertBefore?.(copy.node, next);
      else article.append?.(copy.node);
    }
    for (const part of kept) if (orderOf(part) > order && orderOf(part) < end) part.remove?.();
  }
}

export function orderOf(node: DomNode | null): number {
  return node === null || !isElement(node) ? -1 : Number(attributeOf(node, ORDER) || -1);
}

function isFacts(node: DomNode, isMetadata: (line: string) => boolean): boolean {
  const isTable = node.localName === "table";
  const isMarked = isTable || node.localName === "dl";
  if (isTable ? !isDataTable(node) : !isMarked && !hasPairs(node)) return false;
  const blocks = htmlBlocks(node);
  const parts = blocks.flatMap(({ text }) => (isTable ? text.split(" | ") : text));
  const linked = blocks.reduce((sum, block) => sum + block.linked * block.text.length, 0);
  if (isMarked ? parts.length < 2 * MIN_PAIRS || linked > lengthOf(blocks) / 2 : linked > 0) return false;
  return parts.every((text) => text.length <= MAX_PART_LENGTH || isMarked) && !blocks.every(({ text }) => isMetadata(text));
}

function hasPairs(node: DomNode): boolean {
  const children = partsOf(node);
  if (children.length < MIN_PAIRS || !children.every(isElement) || !isSmall(node)) return false;
  const shapes = children.map(shapeOf);
  if (shapes.every((shape) => shape === shapes[0]) && children.every((child) => isPair(partsOf(child)))) return true;
  const pairs = Array.from({ length: children.length / 2 }, (_, i) => children.slice(2 * i, 2 * i + 2));
  return pairs.length >= MIN_PAIRS && shapes.every((shape, i) => i % 2 === 1 || shape === shapes[0]) && pairs.every(isPair);
}

function isSmall(node: DomNode): boolean {
  let nodes = 0;
  walk(node, () => ++nodes <= MAX_NODES || "stop");
  return nodes <= MAX_NODES;
}

function isPair([label, value, ...others]: readonly DomNode[]): boolean {
  if (!label || !value || others.length > 0) return false;
  if (isElement(label) && isElement(value) && shapeOf(label) !== shapeOf(value)) return true;
  return LABEL.test(collapse(label.textContent ?? ""));
}

function partsOf(node: DomNode): DomNode[] {
  return Array.from(node.childNodes).filter((child) => hasText(child));
}

function boxOf(facts: DomNode, all: ReadonlySet<DomNode>): DomNode {
  const isSkipped = (node: DomNode): boolean => all.has(node) || HEADING.test(node.localName ?? "");
  let box = facts;
  for (let outer = box.parentNode; outer && !PAGE_PARTS.test(outer.localName ?? ""); outer = box.parentNode) {
    if (hasText(outer, isSkipped)) break;
    box = outer;
  }
  return box;
}

function headingOf(facts: DomNode, box: DomNode): DomNode | null {
  for (let at: DomNode | null = facts; at; at = at === box ? null : at.parentNode) {
    const above = at.previousElementSibling;
    if (above) return HEADING.test(above.localName ?? "") && above.localName !== "h1" ? above : null;
  }
  return null;
}

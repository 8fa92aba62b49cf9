import { attributeOf, bodyOf, type DomDocument, type DomNode, isElement, isText, walk } from "./dom.ts";
import { BLOCKS } from "./html-blocks.ts";

const MAX_LENGTH = 20;
const STRUCK_STYLE = /text-decoration[\w\s-]*:[\w\s-]*line-through/i;

/** Rewrites `<sup>` and `<sub>` as text such as `10^6`. Removes struck text and links to footnotes. */
export function flattenPresentation(document: DomDocument): void {
  const { struck, scripts } = findPresented(bodyOf(document));
  for (const node of struck) node.replaceWith?.(" ");
  for (const script of scripts) {
    const text = shortText(script);
    if (isNote(script, text)) script.remove?.();
    else if (text === null) script.before?.(" ");
    else script.replaceWith?.(linearForm(script, text));
  }
}

/** Returns inner `<sup>` and `<sub>` before outer ones. An `<s>` around blocks lacks its end tag and is ignored. */
function findPresented(root: DomNode): { readonly struck: DomNode[]; readonly scripts: DomNode[] } {
  const struck: DomNode[] = [];
  const scripts: DomNode[] = [];
  let open: DomNode[] = [];
  const enter = (node: DomNode): boolean => {
    const name = node.localName ?? "";
    if (BLOCKS.has(name)) open = [];
    if (name === "s" || name === "strike") open.push(node);
    const isStruck = name === "del" || STRUCK_STYLE.test(attributeOf(node, "style"));
    if (isStruck) struck.push(node);
    return isElement(node) && !isStruck;
  };
  walk(root, enter, (node) => {
    if (open.at(-1) === node) struck.push(...open.splice(-1));
    if (node.localName === "sup" || node.localName === "sub") scripts.push(node);
  });
  return { struck, scripts };
}

function shortText(root: DomNode): string | null {
  let text = "";
  let isShort = true;
  walk(root, (node) => {
    if (isText(node)) text += node.nodeValue ?? "";
    isShort = text.trim().length <= MAX_LENGTH && !BLOCKS.has(node.localName ?? "");
    return isShort || "stop";
  });
  return isShort ? text.trim() : null;
}

function isNote(script: DomNode, text: string | null): boolean {
  if (script.localName !== "sup") return false;
  const around = linkAround(script);
  return holdsLink(script) || (around !== null && shortText(around) === text);
}

// A page may have a hundred thousand scripts, and linkedom would parse a selector for each.

function holdsLink(root: DomNode): boolean {
  let found = false;
  walk(root, (node) => {
    found = isLinkToPart(node);
    return found ? "stop" : true;
  });
  return found;
}

function linkAround(node: DomNode): DomNode | null {
  let at: DomNode | null = node;
  while (at !== null && !isLinkToPart(at)) at = at.parentNode;
  return at;
}

function isLinkToPart(node: DomNode): boolean {
  return node.localName === "a" && attributeOf(node, "href").includes("#");
}

function linearForm(script: DomNode, text: string): string {
  const before = textBefore(script);
  const { nextSibling: next } = script;
  const behind = next && isText(next) ? (next.nodeValue ?? "") : "";
  const end = /\d$/.test(text) && /^\d/.test(behind) ? " " : "";
  if (script.localName === "sub") return (/\d$/.test(before) && /^\d/.test(text) ? `_${text}` : text) + end;
  // In `4<sup>1</sup>/<sub>2</sub>` the raised text is a numerator.
  if (/^\s*[/⁄∕]\s*$/.test(behind) && next?.nextSibling?.localName === "sub") return /\d$/.test(before) ? ` ${text}` : text;
  return writeRaised(before, text) + end;
}

const BASE = /(?:[\p{N})\]}]|(?<!\p{L})[\p{Lu}\p{Ll}]{1,2})$/u;
const EXPONENT = /\d|^[+−–-].|^[i-knpqu-z]$/;
const NOTE = /^\d[\d,;–-]*$/;
const TOKEN = /^(?:[+−–-]?(?:\d[\d.,]*|\p{L})[+−–-]?|[\p{L}\p{N}]+)$/u;

/** Returns `^6` or `^(n+1)` for an exponent and `[3]` for a footnote. Other text, as in `3rd`, stays unchanged. */
function writeRaised(before: string, raised: string): string {
  if (!/\S$/.test(before) || !EXPONENT.test(raised) || /^[[(]/.test(raised)) return raised;
  if (NOTE.test(raised) && !BASE.test(before)) return `[${raised}]`;
  return TOKEN.test(raised) ? `^${raised}` : `^(${raised})`;
}

function textBefore(node: DomNode): string {
  let at = node;
  while (at.previousSibling === null && at.parentNode && !BLOCKS.has(at.parentNode.localName ?? "")) at = at.parentNode;
  const { previousSibling: before } = at;
  const name = before?.localName ?? "";
  return BLOCKS.has(name) || name === "br" ? "" : (before?.textContent ?? "").slice(-MAX_LENGTH);
}

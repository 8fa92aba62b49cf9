import { zipSync } from "fflate";
import { collapse } from "../block-text.ts";
import { Numbering } from "./numbering.ts";
import * as xml from "./package.ts";

/** mammoth skips these elements with all that they contain. Their content is read in their place. */
const UNWRAPPED = ["fldSimple", "dir", "bdo", "ruby", "rubyBase"];
const IS_OFF = /^(?:0|false|off)$/;

/**
 * Rewrites a Word document so that mammoth reads what it otherwise skips: the numbers of lists and headings, text boxes, diagrams, simple
 * fields, chosen values, headers, footers and comments. Tracked changes are read as if they were accepted. Hidden text is left out.
 * Returns null if the file has no main part. @throws Error if the file cannot be written again
 */
export function prepareDocx(office: xml.OfficePackage): { bytes: Uint8Array; incomplete?: string } | null {
  const [main = ""] = xml.relationsOf(office, "").ofType("officeDocument");
  const root = xml.rootOf(office, main);
  const body = xml.childAt(root, "body");
  if (root === null || body === undefined) return null;
  const relations = xml.relationsOf(office, main);
  const part = (type: string): xml.XmlNode[] => relations.ofType(type).flatMap((name) => xml.rootOf(office, name) ?? []);
  const pictures = [root, ...part("header"), ...part("footer")].reduce((sum, one) => sum + xml.picturesIn(one), 0);
  const skipped = skippedIn(root);
  const hidden = xml.allIn(root, "r").filter((run) => isOn(xml.childAt(run, "rPr", "vanish")));
  for (const node of [...hidden, ...xml.allIn(root, "rt")]) node.parentNode?.removeChild(node);
  liftTextBoxes(root);
  for (const diagram of xml.allIn(root, "relIds")) {
    const { parentNode, nextSibling } = paragraphAround(diagram);
    for (const line of xml.diagramLines(office, relations.byId.get(xml.valOf(diagram, "dm"))))
      if (parentNode) addParagraph(parentNode, line, nextSibling);
  }
  for (const node of xml.allIn(root, ...UNWRAPPED)) unwrap(node);
  for (const list of xml.allIn(root, "ddList")) showChosen(list);
  const numbering = new Numbering(part("numbering")[0] ?? null, part("styles")[0] ?? null);
  for (const paragraph of xml.allIn(root, "p")) addNumber(paragraph, numbering);
  for (const line of new Set([...part("header"), ...part("footer")].flatMap(linesOf))) addParagraph(body, line, null);
  for (const comment of part("comments").flatMap((comments) => xml.childrenOf(comments, "comment")))
    addParagraph(body, `Comment by ${xml.valOf(comment, "author") || "unknown"}: ${linesOf(comment).join(" ")}`, null);
  return {
    bytes: zipSync({ ...office.parts, [main]: xml.writeXml(root) }, { level: 0 }),
    ...xml.leftOut([...skipped, ["hidden text", hidden.length], ["pictures", pictures]]),
  };
}

function isOn(property: xml.XmlNode | undefined): boolean {
  return property !== undefined && !IS_OFF.test(xml.valOf(property));
}

function skippedIn(root: xml.XmlNode): [what: string, count: number][] {
  const withText = (names: readonly string[]): number =>
    xml.allIn(root, ...names).filter((node) => xml.allIn(node, "delText", "t").length > 0).length;
  return [
    ["tracked deletions", withText(["del", "moveFrom"])],
    ["formulas", withText(["oMath"])],
    ["charts", xml.allIn(root, "graphicData").filter((data) => xml.childAt(data, "chart") !== undefined).length],
    ["embedded files", xml.allIn(root, "altChunk", "subDoc", "object").length],
  ];
}

/** Moves the content of text boxes behind the paragraph that they are in. A text box is often written a second time for old programs. */
function liftTextBoxes(root: xml.XmlNode): void {
  for (const either of xml.allIn(root, "AlternateContent")) {
    const [first, second] = [xml.childAt(either, "Choice"), xml.childAt(either, "Fallback")];
    if (second !== undefined && xml.allIn(first ?? null, "txbxContent").length > 0) either.removeChild(second);
  }
  const ends = new Map<xml.XmlNode, xml.XmlNode | null>();
  for (const box of xml.allIn(root, "txbxContent")) {
    const block = paragraphAround(box);
    const end = ends.get(block) ?? block.nextSibling;
    ends.set(block, end);
    for (const child of xml.childrenOf(box)) block.parentNode?.insertBefore(child, end);
  }
}

function paragraphAround(node: xml.XmlNode): xml.XmlNode {
  let around: xml.XmlNode | null = node;
  while (around !== null && (around === node || around.localName !== "p")) around = around.parentNode;
  return around ?? node;
}

function unwrap(node: xml.XmlNode): void {
  for (const child of xml.childrenOf(node)) node.parentNode?.insertBefore(child, node);
  node.parentNode?.removeChild(node);
}

/** A list to choose from, as in forms of Word 2003, has no text of its own. */
function showChosen(list: xml.XmlNode): void {
  const chosen = Number(xml.valOf(xml.childAt(list, "result")) || xml.valOf(xml.childAt(list, "default")) || 0);
  let run: xml.XmlNode | null = list;
  while (run !== null && run.localName !== "r") run = run.parentNode;
  run?.parentNode?.insertBefore(runOf(run, xml.valOf(xml.childrenOf(list, "listEntry")[chosen])), run.nextSibling);
}

function addNumber(paragraph: xml.XmlNode, numbering: Numbering): void {
  const properties = xml.childAt(paragraph, "pPr");
  const isGone = xml.childrenOf(xml.childAt(properties, "rPr")).some(({ localName }) => localName === "del" || localName === "moveFrom");
  const label = isGone ? "" : numbering.labelOf(paragraph);
  if (label === "") return;
  paragraph.insertBefore(runOf(paragraph, `${label} `), properties?.nextSibling ?? paragraph.firstChild);
}

function addParagraph(body: xml.XmlNode, text: string, before: xml.XmlNode | null): void {
  const paragraph = elementOf(body, "p");
  paragraph.insertBefore(runOf(body, text), null);
  body.insertBefore(paragraph, before);
}

function runOf(near: xml.XmlNode, text: string): xml.XmlNode {
  const [run, written] = [elementOf(near, "r"), elementOf(near, "t")];
  written.insertBefore(near.ownerDocument.createTextNode(text), null);
  run.insertBefore(written, null);
  return run;
}

function elementOf({ ownerDocument, prefix, namespaceURI }: xml.XmlNode, name: string): xml.XmlNode {
  return ownerDocument.createElementNS(namespaceURI, prefix ? `${prefix}:${name}` : name);
}

/** Returns the text of each paragraph. Paragraphs without a letter, such as page numbers, are left out. */
function linesOf(root: xml.XmlNode): string[] {
  const lines = xml.allIn(root, "p").map((paragraph) => collapse(xml.textsIn(paragraph, "t", "tab", "br")));
  return lines.filter((line) => /\p{L}/u.test(line));
}

import type { Place } from "../../domain/document.ts";
import { DossierError } from "../../errors.ts";
import { type BlockDraft, collapse, type Draft, lengthOf } from "../block-text.ts";
import { attributeOf } from "../html/dom.ts";
import * as xml from "./package.ts";

const IS_TITLE = /^(?:title|ctrTitle)$/;

/**
 * Reads the visible slides of a presentation in their order: title, text, tables and diagrams, also of grouped shapes, then the speaker's notes
 * and comments. Each slide is a section, and the place of its blocks.
 * @throws DossierError `document_too_large`, `unreadable`
 */
export function extractPptx(bytes: Uint8Array, maxCharacters: number): Draft {
  const office = xml.openPackage(bytes);
  const [main = ""] = xml.relationsOf(office, "").ofType("officeDocument");
  const { byId } = xml.relationsOf(office, main);
  const list = xml.childAt(xml.rootOf(office, main), "sldIdLst");
  if (list === undefined) throw new DossierError("unreadable", "The document is not a PPTX file that can be read.");
  const reader = new SlideReader(office);
  const slides = xml.childrenOf(list, "sldId").map((slide) => byId.get(attributeOf(slide, "r:id")) ?? "");
  const drafts = slides.flatMap((name, i) => reader.read(name, i + 1));
  if (lengthOf(drafts) > maxCharacters)
    throw new DossierError("document_too_large", `The document was not read: its text has more than ${maxCharacters} characters.`);
  const properties = xml.propertiesOf(office);
  return { ...properties, title: reader.firstTitle ?? properties.title, drafts, ...xml.leftOut(reader.skipped) };
}

class SlideReader {
  readonly #office: xml.OfficePackage;
  readonly #footers = new Set<string>();
  /** Key: what was left out. Value: how often. */
  readonly skipped = new Map<string, number>();
  firstTitle: string | null = null;

  constructor(office: xml.OfficePackage) {
    this.#office = office;
  }

  read(name: string, slide: number): BlockDraft[] {
    const root = xml.rootOf(this.#office, name);
    if (root === null) return this.#skip("damaged slides");
    if (/^(?:0|false)$/.test(attributeOf(root, "show"))) return this.#skip("hidden slides");
    const { byId, ofType } = xml.relationsOf(this.#office, name);
    const shapes = shapesIn(root);
    const title = collapse(shapes.filter(isTitle).map(wordsOf).join(" "));
    if (title !== "") this.firstTitle ??= title;
    const content = shapes.filter((shape) => !isTitle(shape)).flatMap((shape) => this.#read(shape, byId));
    const parts = (type: string): xml.XmlNode[] => ofType(type).flatMap((part) => xml.rootOf(this.#office, part) ?? []);
    const remarks = parts("comments")
      .flatMap((comments) => xml.allIn(comments, "cm"))
      .map((one) => plain(`Comment: ${xml.textsIn(one, "text", "t")}`));
    const notes = parts("notesSlide")
      .flatMap((part) => shapesIn(part).filter((shape) => typeOf(shape) === "body"))
      .flatMap(paragraphsOf);
    const pictures = xml.picturesIn(root);
    if (title !== "" || content.length > 0) this.#skip("pictures", pictures);
    else if (pictures > 0) this.#skip("slides that are pictures without text");
    if (title === "" && content.length + notes.length + remarks.length === 0) return [];
    const at = (blocks: readonly BlockDraft[], place: Place): BlockDraft[] => blocks.map((block) => ({ ...block, place }));
    const heading: BlockDraft = { kind: "heading", level: 1, text: title || `Slide ${slide}` };
    return [
      ...at([heading, ...content, ...remarks], { slide }),
      ...at(
        notes.map(({ text }) => plain(text)),
        { slide, notes: true },
      ),
    ];
  }

  #read(shape: xml.XmlNode, parts: ReadonlyMap<string, string>): BlockDraft[] {
    const type = typeOf(shape);
    if (xml.allIn(shape, "oMath").length > 0) this.#skip("formulas");
    if (type === "sldNum" || (type === "ftr" && this.#footers.size === this.#footers.add(wordsOf(shape)).size)) return [];
    if (shape.localName === "sp") return paragraphsOf(shape);
    const [data] = xml.childrenOf(xml.childAt(shape, "graphic", "graphicData"));
    if (data?.localName === "tbl") return rowsOf(data);
    if (data?.localName === "relIds") return xml.diagramLines(this.#office, parts.get(attributeOf(data, "r:dm"))).map(plain);
    return this.#skip(data?.localName === "chart" ? "charts" : "embedded files");
  }

  #skip(what: string, count = 1): [] {
    this.skipped.set(what, (this.skipped.get(what) ?? 0) + count);
    return [];
  }
}

/** Returns shapes and tables, also of groups, in the order of the file. */
function shapesIn(root: xml.XmlNode): xml.XmlNode[] {
  const shapes: xml.XmlNode[] = [];
  const open = xml.childrenOf(xml.childAt(root, "cSld", "spTree")).toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.localName === "grpSp") open.push(...xml.childrenOf(node).toReversed());
    // Newer shapes come with a picture for old programs.
    else if (node.localName === "AlternateContent") open.push(...xml.childrenOf(xml.childAt(node, "Choice")).toReversed());
    else if (node.localName === "sp" || node.localName === "graphicFrame") shapes.push(node);
  }
  return shapes;
}

/** Returns the type of a placeholder: `body` if it says none; `none` for a shape that is no placeholder. */
function typeOf(shape: xml.XmlNode): string {
  const holder = xml.childAt(shape, "nvSpPr", "nvPr", "ph");
  return holder === undefined ? "none" : attributeOf(holder, "type") || "body";
}

function isTitle(shape: xml.XmlNode): boolean {
  return IS_TITLE.test(typeOf(shape));
}

function plain(text: string): BlockDraft {
  return { kind: "paragraph", level: 0, text: collapse(text) };
}

function wordsOf(shape: xml.XmlNode): string {
  return collapse(
    xml
      .allIn(shape, "p")
      .map((paragraph) => xml.textsIn(paragraph, "t", "br", "tab"))
      .join(" "),
  );
}

/** The paragraphs of a placeholder are a list if there are several. */
function paragraphsOf(shape: xml.XmlNode): BlockDraft[] {
  const paragraphs = xml.childrenOf(xml.childAt(shape, "txBody"), "p").filter((paragraph) => /\S/.test(xml.textsIn(paragraph, "t")));
  return paragraphs.map((paragraph): BlockDraft => {
    const properties = xml.childAt(paragraph, "pPr");
    const isItem = typeOf(shape) === "none" ? /\bbu(?:Char|AutoNum)\b/.test(xml.namesIn(properties)) : paragraphs.length > 1;
    const level = 1 + (Number.parseInt(xml.valOf(properties, "lvl"), 10) || 0);
    const draft = plain(xml.textsIn(paragraph, "t", "br", "tab"));
    return isItem ? { ...draft, kind: "list-item", level } : draft;
  });
}

/** A cell that covers several rows is in each of them. */
function rowsOf(table: xml.XmlNode): BlockDraft[] {
  const above: string[] = [];
  return xml.childrenOf(table, "tr").map((row, i) => {
    const cells = xml.childrenOf(row, "tc").map((cell, column) => {
      const text = attributeOf(cell, "vMerge") === "1" ? (above[column] ?? "") : wordsOf(cell);
      above[column] = text;
      return attributeOf(cell, "hMerge") === "1" ? [] : [text];
    });
    return { kind: "table-row", level: i === 0 ? 1 : 0, text: cells.flat().some((cell) => cell !== "") ? cells.flat().join(" | ") : "" };
  });
}

import { createRequire } from "node:module";
import { unzipSync } from "fflate";
import { DossierError } from "../../errors.ts";
import { safeDecode } from "../../ranking/canonical-url.ts";
import { collapse } from "../block-text.ts";
import { attributeOf, type DomNode, walk } from "../html/dom.ts";

/** Not imported, because the types of the library declare a browser's globals. */
const { DOMParser, XMLSerializer }: XmlLibrary = createRequire(import.meta.url)("@xmldom/xmldom");

interface XmlLibrary {
  readonly DOMParser: new (options: object) => { parseFromString(xml: string, type: string): { documentElement: XmlNode | null } };
  readonly XMLSerializer: new () => { serializeToString(root: XmlNode): string };
}

/** The declared size of all XML parts, in bytes. Reading them takes about ten times as much memory. */
const MAX_XML_BYTES = 25_000_000;
const MAX_PARTS = 5_000;
const XML_PART = /\.(?:xml|rels)$/i;

/** The parts of a DOCX, XLSX or PPTX file (ECMA-376, part 2). Nothing outside of the file is read. */
export interface OfficePackage {
  /** The XML parts, unpacked. */
  readonly parts: Readonly<Record<string, Uint8Array>>;
  /** The names of all parts, also of those that are not unpacked. */
  readonly names: readonly string[];
}

/**
 * Checks the parts of the archive before any of them is unpacked.
 * @throws DossierError `document_too_large`, `unreadable`
 */
export function openPackage(bytes: Uint8Array): OfficePackage {
  const names: string[] = [];
  let xmlBytes = 0;
  const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }): boolean => {
    names.push(name);
    if (XML_PART.test(name)) xmlBytes += originalSize;
    if (names.length > MAX_PARTS || xmlBytes > MAX_XML_BYTES)
      throw new DossierError("document_too_large", `The document was not read: unpacked, it has more than ${MAX_XML_BYTES} bytes.`);
    return XML_PART.test(name);
  };
  try {
    return { parts: unzipSync(bytes, { filter }), names };
  } catch (error) {
    if (error instanceof DossierError) throw error;
    throw new DossierError("unreadable", "The document is not a whole DOCX, XLSX or PPTX file.");
  }
}

/** The members of a node of xmldom that are used here. `localName` has no prefix. */
export interface XmlNode extends DomNode {
  readonly prefix: string | null;
  readonly namespaceURI: string | null;
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  readonly parentNode: XmlNode | null;
  readonly ownerDocument: { createElementNS(namespace: string | null, name: string): XmlNode; createTextNode(text: string): XmlNode };
  insertBefore(child: XmlNode, before: XmlNode | null): void;
  removeChild(child: XmlNode): void;
}

/** Returns the root of a part; null if the file does not have it, or if it is not XML. */
export function rootOf({ parts }: OfficePackage, name: string): XmlNode | null {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (part === undefined) return null;
  try {
    const parser = new DOMParser({ errorHandler: { warning: () => {}, error: () => {}, fatalError: () => {} } });
    return parser.parseFromString(new TextDecoder().decode(part), "text/xml").documentElement;
  } catch {
    return null;
  }
}

export function writeXml(root: XmlNode): Uint8Array {
  return new TextEncoder().encode(new XMLSerializer().serializeToString(root));
}

export function childrenOf(node: XmlNode | null | undefined, name = ""): XmlNode[] {
  const children: XmlNode[] = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling)
    if (child.nodeType === 1 && (name === "" || child.localName === name)) children.push(child);
  return children;
}

/** Returns the element that the names of children lead to. */
export function childAt(node: XmlNode | null | undefined, ...names: readonly string[]): XmlNode | undefined {
  return names.reduce<XmlNode | undefined>((at, name) => childrenOf(at, name)[0], node ?? undefined);
}

/** Returns the elements of these names below `root` in document order. */
export function allIn(root: XmlNode | null, ...names: readonly string[]): XmlNode[] {
  const found: XmlNode[] = [];
  if (root !== null)
    walk(root, (node) => {
      if (node !== root && names.includes(node.localName ?? "")) found.push(node as XmlNode);
      return true;
    });
  return found;
}

/** Returns the text of the elements of these names. One without text is a break or a tab. */
export function textsIn(root: XmlNode | null, ...names: readonly string[]): string {
  return allIn(root, ...names)
    .filter(({ prefix }) => prefix !== "m")
    .map(({ textContent }) => textContent || " ")
    .join("");
}

/** Returns the text of each shape of a diagram (SmartArt), in the order of its data. */
export function diagramLines(office: OfficePackage, name: string | undefined): string[] {
  const points = allIn(name === undefined ? null : rootOf(office, name), "pt");
  return points.map((point) => collapse(textsIn(point, "t", "br"))).filter((line) => line !== "");
}

/** Returns the number of pictures. Those for old programs are copies of others, and those in embedded files are their previews. */
export function picturesIn(root: XmlNode | null): number {
  const copies = new Set(allIn(root, "Fallback", "object", "oleObj").flatMap((node) => allIn(node, "pic", "imagedata")));
  return allIn(root, "pic", "imagedata").filter((picture) => !copies.has(picture)).length;
}

export function namesIn(node: XmlNode | undefined): string {
  return childrenOf(node)
    .map(({ localName }) => localName)
    .join(" ");
}

/** Returns an attribute by its name without prefix; `""` if there is none. */
export function valOf(node: XmlNode | null | undefined, name = "val"): string {
  if (node == null) return "";
  return ["", "w:", "r:"].map((prefix) => attributeOf(node, `${prefix}${name}`)).find((value) => value !== "") ?? "";
}

/** Returns what a part refers to: the names of parts by the ids of the relationships, and by the last word of their type. */
export function relationsOf(office: OfficePackage, name: string) {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const relations = childrenOf(rootOf(office, `${folder}_rels/${name.slice(folder.length)}.rels`), "Relationship");
  const inside = relations.filter((one) => valOf(one, "TargetMode") !== "External");
  const targetOf = (one: XmlNode): string => safeDecode(URL.parse(valOf(one, "Target"), `part:/${folder}`)?.pathname.slice(1) ?? "");
  return {
    byId: new Map(inside.map((one) => [valOf(one, "Id"), targetOf(one)])),
    ofType: (type: string): string[] => inside.filter((one) => valOf(one, "Type").endsWith(`/${type}`)).map(targetOf),
  };
}

/** Title, language and author of the file. Its dates say when the file was written, not when its text was published. */
export function propertiesOf(office: OfficePackage): {
  title: string | null;
  language: string | null;
  author: string | null;
  publishedAt: null;
} {
  const core = rootOf(office, "docProps/core.xml");
  const field = (name: string): string | null => collapse(childAt(core, name)?.textContent ?? "") || null;
  return { title: field("title"), language: field("language"), author: field("creator"), publishedAt: null };
}

/** Returns a sentence that says what was left out, or nothing. @param skipped what, and how often */
export function leftOut(skipped: Iterable<readonly [what: string, count: number]>): { incomplete?: string } {
  const named = Array.from(skipped, ([what, count]) => (count > 0 ? [`${what} (${count})`] : [])).flat();
  return named.length === 0 ? {} : { incomplete: `Left out: ${named.join(", ")}.` };
}

import { type DomNode, isElement, isText, walk } from "./dom.ts";

const MAX_CAPTION_LENGTH = 250;
/** An image stands in running text when so much text comes right before or after it. */
const MIN_NEIGHBOUR_LENGTH = 80;
/** No frame of an image has more nodes than this. */
const MAX_GLANCE = 100;
/** What images are wrapped in; not list items, whose text is no caption but what the list is about. */
const WRAPPERS = new Set("a b center div em figure font i picture p small span strong table tbody td tr".split(" "));
const STRUCTURE = /^(?:h[1-6]|ul|ol|dl|pre|math|blockquote)$/;
const SILENT = /^(?:noscript|script|style|template)$/;

/**
 * Removes the images that stand between paragraphs, with what little text is wrapped together with them: a caption that no
 * class calls so. An image in the line of a sentence, in a list or in a table with other cells is left alone.
 */
export function removeImageCaptions(root: DomNode): void {
  const images: DomNode[] = [];
  walk(root, (node) => {
    if (node.localName === "img") images.push(node);
    return isElement(node);
  });
  for (const image of images) {
    const frame = frameOf(image, root);
    if (frame && (isParagraph(neighbour(frame, "previousSibling")) || isParagraph(neighbour(frame, "nextSibling")))) frame.remove?.();
  }
}

/** The outermost wrapper of an image that holds nothing but a short text; null where there is no such text. */
function frameOf(image: DomNode, root: DomNode): DomNode | null {
  let frame: DomNode | null = null;
  for (let at = image.parentNode; at && at !== root && WRAPPERS.has(at.localName ?? ""); at = at.parentNode) {
    const { length, plain } = glanceAt(at);
    if (!plain || length > MAX_CAPTION_LENGTH) break;
    if (at.localName === "p" && isLine(at)) return null;
    if (length > 0) frame = at;
  }
  return frame;
}

/** Whether text stands in a paragraph beside its image, not on a line of its own. */
function isLine(paragraph: DomNode): boolean {
  const children: DomNode[] = [];
  for (let child = paragraph.firstChild; child; child = child.nextSibling) children.push(child);
  return children.some((child) => isText(child) && child.nodeValue?.trim()) && !children.some(({ localName }) => localName === "br");
}

/** How much text a node holds, whether without headings, lists and several cells, and whether without images. */
function glanceAt(root: DomNode): { length: number; plain: boolean; imageless: boolean } {
  const seen = { length: 0, plain: true, imageless: true };
  let nodes = 0;
  let cells = 0;
  walk(root, (node) => {
    const name = node.localName ?? "";
    if (SILENT.test(name)) return false;
    if (isText(node)) seen.length += node.nodeValue?.trim().length ?? 0;
    if (name === "td" || name === "th") cells++;
    if (name === "img") seen.imageless = false;
    if (STRUCTURE.test(name) || cells > 1 || ++nodes > MAX_GLANCE) seen.plain = false;
    return nodes > MAX_GLANCE || (!seen.plain && seen.length > MAX_CAPTION_LENGTH) ? "stop" : true;
  });
  return seen;
}

/** The next thing with text or an image on one side. */
function neighbour(node: DomNode, side: "previousSibling" | "nextSibling"): DomNode | null {
  let at = node[side];
  for (let steps = 0; at && steps < MAX_GLANCE; steps++, at = at[side]) {
    const { length, imageless } = glanceAt(at);
    if (length > 0 || !imageless) return at;
  }
  return null;
}

function isParagraph(node: DomNode | null): boolean {
  if (node === null) return false;
  const { length, imageless } = glanceAt(node);
  return imageless && length >= MIN_NEIGHBOUR_LENGTH;
}

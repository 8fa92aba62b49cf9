import { Readability } from "@mozilla/readability";
import { collapse } from "../block-text.ts";
import { cleanBlocks } from "./clean-blocks.ts";
import { namesOf, removeClutter } from "./clutter.ts";
import { bodyOf, type DomDocument, type DomNode, isElement, isText, isWithin, measure, walk } from "./dom.ts";
import { type HtmlBlock, htmlBlocks } from "./html-blocks.ts";
import type { PageMetadata } from "./metadata.ts";

/** Beyond these Readability takes seconds to minutes. Of a thousand pages none was deeper than 41 or had more than 10,100. */
const MAX_ARTICLE_DEPTH = 80;
const MAX_ARTICLE_ELEMENTS = 30_000;

interface Article {
  readonly title: string | null;
  readonly blocks: HtmlBlock[];
}

/** Whether a page is small enough to look for an article in it. */
export function isSearchable(document: DomDocument): boolean {
  const { depth, elements } = measure(bodyOf(document));
  return depth <= MAX_ARTICLE_DEPTH && elements <= MAX_ARTICLE_ELEMENTS;
}

/**
 * The article of a searchable page, or null where there is none. First everything goes that
 * is named as something else, then Readability finds the article by its text, then it is settled with what the page names
 * as its body, and last go the blocks that templates put between paragraphs. Takes the document apart.
 */
export function findArticle(document: DomDocument, metadata: PageMetadata): Article | null {
  const body = bodyOf(document);
  removeOtherArticles(document);
  removeClutter(body);
  removeImageCaptions(body);
  const bodies = articleBodies(body);
  nameFacts(document, metadata);
  const article = readArticle(document);
  if (!article?.content) return null;
  const blocks = reconcileBodies(htmlBlocks(article.content), bodies);
  return { title: article.title ?? null, blocks: cleanBlocks(blocks, metadata.title) };
}

/**
 * Readability takes what looks like a byline out of the text, a place of reporting too, unless the page names its author;
 * and the only `<h1>` of a page whose title is short, the headline of a front page too, unless the page names its title.
 */
function nameFacts(document: DomDocument, { author, title }: PageMetadata): void {
  addMeta(document, "author", author ?? "unknown");
  addMeta(document, "title", title ?? "");
}

function addMeta(document: DomDocument, name: string, content: string): void {
  const meta = document.createElement("meta");
  meta.setAttribute?.("name", name);
  meta.setAttribute?.("content", content);
  document.head?.append?.(meta);
}

function readArticle(document: DomDocument): ReturnType<Readability<DomNode>["parse"]> {
  try {
    return new Readability<DomNode>(document, { serializer: (node) => node as unknown as DomNode }).parse();
  } catch {
    // It stumbles over documents that are none (no body, only a frameset); what text there is, is still read.
    return null;
  }
}

/** What templates call the element that holds the text of an article and nothing else. */
const BODY_NAME =
  /^(?:[\w-]{0,60}-)?(?:article|entry|post|story|blog|news|single)-?(?:main-?|full-?|inner-?|page-?)?(?:body|contents?|text|copy)(?:-?(?:inner|content|body|container|wrapper|wrap|text|main))?$|^field-(?:name-)?body$/;
const MAX_BODIES = 8;

/**
 * The blocks of each part of a page that is marked or named as the body of an article, largest names first come. Parts of
 * the same name are one body: some templates cut an article where an advertisement stands.
 */
function articleBodies(root: DomNode): HtmlBlock[][] {
  const bodies = new Map<string, DomNode[]>();
  const open: { node: DomNode; name: string }[] = [];
  walk(
    root,
    (node) => {
      const name = isElement(node) ? bodyName(node) : null;
      // Within a body of the same name nothing is found that is not in it.
      if (name !== null && !open.some((outer) => outer.name === name)) {
        open.push({ node, name });
        bodies.set(name, [...(bodies.get(name) ?? []), node]);
      }
      return isElement(node);
    },
    (node) => {
      if (open.at(-1)?.node === node) open.pop();
    },
  );
  return [...bodies.values()].slice(0, MAX_BODIES).map((nodes) => nodes.flatMap(htmlBlocks));
}

function bodyName(node: DomNode): string | null {
  if (/\barticleBody\b/.test(node.getAttribute?.("itemprop") ?? "")) return "articleBody";
  return namesOf(node, ["class", "id"]).find((name) => BODY_NAME.test(name)) ?? null;
}

/** An article that says less may be only the opening of a page that is made of several. */
const MIN_ARTICLE_LENGTH = 700;

/** Where one `<article>` alone has the page's `<h1>`, removes those beside it: they are other posts, or answers to it. */
function removeOtherArticles(document: DomDocument): void {
  const articles = Array.from(document.querySelectorAll("article"));
  const headed = articles.filter(hasMainHeading);
  const [main] = headed;
  if (!main || headed.length > 1 || collapse(main.textContent ?? "").length < MIN_ARTICLE_LENGTH) return;
  for (const other of articles) {
    if (!isWithin(other, main) && !isWithin(main, other)) other.remove?.();
  }
}

function hasMainHeading(article: DomNode): boolean {
  let found = false;
  walk(article, (node) => {
    found = node.localName === "h1";
    return found ? "stop" : isElement(node);
  });
  return found;
}

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
function removeImageCaptions(root: DomNode): void {
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

/** So much of the running text that was found must stand in a body for the two to be of the same article. */
const AGREEMENT = 0.9;
/** A body with so many times the running text shows that most of the article was not found. */
const MUCH_MORE = 1.5;
const MIN_TEXT_LENGTH = 40;
const MIN_LEAD_LENGTH = 80;
/** Blocks that are searched for within others, in one body: each costs a pass over its text. */
const MAX_SEARCHES = 50;

/**
 * Settles what was found by how the page looks (`found`) with what it names as the body of an article. Where both agree,
 * what is found outside of the smallest such body is left out, except paragraphs that lead up to it; where a body holds
 * what was found and much more, it is the article.
 */
function reconcileBodies(found: readonly HtmlBlock[], bodies: readonly (readonly HtmlBlock[])[]): readonly HtmlBlock[] {
  const prose = proseOf(found);
  let best = found;
  let body: readonly HtmlBlock[] | null = null;
  for (const candidate of bodies) {
    const shared = sharedWith(candidate, found);
    if (proseOf(shared) < prose * AGREEMENT) continue;
    const kept = [...leadOf(found, shared), ...shared];
    if (kept.length < best.length) best = kept;
    if (!body || proseOf(candidate) < proseOf(body)) body = candidate;
  }
  return body && proseOf(body) > prose * MUCH_MORE ? body : best;
}

function sharedWith(body: readonly HtmlBlock[], found: readonly HtmlBlock[]): HtmlBlock[] {
  const keys = new Set(body.map(keyOf));
  const whole = [...keys].join("");
  let searches = 0;
  return found.filter((block) => {
    const key = keyOf(block);
    if (keys.has(key)) return true;
    // Paragraphs may have been cut or joined differently.
    return block.text.length >= MIN_TEXT_LENGTH && searches++ < MAX_SEARCHES && whole.includes(key);
  });
}

/** Paragraphs before the first that is shared. */
function leadOf(found: readonly HtmlBlock[], shared: readonly HtmlBlock[]): HtmlBlock[] {
  const first = shared.find(isRunningText);
  const before = first ? found.slice(0, found.indexOf(first)) : [];
  return before.filter((block) => isRunningText(block) && block.text.length >= MIN_LEAD_LENGTH && !shared.includes(block));
}

function proseOf(blocks: readonly HtmlBlock[]): number {
  return blocks.reduce((sum, block) => sum + (isRunningText(block) ? block.text.length : 0), 0);
}

function isRunningText({ kind, text, linked }: HtmlBlock): boolean {
  return kind !== "heading" && text.length >= MIN_TEXT_LENGTH && linked < 0.5;
}

/** The letters and digits of a block: marks and spaces around links and images are set differently each time. */
function keyOf({ text }: HtmlBlock): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}

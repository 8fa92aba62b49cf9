import { Readability } from "@mozilla/readability";
import { type BlockDraft, collapse, type Draft, lengthOf } from "../block-text.ts";
import { cleanBlocks, removeRelatedBoxes } from "./clean-blocks.ts";
import { clutterWord, namesOf, removeClutter } from "./clutter.ts";
import { attributeOf, bodyOf, type DomDocument, type DomNode, isElement, isText, walk } from "./dom.ts";
import { findFacts, orderOf, restoreFacts } from "./facts.ts";
import { type HtmlBlock, htmlBlocks, isHidden } from "./html-blocks.ts";
import { isDateline, type PageMetadata, pageMetadata } from "./metadata.ts";
import { parsePage } from "./parse-page.ts";

/** Readability may have failed if the article is shorter. Then the whole body is extracted too. */
const MIN_ARTICLE_LENGTH = 140;
const MIN_HIDDEN_LENGTH = 200;

/** Extracts the article, or the whole body if there is none. @throws DossierError `unreadable` if the page would exhaust a parser */
export function extractHtml(html: string): Draft {
  const document = parsePage(html);
  const metadata = pageMetadata(document);
  revealPanels(document);
  const base = baseOf(document);
  if (!isSearchable(document)) return { ...metadata, ...base, drafts: htmlBlocks(bodyOf(document)) };
  const article = findArticle(document, metadata);
  const title = metadata.title ?? article?.title ?? null;
  const length = lengthOf(article?.blocks ?? []);
  const body = length >= MIN_ARTICLE_LENGTH ? [] : bodyBlocks(html);
  return { ...metadata, ...base, title, drafts: article !== null && length > lengthOf(body) ? article.blocks : body };
}

export function extractPage(html: string): Draft {
  const document = parsePage(html);
  return { ...pageMetadata(document), ...baseOf(document), drafts: htmlBlocks(bodyOf(document)) };
}

function baseOf(document: DomDocument): Pick<Draft, "base"> {
  const [element] = document.querySelectorAll("base[href]");
  return element === undefined ? {} : { base: attributeOf(element, "href") };
}

function bodyBlocks(html: string): BlockDraft[] {
  const document = parsePage(html);
  revealPanels(document);
  const shown = htmlBlocks(bodyOf(document));
  if (lengthOf(shown) >= MIN_ARTICLE_LENGTH) return shown;
  revealPanels(document, true);
  const all = htmlBlocks(bodyOf(document));
  return lengthOf(all) >= lengthOf(shown) + MIN_HIDDEN_LENGTH ? all : shown;
}

/** Above these limits Readability takes seconds to minutes. A thousand real pages stayed far below them. */
const MAX_ARTICLE_DEPTH = 80;
const MAX_ARTICLE_ELEMENTS = 30_000;

function isSearchable(document: DomDocument): boolean {
  let [depth, elements, isSmall] = [0, 0, true];
  const enter = (node: DomNode): true | "stop" => {
    if (isElement(node)) elements++;
    isSmall = ++depth <= MAX_ARTICLE_DEPTH && elements <= MAX_ARTICLE_ELEMENTS;
    return isSmall || "stop";
  };
  walk(bodyOf(document), enter, () => depth--);
  return isSmall;
}

/** Changes the document. Returns null if Readability finds no article. */
function findArticle(document: DomDocument, metadata: PageMetadata): { title: string | null; blocks: HtmlBlock[] } | null {
  removeOtherArticles(document);
  const facts = findFacts(bodyOf(document), (line) => isDateline(line, "", metadata.author));
  removeClutter(bodyOf(document));
  removeRelatedBoxes(bodyOf(document));
  addMetadata(document, metadata);
  const [headline = null, ...others] = document.querySelectorAll("h1");
  const top = others.length === 0 ? orderOf(headline) : -1;
  const article = readArticle(document);
  if (!article?.content) return null;
  restoreFacts(article.content, facts, top === -1 ? Infinity : top);
  return { title: article.title ?? null, blocks: cleanBlocks(htmlBlocks(article.content), metadata) };
}

/** Without tags for author and title, Readability would remove the byline and short titles from the text. */
function addMetadata(document: DomDocument, { author, title }: PageMetadata): void {
  for (const [name, content] of Object.entries({ author: author ?? "unknown", title: title ?? "" })) {
    const meta = document.createElement("meta");
    meta.setAttribute?.("name", name);
    meta.setAttribute?.("content", content);
    document.head?.append?.(meta);
  }
}

function readArticle(document: DomDocument): ReturnType<Readability<DomNode>["parse"]> {
  try {
    return new Readability<DomNode>(document, { serializer: (node) => node as unknown as DomNode }).parse();
  } catch {
    // Readability throws if a document has no body, such as a frameset.
    return null;
  }
}

const MIN_MAIN_LENGTH = 700;

/** If only one `<article>` has an `<h1>`, the others are comments or teasers and are removed. */
function removeOtherArticles(document: DomDocument): void {
  const articles = Array.from(document.querySelectorAll("article"));
  const [main, ...others] = articles.filter((article) => article.querySelector?.("h1") != null);
  if (!main || others.length > 0 || collapse(main.textContent ?? "").length < MIN_MAIN_LENGTH) return;
  for (const other of articles) {
    if (!main.contains(other) && !other.contains(main)) other.remove?.();
  }
}

const OTHER_ELEMENTS = /^(?:nav|header|footer|aside|dialog|form|menu|script|style|noscript|template|svg)$/;
const OTHER_ROLES = /^(?:alert|alertdialog|banner|complementary|contentinfo|dialog|listbox|menu|menubar|navigation|search|status|tooltip)$/;
const CONTROLS = /^(?:input|select|textarea|iframe)$/;
const PANEL_NAME =
  /(?:^|-)(?:accordion|faqs?|answers?|collaps(?:e|ible|ed)|expand(?:able)?|toggle|panel|tab-?(?:panel|pane|content))(?:-|$)/;
const MIN_PANEL_LENGTH = 15;
const MAX_LABEL_LENGTH = 300;
const MAX_PANELS = 2_000;

/** Shows panels that a button or tab would open. With `all`, shows all hidden text. */
function revealPanels(document: DomDocument, all = false): void {
  const openers = new Map<string, DomNode>();
  for (const node of document.querySelectorAll("[aria-controls]")) {
    for (const id of attributeOf(node, "aria-controls").split(/\s+/)) openers.set(id, node);
  }
  openers.delete("");
  for (const node of hiddenParts(bodyOf(document))) {
    const opener = openers.get(attributeOf(node, "id"));
    if (!(all || opener || isPanel(node)) || !isRunningText(node)) continue;
    node.removeAttribute?.("hidden");
    node.removeAttribute?.("aria-hidden");
    if (isHidden(node)) node.removeAttribute?.("style");
    if (opener?.localName === "button") replaceByHeading(document, opener);
  }
}

function hiddenParts(body: DomNode): DomNode[] {
  const hidden: DomNode[] = [];
  walk(body, (node) => {
    const isOther = OTHER_ELEMENTS.test(node.localName ?? "") || OTHER_ROLES.test(attributeOf(node, "role"));
    if (!isElement(node) || isOther || clutterWord(node) !== null) return false;
    if (isHidden(node)) hidden.push(node);
    return hidden.length < MAX_PANELS ? true : "stop";
  });
  return hidden;
}

function isPanel(node: DomNode): boolean {
  const outer = node.parentNode;
  const names = [...namesOf(node), ...(outer && isElement(outer) ? namesOf(outer) : [])];
  return attributeOf(node, "role") === "tabpanel" || names.some((name) => PANEL_NAME.test(name));
}

function isRunningText(root: DomNode): boolean {
  let [plain, linked, controls, links] = [0, 0, 0, 0];
  const enter = (node: DomNode): boolean => {
    const name = node.localName ?? "";
    if (node !== root && OTHER_ELEMENTS.test(name)) return false;
    if (name === "a") links++;
    if (CONTROLS.test(name)) controls++;
    const length = isText(node) ? collapse(node.nodeValue ?? "").length : 0;
    if (links > 0) linked += length;
    else plain += length;
    return true;
  };
  walk(root, enter, (node) => node.localName === "a" && links--);
  return controls === 0 && plain >= MIN_PANEL_LENGTH && plain > linked;
}

function replaceByHeading(document: DomDocument, button: DomNode): void {
  const label = collapse(button.textContent ?? "");
  if (button.parentNode === null || label === "" || label.length > MAX_LABEL_LENGTH) return;
  const heading = document.createElement(button.closest?.("h1, h2, h3, h4, h5, h6, dt, summary") ? "span" : "h3");
  for (let child = button.firstChild; child; child = button.firstChild) heading.append?.(child);
  button.parentNode.insertBefore?.(heading, button);
  button.remove?.();
}

import { Readability } from "@mozilla/readability";
import { collapse } from "../block-text.ts";
import { cleanBlocks } from "./clean-blocks.ts";
import { removeClutter } from "./clutter.ts";
import { bodyOf, type DomDocument, type DomNode, isElement, isWithin, measure, walk } from "./dom.ts";
import { type HtmlBlock, htmlBlocks } from "./html-blocks.ts";
import type { PageMetadata } from "./metadata.ts";

/** Beyond these Readability takes seconds to minutes. Of a thousand pages none was deeper than 41 or had more than 10,100. */
const MAX_ARTICLE_DEPTH = 80;
const MAX_ARTICLE_ELEMENTS = 30_000;

export interface Article {
  readonly title: string | null;
  readonly blocks: HtmlBlock[];
}

/** Whether a page is small enough to look for an article in it. */
export function isSearchable(document: DomDocument): boolean {
  const { depth, elements } = measure(bodyOf(document));
  return depth <= MAX_ARTICLE_DEPTH && elements <= MAX_ARTICLE_ELEMENTS;
}

/**
 * The article of a searchable page, or null where there is none: Readability finds it once clutter is removed by its name;
 * the blocks that templates put between paragraphs go last. Takes the document apart.
 */
export function findArticle(document: DomDocument, metadata: PageMetadata): Article | null {
  removeOtherArticles(document);
  removeClutter(bodyOf(document));
  addMetadata(document, metadata);
  const article = readArticle(document);
  return article?.content ? { title: article.title ?? null, blocks: cleanBlocks(htmlBlocks(article.content), metadata.publishedAt) } : null;
}

/**
 * Readability takes the likeliest byline out of the text, a place of reporting too, unless the page names its author; and
 * the only `<h1>` of a page with a short title, the headline of a front page too, unless the page names its title.
 */
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
    // It fails for documents without a body, such as framesets; their text is still read.
    return null;
  }
}

/** A shorter article may be only the opening of a page that is made of several. */
const MIN_ARTICLE_LENGTH = 700;

/** If one `<article>` alone has the page's `<h1>`, removes those beside it: other posts, or answers to it. */
function removeOtherArticles(document: DomDocument): void {
  const articles = Array.from(document.querySelectorAll("article"));
  const [main, ...others] = articles.filter(hasMainHeading);
  if (!main || others.length > 0 || collapse(main.textContent ?? "").length < MIN_ARTICLE_LENGTH) return;
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

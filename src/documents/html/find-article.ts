import { Readability } from "@mozilla/readability";
import { collapse } from "../block-text.ts";
import { cleanBlocks } from "./clean-blocks.ts";
import { removeClutter } from "./clutter.ts";
import { bodyOf, type DomDocument, type DomNode, measure } from "./dom.ts";
import { type HtmlBlock, htmlBlocks } from "./html-blocks.ts";
import type { PageMetadata } from "./metadata.ts";

/** Above these, Readability takes seconds to minutes. None of a thousand pages was deeper than 41 or had more than 10,100. */
const MAX_ARTICLE_DEPTH = 80;
const MAX_ARTICLE_ELEMENTS = 30_000;

export interface Article {
  readonly title: string | null;
  readonly blocks: HtmlBlock[];
}

export function isSearchable(document: DomDocument): boolean {
  const { depth, elements } = measure(bodyOf(document));
  return depth <= MAX_ARTICLE_DEPTH && elements <= MAX_ARTICLE_ELEMENTS;
}

/** The article of a searchable page, or null: removes clutter, runs Readability, then cleans the blocks. Changes the document. */
export function findArticle(document: DomDocument, metadata: PageMetadata): Article | null {
  removeOtherArticles(document);
  removeClutter(bodyOf(document));
  addMetadata(document, metadata);
  const article = readArticle(document);
  return article?.content ? { title: article.title ?? null, blocks: cleanBlocks(htmlBlocks(article.content), metadata.publishedAt) } : null;
}

/** Without an author and a title here, Readability removes what looks like a byline, and the `<h1>` of a page with a short title. */
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
    // It fails for documents without a body, such as framesets; the caller reads their text.
    return null;
  }
}

/** A shorter article may be only the first of several that make up the page. */
const MIN_ARTICLE_LENGTH = 700;

/** If a single `<article>` has an `<h1>`, removes the articles beside it: other posts, or answers to it. */
function removeOtherArticles(document: DomDocument): void {
  const articles = Array.from(document.querySelectorAll("article"));
  const [main, ...others] = articles.filter((article) => article.querySelector?.("h1") != null);
  if (!main || others.length > 0 || collapse(main.textContent ?? "").length < MIN_ARTICLE_LENGTH) return;
  for (const other of articles) {
    if (!main.contains(other) && !other.contains(main)) other.remove?.();
  }
}

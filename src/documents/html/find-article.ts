import { Readability } from "@mozilla/readability";
import { articleBodies } from "./article-bodies.ts";
import { cleanBlocks } from "./clean-blocks.ts";
import { removeClutter } from "./clutter.ts";
import { bodyOf, type DomDocument, type DomNode, measure } from "./dom.ts";
import { type HtmlBlock, htmlBlocks } from "./html-blocks.ts";
import type { PageMetadata } from "./html-metadata.ts";
import { removeImageCaptions } from "./image-captions.ts";
import { removeOtherArticles } from "./other-articles.ts";
import { reconcileBodies } from "./reconcile-bodies.ts";

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

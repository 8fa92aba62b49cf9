import { type BlockDraft, lengthOf } from "../block-text.ts";
import type { Draft } from "../draft.ts";
import { bodyOf, parsePage } from "./dom.ts";
import { findArticle, isSearchable } from "./find-article.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { pageMetadata } from "./html-metadata.ts";

/** An article shorter than this may be a mistake: the body is looked at, too. */
const SHORT_ARTICLE_LENGTH = 140;

/**
 * The article of a page without what stands around it, or the whole body without navigation where there is none. Executes
 * and loads nothing.
 * @throws DossierError `unreadable` when the page is built to exhaust a parser
 */
export function extractHtml(html: string): Draft {
  const document = parsePage(html);
  const metadata = pageMetadata(document);
  if (!isSearchable(document)) return { ...metadata, drafts: htmlBlocks(bodyOf(document)) };
  const article = findArticle(document, metadata);
  const found = article !== null && lengthOf(article.blocks) >= SHORT_ARTICLE_LENGTH;
  const drafts = found ? article.blocks : longer(htmlBlocks(bodyOf(parsePage(html))), article?.blocks);
  return { ...metadata, title: metadata.title ?? article?.title ?? null, drafts };
}

function longer(body: BlockDraft[], article: BlockDraft[] = []): BlockDraft[] {
  return lengthOf(body) >= lengthOf(article) ? body : article;
}

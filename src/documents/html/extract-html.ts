import { type BlockDraft, type Draft, lengthOf } from "../block-text.ts";
import { bodyOf, parsePage } from "./dom.ts";
import { findArticle, isSearchable } from "./find-article.ts";
import { revealPanels } from "./hidden-panels.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { pageMetadata } from "./metadata.ts";

/** An article shorter than this may be a mistake: the body is looked at, too. */
const SHORT_ARTICLE_LENGTH = 140;
/** A page that shows hardly anything and hides so much is meant to be opened by its reader. */
const MIN_HIDDEN_LENGTH = 200;

/**
 * The article of a page without what stands around it, or the whole body without navigation where there is none. Executes
 * and loads nothing.
 * @throws DossierError `unreadable` when the page is built to exhaust a parser
 */
export function extractHtml(html: string): Draft {
  const document = parsePage(html);
  const metadata = pageMetadata(document);
  revealPanels(document);
  if (!isSearchable(document)) return { ...metadata, drafts: htmlBlocks(bodyOf(document)) };
  const article = findArticle(document, metadata);
  const found = article !== null && lengthOf(article.blocks) >= SHORT_ARTICLE_LENGTH;
  const drafts = found ? article.blocks : longer(bodyBlocks(html), article?.blocks);
  return { ...metadata, title: metadata.title ?? article?.title ?? null, drafts };
}

/** The blocks of the whole body; with those that are hidden where the page would be nearly empty without them. */
function bodyBlocks(html: string): BlockDraft[] {
  const document = parsePage(html);
  revealPanels(document);
  const shown = htmlBlocks(bodyOf(document));
  if (lengthOf(shown) >= SHORT_ARTICLE_LENGTH) return shown;
  revealPanels(document, true);
  const all = htmlBlocks(bodyOf(document));
  return lengthOf(all) >= lengthOf(shown) + MIN_HIDDEN_LENGTH ? all : shown;
}

function longer(body: BlockDraft[], article: BlockDraft[] = []): BlockDraft[] {
  return lengthOf(body) >= lengthOf(article) ? body : article;
}

/** All text of a page, nothing of it taken for clutter: for pages that are documents themselves, such as filings. */
export function extractPage(html: string): Draft {
  const document = parsePage(html);
  return { ...pageMetadata(document), drafts: htmlBlocks(bodyOf(document)) };
}

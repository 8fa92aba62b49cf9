import { type BlockDraft, type Draft, lengthOf } from "../block-text.ts";
import { bodyOf, parsePage } from "./dom.ts";
import { findArticle, isSearchable } from "./find-article.ts";
import { revealPanels } from "./hidden-panels.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { pageMetadata } from "./metadata.ts";

/** A shorter article may be a mistake: the body is read too. */
const MIN_ARTICLE_LENGTH = 140;
/** A nearly empty page that hides so much text lets its reader open it. */
const MIN_HIDDEN_LENGTH = 200;

/**
 * The article of a page, or its whole body without navigation where there is none. Executes and loads nothing.
 * @throws DossierError `unreadable` when the page is built to exhaust a parser
 */
export function extractHtml(html: string): Draft {
  const document = parsePage(html);
  const metadata = pageMetadata(document);
  revealPanels(document);
  if (!isSearchable(document)) return { ...metadata, drafts: htmlBlocks(bodyOf(document)) };
  const article = findArticle(document, metadata);
  const found = article !== null && lengthOf(article.blocks) >= MIN_ARTICLE_LENGTH;
  const drafts = found ? article.blocks : longer(bodyBlocks(html), article?.blocks);
  return { ...metadata, title: metadata.title ?? article?.title ?? null, drafts };
}

/** All text of a page: for pages that are documents themselves, such as filings. */
export function extractPage(html: string): Draft {
  const document = parsePage(html);
  return { ...pageMetadata(document), drafts: htmlBlocks(bodyOf(document)) };
}

/** The blocks of the whole body; with the hidden ones if the page is nearly empty without them. */
function bodyBlocks(html: string): BlockDraft[] {
  const document = parsePage(html);
  revealPanels(document);
  const shown = htmlBlocks(bodyOf(document));
  if (lengthOf(shown) >= MIN_ARTICLE_LENGTH) return shown;
  revealPanels(document, true);
  const all = htmlBlocks(bodyOf(document));
  return lengthOf(all) >= lengthOf(shown) + MIN_HIDDEN_LENGTH ? all : shown;
}

function longer(body: BlockDraft[], article: BlockDraft[] = []): BlockDraft[] {
  return lengthOf(body) >= lengthOf(article) ? body : article;
}

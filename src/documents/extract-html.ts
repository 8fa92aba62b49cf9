import { Readability } from "@mozilla/readability";
import { type BlockDraft, collapse, lengthOf } from "./block-text.ts";
import { bodyOf, type DomDocument, type DomNode, measure, parsePage } from "./dom.ts";
import type { Draft } from "./draft.ts";
import { htmlBlocks } from "./html-blocks.ts";
import { pageMetadata } from "./html-metadata.ts";

/** Beyond these Readability takes seconds to minutes (1,000 deep: 1.3 s; 5,000 deep: 112 s); the whole body is read instead. */
const MAX_ARTICLE_DEPTH = 200;
const MAX_ARTICLE_ELEMENTS = 30_000;
/** An article shorter than this may be a mistake of Readability's: the body is looked at, too. */
const SHORT_ARTICLE_LENGTH = 140;

/**
 * The article of a page as Readability finds it, or the whole body without navigation where it finds none. Executes and
 * loads nothing.
 * @throws DossierError `unreadable` when the page is built to exhaust a parser
 */
export function extractHtml(html: string): Draft {
  const document = parsePage(html);
  const metadata = pageMetadata(document);
  const article = findArticle(document);
  const drafts =
    article && lengthOf(article.drafts) >= SHORT_ARTICLE_LENGTH
      ? article.drafts
      : longer(htmlBlocks(bodyOf(parsePage(html))), article?.drafts);
  return { ...metadata, title: metadata.title ?? article?.title ?? null, author: metadata.author ?? article?.author ?? null, drafts };
}

interface Article {
  readonly drafts: BlockDraft[];
  readonly title: string | null;
  readonly author: string | null;
}

/** Takes the document apart. */
function findArticle(document: DomDocument): Article | null {
  const { depth, elements } = measure(bodyOf(document));
  if (depth > MAX_ARTICLE_DEPTH || elements > MAX_ARTICLE_ELEMENTS) return null;
  try {
    const article = new Readability<DomNode>(document, { serializer: (node) => node as unknown as DomNode }).parse();
    if (!article?.content) return null;
    const written = (text: string | null | undefined): string | null => collapse(text ?? "") || null;
    return { drafts: htmlBlocks(article.content), title: written(article.title), author: written(article.byline) };
  } catch {
    // Readability stumbles over documents that are none (no body, only a frameset); what text there is, is still read.
    return null;
  }
}

function longer(body: BlockDraft[], article: BlockDraft[] = []): BlockDraft[] {
  return lengthOf(body) >= lengthOf(article) ? body : article;
}

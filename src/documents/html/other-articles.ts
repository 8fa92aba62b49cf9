import { collapse } from "../block-text.ts";
import { type DomDocument, type DomNode, isElement, isWithin, walk } from "./dom.ts";

/** An article that says less may be only the opening of a page that is made of several. */
const MIN_ARTICLE_LENGTH = 700;

/** Where one `<article>` alone has the page's `<h1>`, removes those beside it: they are other posts, or answers to it. */
export function removeOtherArticles(document: DomDocument): void {
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

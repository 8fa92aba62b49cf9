import { clutterWord } from "./clutter-names.ts";
import { type DomNode, isElement, isText, walk } from "./dom.ts";

/** What stands around an article in every template, by the element that is meant for it. */
const CLUTTER_ELEMENTS = new Set(["aside", "dialog", "figcaption", "footer", "form", "nav"]);
const CLUTTER_ROLES = /^(?:alertdialog|banner|complementary|contentinfo|dialog|menu|menubar|navigation|search|tooltip)$/;
/** Never removed by name: their classes speak of the page as a whole, or they are parts of data. */
const KEPT = new Set("html body main article table thead tbody tfoot tr td th caption h1 pre code math".split(" "));
/** Without text of their own, or, as code, with class names of a syntax highlighter. */
const NOT_ENTERED = new Set(["script", "style", "noscript", "template", "svg", "pre", "code", "math"]);
const INLINE = new Set("a abbr b cite em font i ins label mark q s small span strong sub sup time u".split(" "));
const WORD = /[\p{L}\p{N}]{2}/u;
/** What holds a larger share of the page's running text is its content, whatever it is called. */
const MAX_SHARE = 0.4;

interface Suspect {
  readonly node: DomNode;
  readonly reason: string;
  prose: number;
}

/**
 * Removes what is named as something else than content: sharing, related articles, bylines, captions, advertisements,
 * comments. Whatever is called alike is judged together and stays where it makes up much of the page's running text.
 */
export function removeClutter(root: DomNode): void {
  const roots = [root];
  let whole: number | null = null;
  for (const part of roots) {
    const { suspects, prose } = findSuspects(part);
    whole ??= prose;
    const proseOf = new Map<string, number>();
    for (const { reason, prose } of suspects) proseOf.set(reason, (proseOf.get(reason) ?? 0) + prose);
    for (const { node, reason } of suspects) {
      if ((proseOf.get(reason) ?? 0) <= whole * MAX_SHARE) node.remove?.();
      // A wrapper, such as a form around the whole page: what is within it is looked at for itself.
      else roots.push(node);
    }
  }
}

/** The outermost elements below `root` that may be clutter, and how much running text they and the whole hold. */
function findSuspects(root: DomNode): { suspects: Suspect[]; prose: number } {
  const suspects: Suspect[] = [];
  let current: Suspect | null = null;
  let links = 0;
  let prose = 0;
  walk(
    root,
    (node) => {
      if (isText(node) && links === 0) {
        const length = node.nodeValue?.trim().length ?? 0;
        prose += length;
        if (current) current.prose += length;
      }
      if (!isElement(node) || NOT_ENTERED.has(node.localName ?? "")) return false;
      if (node.localName === "a") links++;
      const reason: string | null = current || node === root ? null : clutterReason(node);
      if (reason) {
        current = { node, reason, prose: 0 };
        suspects.push(current);
      }
      return true;
    },
    (node) => {
      if (node.localName === "a") links--;
      if (current?.node === node) current = null;
    },
  );
  return { suspects, prose };
}

function clutterReason(node: DomNode): string | null {
  const name = node.localName ?? "";
  if (KEPT.has(name) || (INLINE.has(name) && standsInText(node))) return null;
  if (CLUTTER_ELEMENTS.has(name)) return name;
  if (CLUTTER_ROLES.test(node.getAttribute?.("role") ?? "")) return "role";
  return clutterWord(node);
}

/** Whether text goes on before or after an element, so that a sentence would lose words with it. */
function standsInText(node: DomNode): boolean {
  return [node.previousSibling, node.nextSibling].some(
    (sibling) => sibling !== null && isText(sibling) && WORD.test(sibling.nodeValue ?? ""),
  );
}

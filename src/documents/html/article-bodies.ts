import { namesOf } from "./clutter-names.ts";
import { type DomNode, isElement, walk } from "./dom.ts";
import { type HtmlBlock, htmlBlocks } from "./html-blocks.ts";

/** What templates call the element that holds the text of an article and nothing else. */
const BODY_NAME =
  /^(?:[\w-]{0,60}-)?(?:article|entry|post|story|blog|news|single)-?(?:main-?|full-?|inner-?|page-?)?(?:body|contents?|text|copy)(?:-?(?:inner|content|body|container|wrapper|wrap|text|main))?$|^field-(?:name-)?body$/;
const MAX_BODIES = 8;

/**
 * The blocks of each part of a page that is marked or named as the body of an article, largest names first come. Parts of
 * the same name are one body: some templates cut an article where an advertisement stands.
 */
export function articleBodies(root: DomNode): HtmlBlock[][] {
  const bodies = new Map<string, DomNode[]>();
  const open: { node: DomNode; name: string }[] = [];
  walk(
    root,
    (node) => {
      const name = isElement(node) ? bodyName(node) : null;
      // Within a body of the same name nothing is found that is not in it.
      if (name !== null && !open.some((outer) => outer.name === name)) {
        open.push({ node, name });
        bodies.set(name, [...(bodies.get(name) ?? []), node]);
      }
      return isElement(node);
    },
    (node) => {
      if (open.at(-1)?.node === node) open.pop();
    },
  );
  return [...bodies.values()].slice(0, MAX_BODIES).map((nodes) => nodes.flatMap(htmlBlocks));
}

function bodyName(node: DomNode): string | null {
  if (/\barticleBody\b/.test(node.getAttribute?.("itemprop") ?? "")) return "articleBody";
  return namesOf(node, ["class", "id"]).find((name) => BODY_NAME.test(name)) ?? null;
}

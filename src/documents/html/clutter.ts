import { attributeOf, type DomNode, isElement, isText, walk } from "./dom.ts";

const CLUTTER_WORDS = [
  "related|relatedposts|recirc|recirculation|recommended|recommendations?|(?:read|up)-next|readnext|more-(?:from|stories|on|news|articles|posts|in|like-this)",
  "(?:also|must)-(?:read|like)|you-(?:may|might)|most-(?:read|popular|viewed|shared)|popular-(?:posts|stories|articles)|latest-(?:news|posts|stories|articles)",
  "trending|teasers|promos?|promoted|outbrain|taboola|(?:next|previous|prev)-(?:article|post|story)|nav-links|pagination|breadcrumbs?",
  "ads?|adverts?|advertisement|advertising|sponsors?|sponsored|banner|newsletters?|sign-?up|subscribe|donate|donation|cta|share|sharing|social",
  "by-?lines?|authors?|contributors?|captions?|credits?|gallery|galleries|gallerybox|slideshow|slider|carousel|lightbox",
  "comments?|commentlist|disqus|respond|replies|cookies?(?:-law)?|consent|modal|pop-?up|side-?bar|widgets|widget-?area|noprint|navbox|sr-only|screen-?reader",
];
/** Words that may follow "sidebar" or the like in a class name. A hyphen inside a word would make matching exponential. */
const PART_WORDS = [
  "[a-z]|[a-z]*\\d\\w*|area|articles?|bar|bio|block|body|bottom|box|boxes|buttons?|containers?|content|desktop|div|entry|footer|header|holder",
  "icons?|images?|img|info|inner|items?|label|links?|list|main|meta|mobile|module|name|outer|overlay|page|panel|photo|posts?|row|section|slides?",
  "slot|story|stories|sub|text|title|tools|top|unit|widget|wp|wrap|wrapper",
];
const CLUTTER_NAME = new RegExp(`(?:^|-)(${CLUTTER_WORDS.join("|")})(?:-(?:${PART_WORDS.join("|")}))*$`);
const CLUTTER_PART = new RegExp(`(?:^|-)(?:${CLUTTER_WORDS.join("|")})(?:-|$)`);
const MEDIA_WORD = /^(?:captions?|credits?|gallery|galleries|slideshow|slider|carousel)$/;
const MAX_NAMES_LENGTH = 500;

/** Returns class names and id in kebab case: `ArticleBody__shareBar_x1` becomes `article-body-share-bar-x1`. */
export function namesOf(node: DomNode): string[] {
  return ["class", "id"]
    .flatMap((attribute) => attributeOf(node, attribute).slice(0, MAX_NAMES_LENGTH).split(/\s+/))
    .filter(Boolean)
    .map((name) => name.replaceAll(/([a-z\d])([A-Z])/g, "$1-$2").replaceAll(/[^A-Za-z\d]+/g, "-"))
    .map((name) => name.toLowerCase());
}

export function clutterWord(node: DomNode): string | null {
  const matches = namesOf(node).map((name) => CLUTTER_NAME.exec(name)?.[1]);
  return matches.find((word) => word !== undefined) ?? null;
}

const CLUTTER_ELEMENTS = new Set(["aside", "dialog", "figcaption", "footer", "form", "header", "nav"]);
/** Elements that are never removed because of their class. Their class may describe the whole page. */
const KEPT = new Set("html body main article table thead tbody tfoot tr td th dl dt dd caption h1 pre code".split(" "));
const NOT_ENTERED = new Set(["script", "style", "noscript", "template", "svg", "pre", "code"]);
const INLINE = new Set("a abbr b cite em font i ins label mark q s small span strong sub sup time u".split(" "));
const WORD = /[\p{L}\p{N}]{2}/u;
const MAX_SHARE = 0.4;

type Suspect = { readonly node: DomNode; readonly reason: string; prose: number };

/** Removes elements with a class such as "sidebar", unless they contain much of the page's text. */
export function removeClutter(root: DomNode): void {
  const roots = [root];
  let whole: number | null = null;
  for (const part of roots) {
    const { suspects, prose } = findSuspects(part);
    whole ??= prose;
    const proseOf = new Map<string, number>();
    for (const { reason, prose } of suspects) proseOf.set(reason, (proseOf.get(reason) ?? 0) + prose);
    for (const { node, reason } of suspects) {
      if ((proseOf.get(reason) ?? 0) <= whole * MAX_SHARE) node.replaceWith?.(" ");
      else roots.push(node);
    }
  }
}

function findSuspects(root: DomNode): { suspects: Suspect[]; prose: number } {
  const suspects: Suspect[] = [];
  let current: Suspect | null = null;
  let links = 0;
  let prose = 0;
  const enter = (node: DomNode): boolean => {
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
    } else if (!current && node !== root) hideNames(node);
    return true;
  };
  walk(root, enter, (node) => {
    if (node.localName === "a") links--;
    if (current?.node === node) current = null;
  });
  return { suspects, prose };
}

export function clutterReason(node: DomNode): string | null {
  const name = node.localName ?? "";
  if (isKept(node) || (name === "header" && isOfSection(node))) return null;
  if (CLUTTER_ELEMENTS.has(name)) return name;
  const word = clutterWord(node);
  const needsMedia = word !== null && MEDIA_WORD.test(word) && !namesOf(node).includes(word);
  if (word !== null && (!needsMedia || hasMedia(node) || hasMedia(node.previousElementSibling))) return word;
  return null;
}

function isOfSection(header: DomNode): boolean {
  return header.querySelector?.("h1") == null && header.querySelector?.("h2, h3, h4, h5, h6") != null;
}

/** Readability removes any element with a clutter word in its class, so the class is removed. */
function hideNames(node: DomNode): void {
  if (!namesOf(node).some((name) => CLUTTER_PART.test(name)) || isKept(node)) return;
  for (const attribute of ["class", "id"]) node.removeAttribute?.(attribute);
}

function isKept(node: DomNode): boolean {
  const name = node.localName ?? "";
  return KEPT.has(name) || (INLINE.has(name) && isBesideText(node));
}

function hasMedia(node: DomNode | null | undefined): boolean {
  return /^(?:img|figure|picture|iframe|video)$/.test(node?.localName ?? "") || node?.querySelector?.("img, iframe, video") != null;
}

function isBesideText(node: DomNode): boolean {
  return [node.previousSibling, node.nextSibling].some((beside) => beside && isText(beside) && WORD.test(beside.nodeValue ?? ""));
}

import { type DomNode, isElement, isText, walk } from "./dom.ts";

/** Where templates write what a part of the page is for. */
const NAMING_ATTRIBUTES = ["class", "id", "data-component", "data-module", "data-testid", "data-type", "itemprop"];

/** Words of such names, as they stand between two hyphens once a name is spelled `like-this`. */
const CLUTTER_WORDS = [
  // Sharing and following.
  "share|shares|sharing|share(?:bar|tools|buttons|links|daddy)|shared-?addy|sharethis|addthis|addtoany|social|socials|socialmedia|follow-us",
  // Other articles.
  "related|relatedposts|relatedarticles|recirc|recirculation|recommended|recommendations?|read-next|readnext|up-next",
  "more-(?:from|stories|on|news|articles|posts|in|like-this)|(?:also|must)-(?:read|like|see|on)|see-also|you-(?:may|might)(?:-also)?-like",
  "most-(?:read|popular|viewed|shared)|popular-(?:posts|stories|articles)|trending|latest-(?:news|posts|stories|articles)|teasers|teaser-(?:list|box|grid|item|block|container|wrapper)|promos?|promoted",
  "outbrain|taboola|zergnet|revcontent|jp-relatedposts|(?:next|previous|prev)-(?:article|post|story)|post-navigation|nav-links|pagination|pager|breadcrumbs?",
  // Selling.
  "ad|ads|advert|adverts|advertisement|advertising|adsense|ad-?(?:slot|unit|container|wrapper|box|label)|sponsor|sponsors|sponsored|dfp|banner",
  "newsletter|newsletters|sign-?up|subscribe|subscribe-?(?:box|form)|donate|donation|app-promo|call-to-action|cta",
  // Who and when; both are read from the metadata.
  "by-?lines?|author|authors|(?:about|article|entry|post|story)-?author|author-?(?:bio|box|info|card|block|details|meta|profile|name)|contributors?",
  "(?:article|entry|post|story)-?(?:meta|info|date|time|tags?|topics|categories|footer|utility|tools)|timestamp|pub-?date|publish(?:ed)?-?(?:date|on|at|time)",
  "tags|tag-?list|tagcloud|tags-links|cat-links|reading-time|read-time",
  // Pictures: their text repeats or credits.
  "caption|captions|caption-text|(?:image|photo|media|picture|wp)-?(?:caption|credit|source|info)|credit|credits|photo-?credit|slideshow|slider|carousel|lightbox",
  "video-player|jwplayer|player",
  // Around the page.
  "comments?|comment-?(?:list|form|section|respond)|commentlist|disqus|respond|replies|cookies?|cookie-?(?:bar|banner|notice|law|consent)|consent|gdpr|onetrust",
  "modal|popup|pop-up|overlay|tool-?bar|sidebar|side-bar|right-rail|widget-?area|widgets|footer-widgets?|log-?in|feedback|copyright|noprint|navbox|print-only",
  // For screen readers: labels of buttons.
  "sr-only|screen-?reader(?:-text)?|screen-?reader-?only|visually-?hidden|assistive-text|skip-?(?:link|to-content|nav)",
];
const CLUTTER_NAME = new RegExp(`(?:^|-)(${CLUTTER_WORDS.join("|")})(?:-|$)|^(hidden|hide)$`);
/** A name says in its first words what it is for; what is longer is generated, or hostile. */
const MAX_NAMES_LENGTH = 500;

/** The names of an element, spelled `like-this`: `ArticleBody__shareBar_x1` is `article-body-share-bar-x1`. */
export function namesOf(node: DomNode, attributes: readonly string[] = NAMING_ATTRIBUTES): string[] {
  const written = attributes.map((attribute) => (node.getAttribute?.(attribute) ?? "").slice(0, MAX_NAMES_LENGTH));
  return written
    .flatMap((names) => names.split(/\s+/))
    .filter(Boolean)
    .map(spelledOut);
}

/** The word in the names of an element by which it is something else than content, or null. */
export function clutterWord(node: DomNode): string | null {
  for (const name of namesOf(node)) {
    const [, word, whole] = CLUTTER_NAME.exec(name) ?? [];
    if (word ?? whole) return word ?? whole ?? null;
  }
  return null;
}

function spelledOut(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z\d]+/g, "-")
    .toLowerCase();
}

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

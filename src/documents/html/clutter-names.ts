import type { DomNode } from "./dom.ts";

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

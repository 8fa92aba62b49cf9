import { lengthOf } from "../block-text.ts";
import { isByline, isDateLine } from "../dates.ts";
import type { HtmlBlock } from "./html-blocks.ts";

/** So much of a block in links makes it a link rather than text with links. */
const LINK_SHARE = 0.85;
/** Lists of links that are more of a page than this are what the page is about. */
const MAX_LISTED_SHARE = 0.25;
/** A longer link is a paragraph of which the author, or a mistake in the page, made a link. */
const MAX_LINK_LENGTH = 200;
/** So many headings that are links are the headlines of a front page, the first of them too. */
const MIN_TEASERS = 4;
/** A link that is written out is information. */
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^\S+@\S+$/i;
/** As long as a short sentence; Chinese and Japanese say as much in fewer characters. */
const SENTENCE_LENGTH = 60;
const UNSPACED_SENTENCE_LENGTH = 20;

/**
 * An article's blocks without what templates put before, between and after its paragraphs: bylines and dates, links to
 * other articles, requests to share or subscribe. A page that is not mainly running text, such as an index, keeps all.
 */
export function cleanBlocks(blocks: readonly HtmlBlock[], title: string | null): HtmlBlock[] {
  if (!isProse(blocks)) return [...blocks];
  const start = blocks.findIndex(isSentence);
  const teasers = blocks.filter(isLinkedHeading).length >= MIN_TEASERS;
  const leads = (block: HtmlBlock): boolean => !(teasers && isLinkedHeading(block)) && isLeadClutter(block, title);
  const kept = new Set(blocks.filter((block, i) => !isClutter(block) && !(i < start && leads(block))));
  const lists = linkLists(blocks).flat();
  if (lengthOf(lists) <= lengthOf(blocks) * MAX_LISTED_SHARE) for (const block of lists) kept.delete(block);
  for (const block of leavingParts(blocks)) kept.delete(block);
  return withoutEmptySections(blocks, kept);
}

function isProse(blocks: readonly HtmlBlock[]): boolean {
  return lengthOf(blocks.filter(isSentence)) >= lengthOf(blocks) / 2;
}

function isSentence({ kind, text, linked }: HtmlBlock): boolean {
  if (kind !== "paragraph" && kind !== "quote" && kind !== "list-item") return false;
  const least = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? UNSPACED_SENTENCE_LENGTH : SENTENCE_LENGTH;
  return linked < 0.5 && text.length >= least && !isPhrase(text) && !isDateLine(text);
}

function isClutter({ kind, text, linked }: HtmlBlock): boolean {
  if (kind === "code" || kind === "table-row") return false;
  if (isPhrase(text)) return true;
  if (LEAVING_HEADING.test(text)) return true;
  return (
    (kind === "paragraph" && linked >= LINK_SHARE && text.length <= MAX_LINK_LENGTH && !ADDRESS.test(text)) ||
    (linked > 0.3 && LINK_LEAD_IN.test(text))
  );
}

function isLinkedHeading({ kind, linked }: HtmlBlock): boolean {
  return kind === "heading" && linked >= LINK_SHARE;
}

/** What only stands before the first sentence. */
function isLeadClutter({ kind, text, linked }: HtmlBlock, title: string | null): boolean {
  if (kind === "code" || kind === "table-row") return false;
  if (isByline(text) || isDateLine(text) || linked >= LINK_SHARE || /^https?:\S+$/.test(text)) return true;
  return title !== null && text.toLowerCase() === title.toLowerCase();
}

/** What follows a heading that leads away, until the text goes on: titles and first words of other articles. */
function leavingParts(blocks: readonly HtmlBlock[]): HtmlBlock[] {
  let leaving = false;
  return blocks.filter((block) => {
    if (LEAVING_HEADING.test(block.text)) leaving = true;
    else if (isSentence(block) || (block.kind === "heading" && block.linked < 0.5)) leaving = false;
    return leaving && block.linked >= 0.5;
  });
}

/** Lists of nothing but links, of two items or more, unless the text announces them with a colon. */
function linkLists(blocks: readonly HtmlBlock[]): HtmlBlock[][] {
  const lists: HtmlBlock[][] = [];
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== "list-item") continue;
    if (blocks[i - 1]?.kind === "list-item") lists.at(-1)?.push(block);
    else lists.push([block]);
  }
  return lists.filter((list) => list.length >= 2 && list.every(({ linked }) => linked >= LINK_SHARE) && !isAnnounced(blocks, list));
}

function isAnnounced(blocks: readonly HtmlBlock[], [first]: readonly HtmlBlock[]): boolean {
  const before = first && blocks[blocks.indexOf(first) - 1];
  return before?.kind === "paragraph" && before.text.length >= SENTENCE_LENGTH / 2 && /[:：]$/u.test(before.text);
}

/** What is kept, without the headings of which nothing is left, and without headings at the very end. */
function withoutEmptySections(blocks: readonly HtmlBlock[], kept: ReadonlySet<HtmlBlock>): HtmlBlock[] {
  const result: HtmlBlock[] = [];
  let next: HtmlBlock | undefined;
  let removed = true;
  for (const block of blocks.toReversed()) {
    if (!kept.has(block)) removed = true;
    else if (block.kind === "heading" && removed && (!next || (next.kind === "heading" && next.level <= block.level))) continue;
    else {
      result.push(block);
      next = block;
      removed = false;
    }
  }
  return result.reverse();
}

/**
 * What templates write around and between the paragraphs of an article, in the languages that are read most. Each is
 * tried on one whole block; none may match a sentence that an author would write.
 */

/** Lead-ins of a link to another article: `Read more: ...`. */
const LINK_LEAD_IN =
  /^\W{0,3}(?:read|read (?:more|also|next|on)|also read|must read|more|more (?:on|from|about)[^:]{0,40}|related(?: \w+)?|recommended|see|see also|also|also see|watch(?: \w+)?|listen(?: \w+)?|don['’]t miss|leia(?: mais| também)?|veja(?: mais| também)?|lea(?: también)?|lee(?: también)?|(?:te|le) puede interesar|puedes ver|mira también|(?:à )?lire(?: aussi)?|voir aussi|(?:auch )?lesen(?: sie)?(?: auch)?|auch interessant|mehr zum thema|siehe auch|leggi anche|lees ook|czytaj(?: też| także)?|baca(?: juga)?|читайте также|смотрите также|延伸阅读|延伸閱讀|相关阅读|相關閱讀|推荐阅读|相关新闻|関連記事|関連|あわせて読みたい|اقرأ أيضا)\s*[:：|–—-]/iu;

/** Headings of what leads away from the article. */
const LEAVING_HEADING =
  /^\W{0,3}(?:(?:related|recommended|recent|latest|popular|trending|top|more|similar|featured|other)(?: (?:news|articles?|posts?|stories|story|content|links|reading|coverage|videos?|topics|today|this week|now|for you|to read|like this))+|related|trending|recommended|popular|more from\b.{0,60}|read (?:more|next|this next)|most (?:read|popular|viewed|shared)|you (?:may|might) (?:also )?(?:like|enjoy|be interested in)|don['’]t miss|must reads?|editor['’]?s['’]? (?:picks?|choice)|share this.{0,20}|follow us.{0,20}|comments?|leave a (?:comment|reply)|tags|leia também|veja também|você (?:pode|também pode) gostar.{0,20}|(?:artigos|posts|notícias) relacionad[oa]s|(?:artículos|noticias) relacionad[oa]s|te puede interesar|también te puede.{0,20}|lire aussi|à lire aussi|sur le même (?:sujet|thème)|articles (?:liés|similaires)|mehr zum thema|(?:das|das thema) könnte (?:sie|dich) auch interessieren|auch interessant|schon gelesen|mehr themen|(?:ähnliche|neueste|weitere) (?:artikel|beiträge)|(?:diesen )?artikel teilen|teilen sie dies mit|le puede interesar|czytaj (?:też|także)|leggi anche|articoli correlati|lees ook|gerelateerd.{0,20}|baca juga|artikel terkait|читайте также|похожие (?:статьи|записи)|相关阅读|相关文章|相关新闻|相关推荐|相關文章|相關新聞|推荐阅读|热门文章|猜你喜欢|延伸阅读|延伸閱讀|関連記事|おすすめ記事|人気記事|مقالات ذات صلة|اقرأ أيضا)\W*$/iu;

const WHOLE_LINES: readonly RegExp[] = [
  // Advertisements and labels of buttons.
  /^\W*(?:advert|advertisement|advertising|sponsored(?: content)?|promoted|story continues below.*|article continues (?:below|after).*|anzeige|werbung|iklan|publicidade|publicidad|publicité|pubblicità|advertentie|реклама|广告|廣告|広告|إعلان)\W*$/iu,
  /^\W*(?:share|tweet|pin|pin it|email|e-mail|print|save|like|reply|close|caption|loading|menu|search|subscribe|sign in|log in|enlarge image|view gallery|view author archive|email the author|follow on twitter|show more|read more|learn more|see more|load more|continue reading|keep reading|skip to (?:main )?content|back to top|text size|image \d+ of ?\/? ?\d+|(?:\d+ )?(?:comments?|shares?|views?)|(?:\d+ )?min(?:utes?)? read|teilen|compartir|compartilhar|partager|condividi|поделиться|分享|收藏|点赞|打印|阅读全文|展开全文|シェア|ツイート|مشاركة)\W*$/iu,
  // Counts on the buttons of a repository: `Fork 3 Star 120`.
  /^\W*(?:(?:fork|star|watch)(?:s|ed|ers|ing)?\W{0,3}\d[\d.,]{0,9}k?\W*)+$/i,
  /^\W*this (?:slideshow|video|page|content) requires javascript\W*$/i,
  // What they ask of the reader.
  /^\W*(?:share|pin|tweet) this\b.{0,60}$/i,
  /^\W*(?:follow|like|find|join|add|reach) .{0,80}\bon (?:twitter|facebook|instagram|linkedin|youtube|telegram|pinterest|google news|whatsapp)\b.{0,300}$/i,
  /^\W*(?:write to|reach|contact|e-?mail|follow) .{2,80}(?:\bat \S+@\S+|@\w+)\W*$/i,
  /^\W*(?:follow|see|find|more|read|for more|full coverage)\b.{0,120}\bhttps?:\/\/\S+.{0,60}$/i,
  /^\W*(?:click|tap) here (?:to|for)\b.{0,100}$/i,
  /^\W*(?:get|join|download|sign|subscribe|try|register|become|receive|want|support|stay|buy|enter your|never miss|don['’]t miss)\b.{0,300}(?:\bsubscri|newsletter|\bmembers?\b|free trial|\bapps?\b|\binbox|email address|click here|breaking news alerts).{0,200}$/i,
  /^.{0,40}\b(?:this (?:web)?site|we) uses? cookies\b.{0,300}$/i,
  // Shortcodes of WordPress plugins that are gone.
  /^\[(\w+)\b[^\]]{0,300}\].{0,100}\[\/\1\]$/,
  // Who reported, where it is filed, whose picture it is.
  /^\W*(?:additional )?reporting (?:and writing )?by .{3,200}\bedit(?:ing|ed) by .{3,80}$/i,
  /^.{3,100}\bcontributed (?:reporting\b.{0,40}|to this (?:report|story|article))\W*$/i,
  /^\W*(?:image|photo|photograph|picture|foto|bild)s?(?: credits?| by| courtesy(?: of)?)?\s*[:：©].{0,80}$/iu,
  /^\W*(?:filed under|posted in|tagged(?: with| as)?|tags|categories|category|schlagwörter|etiquetas|рубрика|метки|标签|標籤|タグ|カテゴリ)\s*[:：].{0,200}$/iu,
  /^\W*(?:terms of (?:use|service)|privacy policy)\b.{0,80}$/i,
];

/** Beyond this no phrase matches. */
const MAX_PHRASE_LENGTH = 600;

/** Whether a block is nothing but one of these phrases. */
function isPhrase(text: string): boolean {
  return text.length <= MAX_PHRASE_LENGTH && WHOLE_LINES.some((pattern) => pattern.test(text));
}

import { collapse, lengthOf } from "../block-text.ts";
import { normalizeDate, WRITTEN_DATE } from "../dates.ts";
import { type DomNode, hasText, isText, walk } from "./dom.ts";
import { type HtmlBlock, htmlBlocks } from "./html-blocks.ts";
import { isDateline, type PageMetadata } from "./metadata.ts";

const MIN_LINK_SHARE = 0.85;
/** Lists with a larger share of the page's text are its content and are kept. */
const MAX_LISTED_SHARE = 0.25;
const MAX_BOX_SHARE = 0.5;
const MAX_BOXES = 20;
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^\S+@\S+$/i;
const MIN_SENTENCE_LENGTH = 60;
const MIN_UNSPACED_SENTENCE_LENGTH = 20;
const MAX_SUMMARY_BLOCKS = 2;

const TOPIC = "(?:related|recommended|recent|latest|popular|trending|top|more|similar|featured|other)";
const ITEMS =
  "(?:news|articles?|posts?|stories|story|content|links|reading|coverage|videos?|topics|today|this week|now|for you|to read|like this)";
const RELATED_LINK_HEADINGS = [
  `${TOPIC}(?: ${ITEMS})+|related|trending|recommended|popular|more from\\b.{0,60}|(?:what to )?(?:read|watch|see) (?:more|next|this next)`,
  "(?:what['’]s|up) next|keep reading|continue reading|most (?:read|popular|viewed|shared)|you (?:may|might) (?:also )?(?:like|enjoy|be interested in)",
  "don['’]t miss|must reads?|editor['’]?s['’]? (?:picks?|choice)|share this.{0,20}|follow us.{0,20}|comments?|leave a (?:comment|reply)|tags",
  "(?:photo|image|picture) galler(?:y|ies)",
  "leia também|veja também|você (?:pode|também pode) gostar.{0,20}|(?:artigos|posts|notícias) relacionad[oa]s",
  "(?:artículos|noticias) relacionad[oa]s|te puede interesar|también te puede.{0,20}|le puede interesar",
  "lire aussi|à lire aussi|sur le même (?:sujet|thème)|articles (?:liés|similaires)",
  "mehr zum thema|(?:das|das thema) könnte (?:sie|dich) auch interessieren|auch interessant|schon gelesen|mehr themen",
  "(?:ähnliche|neueste|weitere) (?:artikel|beiträge)|(?:diesen )?artikel teilen|teilen sie dies mit",
  "czytaj (?:też|także)|leggi anche|articoli correlati|lees ook|gerelateerd.{0,20}|baca juga|artikel terkait",
  "читайте также|похожие (?:статьи|записи)|مقالات ذات صلة|اقرأ أيضا",
  "相关(?:阅读|文章|新闻|推荐)|相關(?:閱讀|文章|新聞)|推荐阅读|热门文章|猜你喜欢|延伸(?:阅读|閱讀)|接下来阅读|下一篇|関連記事|おすすめ記事|人気記事|次に読む",
];
/** `\W` would also match Chinese characters. */
const SIGN = String.raw`[^\p{L}\p{N}]`;
const RELATED_LINK_HEADING = new RegExp(`^${SIGN}{0,3}(?:${RELATED_LINK_HEADINGS.join("|")})${SIGN}*$`, "iu");

/** Texts of page templates, such as advertisements. Each pattern must match a whole block. */
const PHRASES: readonly RegExp[] = [
  /^[^\p{L}\p{N}]*(?:advert|advertisement|advertising|sponsored(?: content)?|promoted|story continues below.*|article continues (?:below|after).*|anzeige|werbung|iklan|publicidade|publicidad|publicité|pubblicità|advertentie|реклама|广告|廣告|広告|إعلان)[^\p{L}\p{N}]*$/iu,
  /^[^\p{L}\p{N}]*(?:follow|like|find|join|add|reach) .{0,80}\bon (?:twitter|facebook|instagram|linkedin|youtube|telegram|pinterest|google news|whatsapp)\b.{0,300}$/iu,
  /^[^\p{L}\p{N}]*(?:get|join|download|sign|subscribe|try|register|become|receive|want|support|stay|buy|enter your|never miss|don['’]t miss)\b.{0,300}(?:\bsubscri|newsletter|\bmembers?\b|free trial|\bapps?\b|\binbox|email address|click here|breaking news alerts).{0,200}$/iu,
  /^\[(\w+)\b[^\]]{0,300}\].{0,100}\[\/\1\]$/,
  /^[^\p{L}\p{N}]*(?:additional )?reporting (?:and writing )?by .{3,200}\bedit(?:ing|ed) by .{3,80}$/iu,
];
const MAX_PHRASE_LENGTH = 600;

/** Removes links to other articles, button labels and requests to subscribe. Keeps all blocks of a page with little running text. */
export function cleanBlocks(blocks: readonly HtmlBlock[], metadata: PageMetadata): HtmlBlock[] {
  if (lengthOf(blocks.filter(isSentence)) < lengthOf(blocks.filter(({ kind }) => kind !== "table-row")) / 2) return [...blocks];
  const start = blocks.findIndex(isSentence);
  const kept = new Set(
    blocks.filter((block, i) => !isClutter(block) && (i > start || !repeatsPublicationDate(block, blocks[i - 1], metadata))),
  );
  const lists = linkLists(blocks).flat();
  if (lengthOf(lists) <= lengthOf(blocks) * MAX_LISTED_SHARE) for (const block of lists) kept.delete(block);
  for (const block of relatedLinkSections(blocks)) kept.delete(block);
  for (const [i, block] of blocks.entries()) {
    const next = blocks[i + 1];
    if (next && next.linked >= MIN_LINK_SHARE && !kept.has(next) && isLabel(block)) kept.delete(block);
  }
  return blocks.filter((block) => kept.has(block));
}

function isLabel(block: HtmlBlock): boolean {
  return block.kind === "paragraph" && /[:：]$/u.test(block.text) && !isSentence(block);
}

/** Removes boxes of links with a heading such as "Read next". A box with much of the page's text stays. */
export function removeRelatedBoxes(body: DomNode): void {
  const headings: DomNode[] = [];
  walk(body, (node) => {
    if (isText(node) && RELATED_LINK_HEADING.test(collapse(node.nodeValue ?? ""))) headings.push(node);
    return headings.length < MAX_BOXES || "stop";
  });
  const boxes = new Set(headings.map(boxOf));
  const length = boxes.size === 0 ? 0 : lengthOf(htmlBlocks(body));
  for (const box of boxes) {
    if (box.contains(body) || box.localName === "main" || box.querySelector?.("h1")) continue;
    const [heading, ...others] = htmlBlocks(box);
    const links = others.filter(({ linked }) => linked >= 0.5).length;
    const isRelated = RELATED_LINK_HEADING.test(heading?.text ?? "") && links > 0 && links >= others.filter(isSentence).length;
    if (isRelated && lengthOf(others) < length * MAX_BOX_SHARE) box.remove?.();
  }
}

function boxOf(text: DomNode): DomNode {
  let box = text;
  while (box.parentNode && !hasText(box, (node) => node === text)) box = box.parentNode;
  return box;
}

function isTemplatePhrase(text: string): boolean {
  return text.length <= MAX_PHRASE_LENGTH && PHRASES.some((pattern) => pattern.test(text));
}

function isSentence({ kind, text, linked }: HtmlBlock): boolean {
  if (kind !== "paragraph" && kind !== "quote" && kind !== "list-item") return false;
  const least = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? MIN_UNSPACED_SENTENCE_LENGTH : MIN_SENTENCE_LENGTH;
  return linked < 0.5 && text.length >= least && !isTemplatePhrase(text);
}

function isClutter({ kind, text, linked }: HtmlBlock): boolean {
  if (kind === "code" || kind === "table-row") return false;
  if (isTemplatePhrase(text)) return true;
  if (linked > 0.3 && RELATED_LINK_HEADING.test(text.split(/[:：|–—]/u, 1)[0] ?? "")) return true;
  return kind === "paragraph" && linked >= MIN_LINK_SHARE && !ADDRESS.test(text);
}

function repeatsPublicationDate(
  { kind, text }: HtmlBlock,
  above: HtmlBlock | undefined,
  { publishedAt, author, title }: PageMetadata,
): boolean {
  const isHeadline = (above?.kind === "heading" && above.level === 1) || above?.text === title;
  if (kind !== "paragraph" || !publishedAt || !isDateline(text, isHeadline ? "" : (above?.text ?? ""), author)) return false;
  return normalizeDate(WRITTEN_DATE.exec(text)?.[0])?.slice(0, 10) === publishedAt.slice(0, 10);
}

function relatedLinkSections(blocks: readonly HtmlBlock[]): HtmlBlock[] {
  const parts: HtmlBlock[] = [];
  let end = 0;
  for (const [i, { kind, text }] of blocks.entries()) {
    if (i < end || !RELATED_LINK_HEADING.test(text)) continue;
    end = i + 1;
    // `balance` is the number of links minus sentences. The section ends where it has more sentences than links.
    for (let at = end, balance = 0; balance >= 0 && at < blocks.length && at - end <= MAX_SUMMARY_BLOCKS; at++) {
      const block = blocks[at] as HtmlBlock;
      if (block.linked >= 0.5) end = at + 1;
      else if (block.kind === "heading" || block.kind === "code" || block.kind === "table-row") break;
      balance += block.linked >= 0.5 ? 1 : isSentence(block) ? -1 : 0;
    }
    const headsProse = kind === "heading" && end === i + 1 && (blocks[end]?.kind ?? "heading") !== "heading";
    const summarized = blocks.slice(i + 1, end).some(isSentence);
    if (summarized && (blocks[end + 1]?.kind ?? "heading") === "heading") end++;
    parts.push(...blocks.slice(headsProse ? end : i, end));
  }
  return parts;
}

function linkLists(blocks: readonly HtmlBlock[]): HtmlBlock[][] {
  const lists: HtmlBlock[][] = [];
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== "list-item") continue;
    const before = blocks[i - 1];
    if (before?.kind === "list-item") lists.at(-1)?.push(block);
    // A list after a paragraph such as "The members are:" stays, because the filter below rejects it.
    else lists.push(before?.kind === "paragraph" && /.{30}[:：]$/u.test(before.text) ? [before, block] : [block]);
  }
  return lists.filter((list) => list.length >= 2 && list.every(({ linked }) => linked >= MIN_LINK_SHARE));
}

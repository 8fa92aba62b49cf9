/**
 * What templates write around and between the paragraphs of an article, in the languages that are read most. Each is
 * tried on one whole block; none may match a sentence that an author would write.
 */

/** Lead-ins of a link to another article: `Read more: ...`. */
export const LINK_LEAD_IN =
  /^\W{0,3}(?:read|read (?:more|also|next|on)|also read|must read|more|more (?:on|from|about)[^:]{0,40}|related(?: \w+)?|recommended|see|see also|also|also see|watch(?: \w+)?|listen(?: \w+)?|don['’]t miss|leia(?: mais| também)?|veja(?: mais| também)?|lea(?: también)?|lee(?: también)?|(?:te|le) puede interesar|puedes ver|mira también|(?:à )?lire(?: aussi)?|voir aussi|(?:auch )?lesen(?: sie)?(?: auch)?|auch interessant|mehr zum thema|siehe auch|leggi anche|lees ook|czytaj(?: też| także)?|baca(?: juga)?|читайте также|смотрите также|延伸阅读|延伸閱讀|相关阅读|相關閱讀|推荐阅读|相关新闻|関連記事|関連|あわせて読みたい|اقرأ أيضا)\s*[:：|–—-]/iu;

/** Headings of what leads away from the article. */
export const LEAVING_HEADING =
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
export function isPhrase(text: string): boolean {
  return text.length <= MAX_PHRASE_LENGTH && WHOLE_LINES.some((pattern) => pattern.test(text));
}

/** A text in which whatever must stay in one piece is one character of a private area, and the way back. */
export interface Masked {
  readonly text: string;
  /** The characters back in their places. */
  reveal(text: string): string;
}

/** Where the characters that stand for a stretch begin; as many as Unicode keeps for private use. */
const FIRST = 0xe000;
const MOST = 6_400;

/** Names of two that are one thing, whatever stands around them. */
const JOINED =
  "Johnson and Johnson|Procter and Gamble|Marks and Spencer|Ernst and Young|Dolce and Gabbana|Tiffany and Co|Black and Decker|Smith and Wesson|Simon and Garfunkel|Bonnie and Clyde|Romeo and Juliet|Tom and Jerry|Lewis and Clark|Standard and Poor'?s|Trinidad and Tobago|Bosnia and Herzegovina|Antigua and Barbuda|Saint (?:Kitts|Vincent|Pierre) and (?:Nevis|the Grenadines|Miquelon)|S[ãa]o Tom[ée] and Pr[íi]ncipe|Turks and Caicos|Newfoundland and Labrador|Tyne and Wear|Victoria and Albert|War and Peace|Pride and Prejudice|Crime and Punishment|Sense and Sensibility|Beauty and the Beast|Dungeons and Dragons|The Old Man and the Sea|research and development|R and D|science and technology|supply and demand|oil and gas|mergers and acquisitions|profit and loss|terms and conditions|health and safety|food and beverage|arts and crafts|trial and error|cause and effect|checks and balances|search and rescue|law and order|pros and cons|goods and services|import and export|bed and breakfast|hunter and gatherer|input and output|back and forth|advantages and disadvantages|strengths and weaknesses|rise and fall";

const CHINESE_JOINED =
  /老人与海|罗密欧与朱丽叶|战争与和平|傲慢与偏见|罪与罚|红与黑|猫和老鼠|美女与野兽|理智与情感|冰与火之歌|时间与河流|圣基茨和尼维斯|特立尼达和多巴哥|波斯尼亚和黑塞哥维那|安提瓜和巴布达|科学与技术|研究与开发/gu;

/** What follows a name of several parts and says that it is one body: "Food and Drug Administration". */
const BODIES =
  "Administration|Commission|Foundation|Company|Act|Department|Ministry|University|Institute|Agency|Bureau|Corporation|Association|Organi[sz]ation|Society|Museum|Bank|Group|Council|Committee|Cent(?:er|re)|Office|Authority|Services?|School|College|Church|Railway|Railroad|Party|Union|Fund|Treaty|Protocol|Convention|Conference|Festival|Expedition|Brothers|Sons|Partners|Associates|Daughters|Inc|Ltd|LLC|Co|Board|Programme|Program|Prize|Award|Line|Canal|Agreement|Court|Library|Laborator(?:y|ies)";

const CAPITALS = String.raw`(?<!\p{L})(?:\p{Lu}[\p{L}'’-]{0,40}\s+)`;

/** In this order: what is quoted, what stands in brackets, and what is one thing although it names two. */
const WHOLES: readonly RegExp[] = [
  /["“][^"“”]{1,200}["”]|《[^《》]{1,100}》|「[^「」]{1,100}」|『[^『』]{1,100}』|(?<=^|[\s(])'[^']{2,100}'(?=$|[\s?.,;:!)])/gu,
  /[(（][^()（）]{1,300}[)）]/gu,
  new RegExp(String.raw`(?<!\p{L})(?:${JOINED})(?!\p{L})`, "giu"),
  CHINESE_JOINED,
  new RegExp(
    String.raw`${CAPITALS}{1,6}(?:,\s+${CAPITALS}{1,6}){0,4}(?:,\s+)?(?:and|for|&)\s+${CAPITALS}{0,6}(?:${BODIES})(?!\p{L})`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:Department|Ministry|Office|Institute|Faculty|School|Museum|Bureau|Secretary|Minister) (?:of|for) ${CAPITALS}{0,6}(?:and )${CAPITALS}{0,6}\p{Lu}[\p{L}'’-]*`,
    "gu",
  ),
  /(?<!\p{L})(?:date|place|year|cause|country|city) of (?:birth|death|origin|foundation|completion|construction)(?!\p{L})|(?<!\p{L})number of \p{Ll}+/giu,
];

/** Puts one character in the place of everything that no list and no sentence may be cut in. */
export function mask(text: string): Masked {
  const kept: string[] = [];
  const hide = (found: string): string => {
    if (kept.length >= MOST) return found;
    kept.push(found);
    return String.fromCharCode(FIRST + kept.length - 1);
  };
  const masked = WHOLES.reduce((rest, whole) => rest.replaceAll(whole, hide), text.replaceAll(/[\uE000-\uF8FF]/g, " "));
  // What was hidden may hold what was hidden before it.
  const reveal = (shown: string): string => {
    const next = shown.replaceAll(/[\uE000-\uF8FF]/g, (one) => kept[one.charCodeAt(0) - FIRST] ?? "");
    return next === shown ? shown : reveal(next);
  };
  return { text: masked, reveal };
}

import { STOP_TERMS } from "../../ranking/query-terms.ts";
import { unitAt } from "../figures/units.ts";

/** Abbreviations that need no source. */
const COMMON = new Set(
  (
    "CEO CFO COO CTO US USA UK EU UN UAE GDP CPI R&D FY IPO AI IT TV ESG EBITDA EPS YoY COVID DNA pH VAT HIV AIDS NATO OECD IMF WHO CI I " +
    "January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec " +
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday USD EUR GBP RMB CNY JPY CHF HKD Celsius Fahrenheit Mr Mrs Ms Dr"
  ).split(" "),
);
/** Words that begin many sentences and are seldom names. */
const OPENERS = new Set(
  (
    "according across adding additionally adult age also although altogether analyst another area asset authority average balance bank baseline " +
    "benefit board budget business buyer capacity capital cash chief children company compared consumer cost customer data debt demand despite " +
    "dividend earning economist effect either employee employment energy equity even every exchange executive expenditure expense export finance " +
    "following founder free full fuel fund further gain given global government gross group growth half headcount health holder household housing " +
    "however import income industry inflation insurance interest inventory investor job key labor labour lake last later lead less liquidity loan " +
    "local long loss low main manager margin market mean median medium member million money mortality most much net new next none number oil older " +
    "once one operating order other outlook output overall parent part participant patient pay people per performance plan population power price " +
    "product production profit project property public quarter rail rain rate real remission rent research resident result retail return revenue " +
    "risk river road safety salary sale scientist sea season second segment sector share shareholder short side similar since sleep solar spending " +
    "staff state still stock storm study subscriber subsidy summary supply survey tax team thereby therefore third thus together total trade " +
    "traffic trial turnover two under unemployment unit until user value volume wage warming water wave weather while wind within worker world year " +
    "young three four five six seven eight nine ten hundred thousand billion"
  ).split(" "),
);
const ENDINGS = /(?:ly|ing|ed|tion|sion|ment|ness|ity|ship|ance|ence|ism|ers|ors|ists)$/;
const WORD = /(?<![\p{L}\p{N}'’])\p{sc=Latin}[\p{sc=Latin}\p{M}&]*(?:[.'’-]\p{Lu}[\p{sc=Latin}\p{M}]*)*/gu;
/** What stands before a word that begins with a capital in any case. */
const SENTENCE_START = /(?:^|[.!?。！？:：|])["'“‘(（\s]*$/;
const LETTER = /[\p{L}\p{N}]/u;
/** Further names of a sentence are not searched. */
const MAX_NAMES = 20;

/** Returns the names in Latin script that stand in none of the texts. */
export function missingNames(sentence: string, texts: readonly string[]): string[] {
  return namesOf(sentence)
    .filter(({ word, isSure }) => !texts.some((text) => contains(text, word)) && (isSure || !isOrdinary(word)))
    .map(({ word }) => word);
}

/** `isSure` is false for the first word of a sentence, which may be an ordinary word with a capital. */
function namesOf(sentence: string): { readonly word: string; readonly isSure: boolean }[] {
  const found = [...sentence.matchAll(WORD)].filter(({ 0: word }) => /\p{Lu}/u.test(word)).slice(0, MAX_NAMES);
  return found.flatMap(({ 0: written, index }, i) => {
    const word = written.replace(/['’]s?$/, "");
    if (word.length < 2 || COMMON.has(word) || COMMON.has(word.replaceAll(".", ""))) return [];
    const isFirst = SENTENCE_START.test(sentence.slice(Math.max(0, index - 12), index));
    const end = index + written.length;
    if (/\d\s?$/.test(sentence.slice(Math.max(0, index - 2), index)) && unitAt(word) !== null) return [];
    const isFollowed = found[i + 1]?.index === end + 1 && /^\s/.test(sentence.slice(end, end + 1));
    const isOwner = /^['’]s\b/.test(sentence.slice(end, end + 3));
    return [{ word, isSure: !isFirst || isFollowed || isOwner || /^.+\p{Lu}/u.test(word) }];
  });
}

function isOrdinary(word: string): boolean {
  const lower = word.toLowerCase();
  const stem = lower.replace(/ies$/, "y").replace(/s$/, "");
  return STOP_TERMS.has(lower) || OPENERS.has(lower) || OPENERS.has(stem) || ENDINGS.test(lower);
}

/** Whether a text has a word, its plural, its beginning ("German" of "Germany"), or all in small letters. */
function contains(text: string, word: string): boolean {
  return [word, word.toLowerCase(), word.replace(/(?<=\p{L}{3})(?:n|ns|s)$/u, "")].some((form) => {
    for (let at = text.indexOf(form), places = 0; at >= 0 && places < 50; at = text.indexOf(form, at + 1), places++)
      if (!LETTER.test(text.charAt(at - 1)) && (form.length > 3 || !LETTER.test(text.charAt(at + form.length)))) return true;
    return false;
  });
}

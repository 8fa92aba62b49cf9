import { STOP_TERMS } from "../../ranking/stop-words.ts";
import { tokenise } from "../../ranking/tokenise.ts";

/** What a question names, as far as an answer repeats it (see `Concept`). */
interface Named {
  readonly surface: string;
  readonly parts: readonly string[];
  readonly weight: number;
  readonly fullName: boolean;
}

/** What a word weighs that only frames a question, and what one weighs that a shorter name is left of. */
const FRAMING_WEIGHT = 0.35;
const PLAIN_WEIGHT = 1;
/** Chinese words of fewer characters are no names by their length. */
const NAME_LENGTH = 4;

/** Words that no answer has to repeat: they join what is asked, or ask in general. */
const FRAMING =
  /^(?:since|within|without|among|across|along|around|despite|towards?|besides|ago|yet|one|ones|someone|somebody|anyone|anybody|everyone|something|anything|everything|rules?|regulations?|provisions?|situation|details|pros|cons|allow(?:s|ed)?|permit(?:s|ted)?|规定|規定|情况|情況|信息|资料|細節|细节|详情|内容|[各上里内中共还]有|各自|分别|双方|各方|上面|里面|当中|其中|之间|[几幾多]\p{sc=Han})$/iu;
/** The countries that are asked for tell it. */
const ABROAD = /^(?:海外|国外|國外|境外)$/u;
const ASKS_FOR_COUNTRIES = /[哪几幾](?:些|个|個)?国家|[哪幾](?:些|個)?國家/u;
const POSSESSIVE = /['’]s?$/u;
const CLASSIFIERS = "座个個家条條部位所本种種项項只隻台辆輛艘间間件名支架棵栋棟幅";
const NUMERALS = "[一二两兩三四五六七八九十百几幾\\d]";
const COUNT = new RegExp(`^(?:${NUMERALS}+[${CLASSIFIERS}])(?=\\p{sc=Han}{2})`, "u");
const CLASSIFIER = new RegExp(`^[${CLASSIFIERS}](?=\\p{sc=Han}{2})`, "u");
const COUNTING = new RegExp(`${NUMERALS}|[哪每这這那]`, "u");
/** 最古老 is told by 古老 as well, 年假的 by 年假, 青岚山上 by 青岚山. */
const DEGREE = /^最(?=\p{sc=Han}{2})|(?<=\p{sc=Han}{2})最$/gu;
const PARTICLE =
  /(?<=\p{sc=Han}{2})的$|(?<=\p{sc=Han}[山湖河海江岛島城园園馆館寺楼樓桥橋村镇鎮县縣市店厂廠校站塔船车車])[上里裡内內中]$|(?<=\p{sc=Han})(?:双方|各方)$/u;

/**
 * The concept as an answer has to name it: without the possessive of a name, the classifier that a numeral or 哪 has left in front of a
 * Chinese word, the particle behind it; a word that only frames the question weighs no more than that.
 */
export function asEvidence<T extends Named>(concept: T, question: string): T {
  const surface = bareWord(concept.surface, question);
  const framing = !concept.fullName && (FRAMING.test(surface) || (ABROAD.test(surface) && ASKS_FOR_COUNTRIES.test(question)));
  if (surface === concept.surface) return framing ? { ...concept, weight: Math.min(concept.weight, FRAMING_WEIGHT) } : concept;
  const parts = concept.parts.map((part) => part.replace(POSSESSIVE, ""));
  const isChinese = /\p{sc=Han}/u.test(surface);
  const weight = isChinese && surface.length < NAME_LENGTH ? Math.min(concept.weight, PLAIN_WEIGHT) : concept.weight;
  return {
    ...concept,
    surface,
    parts: isChinese ? tokenise(surface).filter((term) => !STOP_TERMS.has(term)) : parts,
    weight: framing ? FRAMING_WEIGHT : weight,
  };
}

function bareWord(surface: string, question: string): string {
  const latin = surface.replace(POSSESSIVE, "");
  if (!/\p{sc=Han}/u.test(latin)) return latin;
  const counted = COUNTING.test(question.charAt(question.indexOf(latin) - 1));
  const bare = latin.replace(COUNT, "").replace(counted ? CLASSIFIER : /(?!)/u, "");
  return bare.replaceAll(DEGREE, "").replace(PARTICLE, "");
}

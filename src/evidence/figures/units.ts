import { UNIT_TABLE } from "./unit-table.ts";

/** What a number counts, in a base unit. Units of different kinds never agree; a number without a unit agrees with any but shares. */
export interface Unit {
  readonly kind: string;
  /** How many base units it is. */
  readonly factor: bigint;
}

/** Signs and words of money, and the currencies each may stand for. */
const MONEY: readonly (readonly [words: string, currencies: string])[] = [
  ["US\\$|USD|U\\.?S\\.? dollars?|美元|美金", "USD"],
  ["HK\\$|HKD|Hong Kong dollars?|港元|港币", "HKD"],
  ["A\\$|AUD|澳元", "AUD"],
  ["C\\$|CAD|加元", "CAD"],
  ["NT\\$|TWD|新台币|台币", "TWD"],
  ["S\\$|SGD|新加坡元|新元", "SGD"],
  ["RMB|CNY|yuan|renminbi|人民币", "CNY"],
  ["JPY|yen|日元|日圆", "JPY"],
  ["EUR|€|euros?|欧元", "EUR"],
  ["GBP|£|pounds?(?: sterling)?|英镑", "GBP"],
  ["CHF|Swiss francs?|瑞士法郎|瑞郎", "CHF"],
  ["KRW|₩|won|韩元", "KRW"],
  ["INR|₹|rupees?|卢比", "INR"],
  ["NOK|挪威克朗", "NOK"],
  ["SEK|kron(?:or|a)|瑞典克朗", "SEK ISK"],
  ["DKK|丹麦克朗", "DKK"],
  ["kroner?|克朗", "NOK DKK SEK"],
  ["RUB|rou?bles?|卢布", "RUB BYN"],
  ["MXN|pesos?|比索", "MXN ARS CLP COP PHP"],
  ["BRL|reais|雷亚尔", "BRL"],
  ["TRY|liras?|里拉", "TRY"],
  ["THB|baht|泰铢", "THB"],
  ["PLN|zlot(?:y|ys|ych)|兹罗提", "PLN"],
  ["ILS|shekels?|谢克尔", "ILS"],
  ["ZAR|兰特", "ZAR"],
  ["AED|dirhams?|迪拉姆", "AED MAD"],
  ["SAR|ri[y]?als?|里亚尔", "SAR QAR OMR IRR"],
  ["MYR|ringgit|林吉特|令吉", "MYR"],
  ["IDR|rupiahs?|印尼盾", "IDR"],
  ["VND|越南盾", "VND"],
  ["NZD|纽元|新西兰元", "NZD"],
  ["CZK|koruna|捷克克朗", "CZK"],
  ["HUF|forints?|福林", "HUF"],
  ["UAH|hryvni?as?|格里夫纳", "UAH"],
  ["\\$|dollars?", "USD HKD AUD CAD TWD SGD"],
  ["¥", "CNY JPY"],
  ["元|块钱?", "CNY HKD TWD"],
];
/** The hundredth part of a currency. */
const MINOR: readonly (readonly [words: string, currencies: string])[] = [
  ["cents?|¢|美分|[欧港]分", "USD EUR HKD AUD CAD TWD SGD ZAR"],
  ["pence|便士", "GBP"],
];

const END = String.raw`(?![\p{sc=Latin}\d])`;
/** A Latin word ends where its letters do. */
const unitPattern = (word: string): RegExp =>
  new RegExp(String.raw`^[\s-]?(?:${word})${/[\u4e00-\u9fff%‰$€£¥₩₹]|成/.test(word) ? "" : END}`, "u");
const UNITS = UNIT_TABLE.flatMap(([kind, factor, words]) =>
  splitWords(words).map((word) => ({ kind, factor, length: word.length, pattern: unitPattern(word) })),
).sort((a, b) => b.length - a.length);
const behindOf = (money: typeof MONEY, isMinor: boolean) =>
  money.flatMap(([words, currencies]) =>
    splitWords(words).map((word) => ({ currencies: currencies.split(" "), length: word.length, pattern: unitPattern(word), isMinor })),
  );
const BEHIND = [...behindOf(MONEY, false), ...behindOf(MINOR, true)].sort((a, b) => b.length - a.length);
const BEFORE = MONEY.flatMap(([words, currencies]) =>
  splitWords(words).map((word) => ({
    currencies: currencies.split(" "),
    length: word.length,
    pattern: new RegExp(String.raw`(?<![\p{sc=Latin}])(?:${word})[\s-]?$`, "u"),
  })),
).sort((a, b) => b.length - a.length);

/** The words of a table's entry: bars inside of groups part none. */
function splitWords(words: string): string[] {
  return words.split(/\|(?![^()]*\))/);
}

/** The unit that begins `text`, with its length in characters; null where there is none that is known. */
export function unitAt(text: string): { readonly unit: Unit; readonly length: number } | null {
  for (const { kind, factor, pattern } of UNITS) {
    const match = pattern.exec(text);
    if (match !== null) return { unit: { kind, factor }, length: match[0].length };
  }
  return null;
}

/** The currencies that the word at the beginning of `behind`, or at the end of `before`, may stand for; `length` is what it takes of `behind`, and `isMinor` whether it is cents. */
export function currenciesAround(
  before: string,
  behind: string,
): { readonly currencies: readonly string[] | null; readonly length: number; readonly isMinor: boolean } {
  for (const { currencies, pattern, isMinor } of BEHIND) {
    const match = pattern.exec(behind);
    if (match !== null) return { currencies, length: match[0].length, isMinor };
  }
  return { currencies: BEFORE.find(({ pattern }) => pattern.test(before))?.currencies ?? null, length: 0, isMinor: false };
}

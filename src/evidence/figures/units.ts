/** What a number counts, in a base unit. Units of different kinds never agree; a number without a unit agrees with any but shares. */
export interface Unit {
  readonly kind: string;
  /** How many base units it is. */
  readonly factor: bigint;
}

/** Words of units by kind, with their size in the base unit of the kind. */
const TABLE: readonly (readonly [kind: string, factor: bigint, words: string])[] = [
  ["percent", 100n, "%|per ?cent|percentage|pct|Prozent"],
  ["percent", 10n, "‰"],
  ["points", 100n, "percentage points?|pp|p\\.p\\.|个?百分点"],
  ["points", 1n, "basis points?|bps|个?基点"],
  ["percent", 1_000n, "成(?!为|立|长|员|功|本|熟|绩|果|就)"],
  ["length", 3_048n, "feet|foot|ft|英尺"],
  ["length", 254n, "inch(?:es)?|英寸"],
  ["length", 16_093_440n, "miles?|英里"],
  ["length", 10_000_000n, "km|kilomet(?:er|re)s?|公里|千米"],
  ["length", 10n, "mm|millimet(?:er|re)s?|毫米"],
  ["length", 100n, "cm|centimet(?:er|re)s?|厘米"],
  ["length", 10_000n, "m|met(?:er|re)s?|米"],
  ["area", 1_000_000n, "km2|sq ?km|square kilomet(?:er|re)s?|平方公里|平方千米"],
  ["area", 10_000n, "hectares?|ha|公顷"],
  ["area", 1n, "m2|square met(?:er|re)s?|平方米"],
  ["length", 5_000_000n, "里(?!面|程|边)"],
  ["mass", 100_000_000n, "kg|kilograms?|kilos?|公斤|千克"],
  ["mass", 100_000_000_000n, "tonnes?|metric tons?|公吨|吨"],
  ["mass", 100_000n, "grams?|g|克"],
  ["mass", 100n, "mg|milligrams?|毫克"],
  ["mass", 45_359_237n, "pounds?|lbs?|磅"],
  ["mass", 2_834_952n, "ounces?|oz|盎司"],
  ["mass", 50_000_000n, "斤"],
  ["volume", 1_000_000n, "lit(?:er|re)s?|L|l|升"],
  ["volume", 1_000n, "ml|mL|millilit(?:er|re)s?|毫升"],
  ["volume", 1_000_000_000n, "m3|cubic met(?:er|re)s?|立方米"],
  ["volume", 3_785_412n, "gallons?|gal|加仑"],
  ["volume", 158_987_295n, "barrels?|bbl|桶"],
  ["times", 1n, "times|-?fold|x|倍"],
  ["months", 12n, "years?|yrs?|Jahre?n?"],
  ["months", 1n, "months?|个月"],
  ["days", 7n, "weeks?|周|个?星期"],
  ["days", 1n, "days?|天"],
  ["seconds", 3_600n, "hours?|hrs?|个?小时"],
  ["seconds", 60n, "minutes?|mins?|分钟"],
  ["seconds", 1n, "seconds?|secs?|秒"],
  ["celsius", 1n, "°C|degrees Celsius|摄氏度"],
  ["fahrenheit", 1n, "°F|degrees Fahrenheit|华氏度"],
];
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

const END = String.raw`(?![\p{sc=Latin}\d])`;
/** A Latin word ends where its letters do. */
const unitPattern = (word: string): RegExp =>
  new RegExp(String.raw`^[\s-]?(?:${word})${/[\u4e00-\u9fff%‰$€£¥₩₹]|成/.test(word) ? "" : END}`, "u");
const UNITS = TABLE.flatMap(([kind, factor, words]) =>
  splitWords(words).map((word) => ({ kind, factor, length: word.length, pattern: unitPattern(word) })),
).sort((a, b) => b.length - a.length);
const BEHIND = MONEY.flatMap(([words, currencies]) =>
  splitWords(words).map((word) => ({ currencies: currencies.split(" "), length: word.length, pattern: unitPattern(word) })),
).sort((a, b) => b.length - a.length);
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

/** The currencies that the word at the beginning of `behind`, or at the end of `before`, may stand for; `length` is what it takes of `behind`. */
export function currenciesAround(
  before: string,
  behind: string,
): { readonly currencies: readonly string[] | null; readonly length: number } {
  for (const { currencies, pattern } of BEHIND) {
    const match = pattern.exec(behind);
    if (match !== null) return { currencies, length: match[0].length };
  }
  return { currencies: BEFORE.find(({ pattern }) => pattern.test(before))?.currencies ?? null, length: 0 };
}

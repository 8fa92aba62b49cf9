/** `factor` is the size in a base unit, such as nanometers for lengths. `words` is a pattern. */
type UnitRow = readonly [kind: string, factor: bigint, words: string];

const PLAIN: readonly UnitRow[] = [
  ["percent", 100n, "%|per ?cent|percentage|pct|Prozent"],
  ["percent", 10n, "‰"],
  ["points", 100n, "percentage points?|pp|p\\.p\\.|个?百分点"],
  ["points", 1n, "basis points?|bps|个?基点"],
  ["percent", 1_000n, "成(?!为|立|长|员|功|本|熟|绩|果|就)"],
  ["length", 304_800_000n, "feet|foot|ft|英尺"],
  ["length", 25_400_000n, "inch(?:es)?|英寸"],
  ["length", 914_400_000n, "yards?|yd|码(?!头|洋)"],
  ["length", 1_609_344_000_000n, "miles?|mi|英里"],
  ["length", 1_852_000_000_000n, "nautical miles?|nmi|海里"],
  ["length", 1_000_000_000_000n, "公里"],
  ["length", 9_460_730_472_580_800_000_000_000n, "light[- ]years?|光年"],
  ["length", 500_000_000_000n, "里(?!面|程|边)"],
  ["area", 1_000_000_000_000n, "km2|sq\\.? ?km|square kilomet(?:er|re)s?|平方公里|平方千米"],
  ["area", 10_000_000_000n, "hectares?|ha|公顷"],
  ["area", 1_000_000n, "m2|sq\\.? ?m|square met(?:er|re)s?|平方米"],
  ["area", 100n, "cm2|square centimet(?:er|re)s?|平方厘米"],
  ["area", 4_046_856_422n, "acres?|英亩"],
  ["area", 666_666_667n, "亩"],
  ["area", 2_589_988_110_336n, "sq\\.? ?mi|square miles?|平方英里"],
  ["area", 92_903n, "sq\\.? ?ft|square f(?:ee|oo)t|平方英尺"],
  ["area", 836_127n, "square yards?|平方码"],
  ["mass", 1_000_000_000_000_000n, "tonnes?|tons?|metric tons?|公吨|吨"],
  ["mass", 907_184_740_000_000n, "short tons?|短吨"],
  ["mass", 1_016_046_908_800_000n, "long tons?|长吨"],
  ["mass", 453_592_370_000n, "pounds?|lbs?|磅"],
  ["mass", 28_349_523_125n, "ounces?|oz|盎司"],
  ["mass", 6_350_293_180_000n, "stone|英石"],
  ["mass", 1_000_000_000_000n, "kilos?|公斤"],
  ["mass", 500_000_000_000n, "斤"],
  ["volume", 1_000_000_000_000n, "m3|cubic met(?:er|re)s?|立方米"],
  ["volume", 28_316_846_592n, "cubic f(?:ee|oo)t|立方英尺"],
  ["volume", 1_000_000n, "cm3|cc|cubic centimet(?:er|re)s?|立方厘米"],
  ["volume", 1_000_000_000_000_000_000_000n, "km3|cubic kilomet(?:er|re)s?|立方公里|立方千米"],
  ["volume", 3_785_411_784n, "gallons?|gal|加仑"],
  ["volume", 473_176_473n, "pints?|品脱"],
  ["volume", 946_352_946n, "quarts?|夸脱"],
  ["volume", 158_987_294_928n, "barrels?|bbl|桶"],
  ["power", 745_699_872_000n, "horsepower|hp|bhp|马力"],
  ["energy", 4_184_000_000n, "cal|卡路里"],
  ["energy", 4_184_000_000_000n, "kcal|calories|千卡|大卡"],
  ["energy", 3_600_000_000_000_000n, "度电"],
  ["pressure", 100_000_000_000_000n, "bar"],
  ["pressure", 100_000_000_000n, "mbar|hPa|millibars?|百帕"],
  ["pressure", 6_894_757_293_168n, "psi"],
  ["times", 1n, "times|-?fold|x|倍"],
  ["months", 12n, "years?|yrs?|Jahre?n?"],
  ["months", 120n, "decades"],
  ["months", 1_200n, "centuries"],
  ["months", 1n, "months?|个月"],
  ["days", 7n, "weeks?|周|个?星期"],
  ["days", 1n, "days?|天"],
  ["seconds", 3_600_000_000_000n, "hours?|hrs?|h|个?小时"],
  ["seconds", 60_000_000_000n, "minutes?|mins?|分钟"],
  ["seconds", 1_000_000_000n, "secs?"],
  ["celsius", 1n, "°C|degrees Celsius|摄氏度"],
  ["fahrenheit", 1n, "°F|degrees Fahrenheit|华氏度"],
  ["degrees", 1n, "°|degrees?|度(?!电|假|过)"],
];

interface Prefixed {
  readonly kind: string;
  readonly factor: bigint;
  readonly symbol: string;
  readonly words: string;
  readonly chinese: string;
  readonly prefixes: string;
  /** False if the symbol needs a prefix: `5 B` is five billion and not 5 bytes. */
  readonly bare: boolean;
}

const NANO = 1_000_000_000n;
const PREFIXED: readonly Prefixed[] = [
  { kind: "length", factor: NANO, symbol: "m", words: "met(?:er|re)s?", chinese: "米", prefixes: "nμcmk", bare: true },
  { kind: "mass", factor: NANO, symbol: "g", words: "grams?", chinese: "克", prefixes: "nμmk", bare: true },
  { kind: "volume", factor: NANO, symbol: "[lL]", words: "lit(?:er|re)s?", chinese: "升", prefixes: "nμcmk", bare: true },
  { kind: "seconds", factor: NANO, symbol: "s", words: "seconds?", chinese: "秒钟?", prefixes: "nμm", bare: false },
  { kind: "power", factor: NANO, symbol: "W", words: "watts?", chinese: "瓦特?(?!时)", prefixes: "nμmkMGT", bare: true },
  { kind: "energy", factor: 3_600n * NANO, symbol: "Wh", words: "watt[- ]?hours?", chinese: "瓦时", prefixes: "mkMGT", bare: true },
  { kind: "energy", factor: NANO, symbol: "J", words: "joules?", chinese: "焦耳?", prefixes: "nμmkMGT", bare: true },
  { kind: "voltage", factor: NANO, symbol: "V", words: "volts?", chinese: "伏特?", prefixes: "nμmkM", bare: true },
  { kind: "current", factor: NANO, symbol: "A", words: "amp(?:ere)?s?", chinese: "安培?", prefixes: "nμmk", bare: false },
  { kind: "pressure", factor: NANO, symbol: "Pa", words: "pascals?", chinese: "帕(?:斯卡)?", prefixes: "mkMG", bare: true },
  { kind: "frequency", factor: NANO, symbol: "Hz", words: "hertz", chinese: "赫兹?", prefixes: "mkMGT", bare: true },
  { kind: "data", factor: 8n * NANO, symbol: "B", words: "bytes?", chinese: "字节", prefixes: "kKMGTP", bare: false },
  { kind: "data", factor: NANO, symbol: "b(?:it|ps)?", words: "bits?", chinese: "比特", prefixes: "kKMGT", bare: false },
];
const PREFIXES: Readonly<Record<string, readonly [power: number, word: string, chinese: string]>> = {
  n: [-9, "nano", "纳"],
  μ: [-6, "micro", "微"],
  m: [-3, "milli", "毫"],
  c: [-2, "centi", "厘"],
  k: [3, "kilo", "千"],
  K: [3, "kilo", "千"],
  M: [6, "mega", "兆"],
  G: [9, "giga", "吉"],
  T: [12, "tera", "太"],
  P: [15, "peta", "拍"],
};

function prefixed({ kind, factor, symbol, words, chinese, prefixes, bare }: Prefixed): UnitRow[] {
  const alone = [kind, factor, `${bare ? `${symbol}|` : ""}${words}|${chinese}`] as const;
  const rows = [...prefixes].map((prefix): UnitRow => {
    const [power, word, sign] = PREFIXES[prefix] ?? [0, "", ""];
    const size = power < 0 ? factor / 10n ** BigInt(-power) : factor * 10n ** BigInt(power);
    const short = prefix === "μ" ? `[μu]${symbol}${symbol === "g" ? "|mcg" : ""}` : `${prefix}${symbol}`;
    return [kind, size, `${short}|[${word.charAt(0)}${word.charAt(0).toUpperCase()}]${word.slice(1)}${words}|${sign}${chinese}`];
  });
  return [alone, ...rows];
}

const UNIT_TABLE: readonly UnitRow[] = [...PLAIN, ...PREFIXED.flatMap(prefixed)];

export interface Unit {
  readonly kind: string;
  readonly factor: bigint;
}

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
const MINOR: readonly (readonly [words: string, currencies: string])[] = [
  ["cents?|¢|美分|[欧港]分", "USD EUR HKD AUD CAD TWD SGD ZAR"],
  ["pence|便士", "GBP"],
];

const END = String.raw`(?![\p{sc=Latin}\d])`;
const unitPattern = (word: string): RegExp =>
  new RegExp(String.raw`^[\s-]?(?:${word})${/[\u4e00-\u9fff%‰$€£¥₩₹]|成/.test(word) ? "" : END}`, "u");
const UNITS = UNIT_TABLE.flatMap(([kind, factor, words]) =>
  splitWords(words).map((word) => ({ kind, factor, length: word.length, pattern: unitPattern(word) })),
).sort((a, b) => b.length - a.length);
const moneyWords = (money: typeof MONEY, isMinor: boolean) =>
  money.flatMap(([words, currencies]) =>
    splitWords(words).map((word) => ({
      currencies: currencies.split(" "),
      length: word.length,
      isMinor,
      behind: unitPattern(word),
      before: new RegExp(String.raw`(?<![\p{sc=Latin}])(?:${word})[\s-]?$`, "u"),
    })),
  );
const CURRENCIES = [...moneyWords(MONEY, false), ...moneyWords(MINOR, true)].sort((a, b) => b.length - a.length);

function splitWords(words: string): string[] {
  return words.split(/\|(?![^()]*\))/);
}

export function unitAt(text: string): { readonly unit: Unit; readonly length: number } | null {
  for (const { kind, factor, pattern } of UNITS) {
    const match = pattern.exec(text);
    if (match !== null) return { unit: { kind, factor }, length: match[0].length };
  }
  return null;
}

export function currenciesAround(
  before: string,
  behind: string,
): { readonly currencies: readonly string[] | null; readonly length: number; readonly isMinor: boolean } {
  for (const { currencies, isMinor, behind: pattern } of CURRENCIES) {
    const match = pattern.exec(behind);
    if (match !== null) return { currencies, length: match[0].length, isMinor };
  }
  const ahead = CURRENCIES.find(({ isMinor, before: pattern }) => !isMinor && pattern.test(before));
  return { currencies: ahead?.currencies ?? null, length: 0, isMinor: false };
}

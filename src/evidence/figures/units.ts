export interface Unit {
  readonly kind: string;
  readonly factor: bigint;
}

/** What an amount is measured in. `currencies` are all that a symbol such as `$` may mean, the usual one first. */
export interface Measure {
  readonly unit: Unit | null;
  readonly currencies: readonly string[] | null;
}

export const isPlain = ({ unit, currencies }: Measure): boolean => unit === null && currencies === null;
export const isShare = ({ unit }: Measure): boolean => unit?.kind === "percent" || unit?.kind === "points";

const isMoney = ({ unit, currencies }: Measure): boolean => unit === null && currencies !== null;
const isUnit = ({ unit, currencies }: Measure): boolean => unit !== null && currencies === null;
export const mixesMoney = (a: Measure, b: Measure): boolean => (isMoney(a) && isUnit(b)) || (isUnit(a) && isMoney(b));

/**
 * Units by kind, and currencies. Each entry has a key and a pattern for its words. The key of a unit is its size in a base unit, such as
 * nanometers for lengths; 1e3 is 1,000. The key of money has the currencies that the words may mean, with `/100` for cents.
 */
const TABLE = String.raw`
percent: 100 %|per ?cent|percentage|pct|Prozent; 10 ‰; 1e3 成(?!为|立|长|员|功|本|熟|绩|果|就)
points: 100 percentage points?|points?|pp|p\.p\.|个?百分点; 1 basis points?|bps|bp|个?基点
length: 1 nm|nanomet(?:er|re)s?|纳米; 1e3 [μu]m|micromet(?:er|re)s?|微米; 1e6 mm|millimet(?:er|re)s?|毫米; 1e7 cm|centimet(?:er|re)s?|厘米;
  1e9 m|met(?:er|re)s?|米; 1e12 km|kilomet(?:er|re)s?|千米|公里; 3048e5 feet|foot|ft|英尺; 254e5 inch(?:es)?|英寸;
  9144e5 yards?|yd|码(?!头|洋); 1609344e6 miles?|mi|英里; 1852e9 nautical miles?|nmi|海里; 5e11 里(?!面|程|边);
  94607304725808e11 light[- ]years?|光年
area: 1e12 km2|sq\.? ?km|square kilomet(?:er|re)s?|平方公里|平方千米; 1e10 hectares?|ha|公顷; 666666667 亩;
  1e6 m2|sq\.? ?m|square met(?:er|re)s?|平方米; 100 cm2|square centimet(?:er|re)s?|平方厘米; 4046856422 acres?|英亩;
  2589988110336 sq\.? ?mi|square miles?|平方英里; 92903 sq\.? ?ft|square f(?:ee|oo)t|平方英尺
mass: 1 ng|nanograms?|纳克; 1e3 [μu]g|mcg|micrograms?|微克; 1e6 mg|milligrams?|毫克; 1e9 g|grams?|克; 1e12 kg|kilograms?|kilos?|千克|公斤;
  1e15 t|tonnes?|tons?|metric tons?|公吨|吨; 45359237e4 pounds?|lbs?|磅; 28349523125 ounces?|oz|盎司; 5e11 斤
volume: 1e6 m[lL]|millilit(?:er|re)s?|毫升; 1e9 [lL]|lit(?:er|re)s?|升; 1e12 m3|cubic met(?:er|re)s?|立方米;
  1e21 km3|cubic kilomet(?:er|re)s?|立方公里|立方千米; 28316846592 cubic f(?:ee|oo)t|立方英尺; 3785411784 gallons?|gal|加仑;
  158987294928 barrels?|bbl|桶
power: 1e6 mW|milliwatts?|毫瓦; 1e9 W|watts?|瓦特?(?!时); 1e12 kW|kilowatts?|千瓦(?!时); 1e15 MW|megawatts?|兆瓦(?!时);
  1e18 GW|gigawatts?|吉瓦(?!时); 1e21 TW|terawatts?|太瓦(?!时); 745699872e3 horsepower|hp|bhp|马力
energy: 3600 kWh|kilowatt[- ]?hours?|千瓦时|度电; 36e5 MWh|megawatt[- ]?hours?|兆瓦时; 36e8 GWh|gigawatt[- ]?hours?|吉瓦时;
  36e11 TWh|terawatt[- ]?hours?|太瓦时; 1 kJ|kilojoules?|千焦; 1e3 MJ|megajoules?|兆焦; 1e6 GJ; 4 kcal|calories|千卡|大卡
joules: 1 J|joules?|焦耳?
voltage: 1 V|volts?|伏特?; 1e3 kV|kilovolts?|千伏
pressure: 1 Pa|pascals?|帕(?:斯卡)?; 100 hPa|mbar|millibars?|百帕; 1e3 kPa|kilopascals?|千帕; 1e6 MPa|megapascals?|兆帕; 1e5 bar
frequency: 1 Hz|hertz|赫兹?; 1e3 kHz|kilohertz|千赫; 1e6 MHz|megahertz|兆赫; 1e9 GHz|gigahertz|吉赫
data: 8 bytes?|字节; 8e3 [kK]B|kilobytes?|千字节; 8e6 MB|megabytes?|兆字节; 8e9 GB|gigabytes?|吉字节; 8e12 TB|terabytes?|太字节;
  8e15 PB|petabytes?; 1 bits?|比特; 1e6 Mb(?:it|ps)?|megabits?|兆比特; 1e9 Gb(?:it|ps)?|gigabits?
times: 1 times|-?fold|x|倍
months: 12 years?|yrs?|(?<=[a-z] )aged|(?<=[a-z] )old(?:er|est)?|周?[年岁](?!级|代|度); 120 decades; 1200 centuries|个?世纪; 1 months?|个月
days: 7 weeks?|周(?![年岁])|个?星期; 1 days?|天
seconds: 36e5 hours?|hrs?|h|个?小时; 6e4 minutes?|mins?|分钟; 1e3 s|secs?|seconds?|秒钟?; 1 ms|milliseconds?|毫秒
celsius: 1 °C|degrees Celsius|摄氏度
fahrenheit: 1 °F|degrees Fahrenheit|华氏度
money: USD US\$|USD|U\.?S\.? dollars?|美元|美金; HKD HK\$|HKD|Hong Kong dollars?|港元|港币; AUD A\$|AUD|澳元; CAD C\$|CAD|加元;
  TWD NT\$|TWD|新台币|台币; SGD S\$|SGD|新加坡元|新元; CNY RMB|CNY|yuan|renminbi|人民币; JPY JPY|yen|日元|日圆; EUR EUR|€|euros?|欧元;
  GBP GBP|£|pounds?(?: sterling)?|英镑; CHF CHF|Swiss francs?|瑞士法郎|瑞郎; KRW KRW|₩|won|韩元; INR INR|₹|rupees?|卢比; NOK NOK|挪威克朗;
  SEK,ISK SEK|kron(?:or|a)|瑞典克朗; DKK DKK|丹麦克朗; NOK,DKK,SEK kroner?|克朗; RUB,BYN RUB|rou?bles?|卢布;
  MXN,ARS,CLP,COP,PHP MXN|pesos?|比索; BRL BRL|reais|雷亚尔; TRY TRY|liras?|里拉; THB THB|baht|泰铢; PLN PLN|zlot(?:y|ys|ych)|兹罗提;
  ILS ILS|shekels?|谢克尔; ZAR ZAR|兰特; AED,MAD AED|dirhams?|迪拉姆; SAR,QAR,OMR,IRR SAR|ri[y]?als?|里亚尔; MYR MYR|ringgit|林吉特|令吉;
  IDR IDR|rupiahs?|印尼盾; VND VND|越南盾; NZD NZD|纽元|新西兰元; CZK CZK|koruna|捷克克朗; HUF HUF|forints?|福林;
  UAH UAH|hryvni?as?|格里夫纳; USD,HKD,AUD,CAD,TWD,SGD \$|dollars?; CNY,JPY ¥; CNY,HKD,TWD 元|块钱?;
  USD,EUR,HKD,AUD,CAD,TWD,SGD,ZAR/100 cents?|¢|美分|[欧港]分; GBP/100 pence|便士
`;

/** Longer words come first. */
const WORDS = TABLE.trim()
  .split(/\n(?=\w)/)
  .flatMap(wordsOf)
  .sort((a, b) => b.length - a.length);
const UNITS = WORDS.filter(({ kind }) => kind !== "money").map(({ kind, key, word }) => ({ word, unit: { kind, factor: sizeOf(key) } }));
const CURRENCIES = WORDS.filter(({ kind }) => kind === "money").map(({ key, ...words }) => {
  const [currencies = "", part] = key.split("/");
  return { ...words, currencies: currencies.split(","), isMinor: part !== undefined };
});

/** Returns the words of a kind. `word` matches one at the start of a text, `last` at the end. */
function wordsOf(row: string) {
  const [kind = "", ...entries] = row.split(/(?<=^\w+): |;\s+/);
  return entries.flatMap((entry) => {
    const [key = "", ...patterns] = entry.split(/(?<=^\S+) |\|(?![^()]*\))/);
    return patterns.map((words) => {
      // The sign in "$29bn-$31bn" belongs to what is behind it.
      const end = /[\u4e00-\u9fff%‰]/.test(words) ? "" : /[$€£¥₩₹]/.test(words) ? String.raw`(?!\s?\d)` : String.raw`(?![\p{sc=Latin}\d])`;
      const [start, all] = [String.raw`(?<!\p{sc=Latin}|['’])`, `(?:${words})`];
      const word = new RegExp(String.raw`^[\s-]?${all}${end}`, "u");
      const last = new RegExp(String.raw`${start}${all}[\s-]?$`, "u");
      return { kind, key, length: words.length, word, last, anywhere: new RegExp(start + all + end.replace("\\s?\\d", "[]"), "u") };
    });
  });
}

function sizeOf(key: string): bigint {
  const [digits = "", zeros = "0"] = key.split("e");
  return BigInt(digits) * 10n ** BigInt(zeros);
}

/** Whether one of the patterns matches, found out at once: most numbers have no unit, and there are hundreds of patterns. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"), "u");
}

const ANY_UNIT = anyOf(UNITS.map(({ word }) => word));
const ANY_CURRENCY = anyOf(CURRENCIES.map(({ word }) => word));
const ANY_LAST_CURRENCY = anyOf(CURRENCIES.filter(({ isMinor }) => !isMinor).map(({ last }) => last));

const lengthOf = (pattern: RegExp | undefined, text: string): number => pattern?.exec(text)?.[0].length ?? 0;

export function unitAt(text: string): { readonly unit: Unit; readonly length: number } | null {
  const found = ANY_UNIT.test(text) ? UNITS.find(({ word }) => word.test(text)) : undefined;
  return found === undefined ? null : { unit: found.unit, length: lengthOf(found.word, text) };
}

/** Returns what a number's currency may be, and the lengths of its words before and behind the number. */
export function currenciesAround(before: string, behind: string) {
  const follows = ANY_CURRENCY.test(behind) ? CURRENCIES.find(({ word }) => word.test(behind)) : undefined;
  const precedes = follows === undefined && ANY_LAST_CURRENCY.test(before);
  const found = precedes ? CURRENCIES.find(({ last, isMinor }) => !isMinor && last.test(before)) : follows;
  const length = lengthOf(found?.word, behind);
  const ahead = length > 0 ? 0 : lengthOf(found?.last, before);
  return { currencies: found?.currencies ?? null, isMinor: found?.isMinor ?? false, ahead, length };
}

/** Whether a text has a word for the kind of unit, or for one of the currencies. */
export function mentions(text: string, { unit, currencies }: Measure): boolean {
  if (unit !== null) return WORDS.some(({ kind, anywhere }) => kind === unit.kind && anywhere.test(text));
  return CURRENCIES.some((money) => money.currencies.some((code) => currencies?.includes(code)) && money.anywhere.test(text));
}

/**
 * What an amount is for: `year` in "$5 a year", `10 share` in 每10股5元. `perYear` is how many of a unit of time a year has. `isBeside` is false in
 * "a monthly fee of $5", whose amount may also be told without the rate.
 */
export interface Per {
  readonly name: string;
  readonly perYear: bigint | null;
  readonly isBeside: boolean;
}

/** Each row has a name, a pattern for the word behind "per", and for units of time how many a year has and words such as "monthly" and 时速. */
const ROWS = (
  "second s|secs?|seconds?|秒钟? 31536000; minute min|minutes?|分钟 525600; hour h|hrs?|hours?|小时 8760 hourly 时速; day days?|天|日 365 daily; " +
  "week weeks?|周 52 weekly; month months?|月 12 monthly; year yr|years?|annum|年 1 yearly|annually|annual; night night|晚|夜; share share|股; " +
  "person capita|person|head|inhabitant|resident|人(?!次)|名居民 0 (?!) 人均; household household|family|户; vehicle vehicle|car|辆车?; " +
  "unit unit|item|piece|件|个(?!月|星期|小时)"
)
  .split("; ")
  .map((row) => {
    const [name = "", words = "", count = "0", adverbs = "(?!)", chinese = "(?!)"] = row.split(" ");
    const rated = "(?:fee|price|rent|cost|output|production|wage|salary|income|dose)s?(?: (?:of|is|was|at))?";
    return {
      per: { name, perYear: BigInt(count) || null, isBeside: true },
      word: new RegExp(String.raw`^(?:${words})(?!\p{sc=Latin}| ago| later| earlier| after| before)`, "u"),
      adverbBehind: new RegExp(String.raw`^\s?(?:${adverbs})\b`),
      adverbBefore: new RegExp(String.raw`(?:\b(?:${adverbs}) ${rated} ?[$€£¥]?|${chinese}[^\d，。]{0,6})$`),
    };
  });
const BEHIND = /^(?:\s\p{Ll}{2,20}){0,2}?(?:\s?\/\s?|\s(?:an?|each|every)\s|\s(?=per\s)|\s?[/每])/u;
const BEFORE = /(?:每 ?|\b(?:per|each|every) )(\d* ?[^\d，。,.;；]{1,20})$/u;
const COUNT = /^(?:per\s)?(\d*) ?/;
const NO_MEASURES = new Set(["months", "days", "seconds", "percent", "points", "times"]);
/** Begins the names of what is not in the table, such as "per widget". */
export const OTHER = "per ";

export function perAround(before: string, behind: string): Per | null {
  const mark = BEHIND.exec(behind)?.[0];
  const found = (mark === undefined ? null : perAt(behind.slice(mark.length))) ?? perAt(BEFORE.exec(before)?.[1] ?? "");
  const told = ROWS.find(({ adverbBefore }) => adverbBefore.test(before));
  return found ?? ROWS.find(({ adverbBehind }) => adverbBehind.test(behind))?.per ?? (told ? { ...told.per, isBeside: false } : null);
}

function perAt(text: string): Per | null {
  const [{ length } = "", count = ""] = COUNT.exec(text) ?? [];
  const words = text.slice(length);
  const row = ROWS.find(({ word }) => word.test(words));
  if (row !== undefined) return count === "" ? row.per : { ...row.per, name: `${count} ${row.per.name}`, perYear: null };
  const unit = unitAt(words)?.unit;
  const other = /^per\s+\p{L}+/u.exec(text)?.[0].toLowerCase();
  const name = unit === undefined || NO_MEASURES.has(unit.kind) ? other : `${count}${unit.kind} ${unit.factor}`;
  return name === undefined ? null : { name, perYear: null, isBeside: true };
}

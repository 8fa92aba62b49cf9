/** One meaning of a word for a unit. `factor` is its size in a base unit; money has the currencies that the word may mean, the usual one first. */
export interface Unit {
  readonly kind: string;
  readonly factor: bigint;
  readonly codes: readonly string[];
}

export const isShare = ({ kind }: Unit): boolean => kind === "percent" || kind === "points";

/** Whether two units measure the same. Of two signs for money the usual meaning of one is among those of the other: `$` is not 元, and HK$ is. */
export function isComparable(one: Unit, other: Unit): boolean {
  if (isShare(one) || isShare(other)) return isShare(one) && isShare(other);
  if (one.kind !== other.kind) return false;
  const [[first], [second]] = [one.codes, other.codes];
  return first === undefined || second === undefined || one.codes.includes(second) || other.codes.includes(first);
}

/**
 * Words by kind. Each entry has a key and a pattern for its words. The key of a unit is its size in a base unit, such as nanometers for
 * lengths; 1e3 is 1,000. The key of money has the currencies that the words may mean, with `/100` for cents. That of a scale is a power of ten.
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
forenoon: 1 (?:a\.m\.|am)
afternoon: 1 (?:p\.m\.|pm)
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
scale: 2 (?i:hundred); 3 (?i:thousand|Tausend); 5 (?i:lakhs?); 6 (?i:millions?|mln|mn|Mio\.?|Millionen); 7 (?i:crores?); 3 (?<![\s-])[kK];
  9 (?i:billions?|bln|bn|Mrd\.?|Milliarden?); 9 (?<![\s-])[bB]; 12 (?i:trillions?|tn|trn); 12 (?<![\s-])[tT]`;

/** Longer words come first. */
const ALL = TABLE.trim()
  .split(/\n(?=\w)/)
  .flatMap(wordsOf)
  .sort((a, b) => b.length - a.length);
const SCALES = ALL.filter(({ unit }) => unit.kind === "scale");
const WORDS = ALL.filter(({ unit }) => unit.kind !== "scale");

/** Returns the words of a kind. `word` matches one at the start of a text, `last` a currency at the end. */
function wordsOf(row: string) {
  const [kind = "", ...entries] = row.split(/(?<=^\w+): |;\s+/);
  return entries.flatMap((entry) => {
    const [key = "", ...patterns] = entry.split(/(?<=^\S+) |\|(?![^()]*\))/);
    const [size = "", zeros = "0"] = key.split("e");
    const money = { kind, factor: key.endsWith("/100") ? 1n : 100n, codes: key.split("/", 1)[0]?.split(",") ?? [] };
    const unit: Unit = kind === "money" ? money : { kind, factor: BigInt(size) * 10n ** BigInt(zeros), codes: [] };
    return patterns.map((words) => {
      // The sign in "$29bn-$31bn" belongs to what is behind it.
      const end = /[\u4e00-\u9fff%‰]/.test(words) ? "" : /[$€£¥₩₹]/.test(words) ? String.raw`(?!\s?\d)` : String.raw`(?![\p{sc=Latin}\d])`;
      const word = new RegExp(String.raw`^[\s-]?(?:${words})${end}`, "u");
      const last = new RegExp(String.raw`(?<!\p{sc=Latin}|['’])(?:${words})[\s-]?$`, "u");
      const anywhere = new RegExp(String.raw`(?<!\p{sc=Latin})(?:${words})${end.replace("\\s?\\d", "[]")}`, "iu");
      return { unit, length: words.length, word, last, anywhere };
    });
  });
}

const CURRENCIES = WORDS.filter(({ unit }) => unit.kind === "money" && unit.factor > 1n);

/** Most numbers have no unit, which is found out at once, and there are hundreds of patterns. */
const ANY_WORD = anyOf(WORDS.map(({ word }) => word));
const ANY_LAST = anyOf(CURRENCIES.map(({ last }) => last));

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"), "u");
}

/** Returns what the words behind a number, or a currency before it, may mean, and the lengths of these words. */
export function unitsAround(before: string, behind: string) {
  const kinds = ANY_WORD.test(behind) ? [true, false] : [];
  const found = kinds.flatMap((isMoney) => WORDS.find(({ unit, word }) => (unit.kind === "money") === isMoney && word.test(behind)) ?? []);
  const isMoney = found.some(({ unit }) => unit.kind === "money");
  const ahead = isMoney || !ANY_LAST.test(before) ? undefined : CURRENCIES.find(({ last }) => last.test(before));
  if (ahead !== undefined) return { units: [ahead.unit], ahead: ahead.last.exec(before)?.[0].length ?? 0, length: 0 };
  const lengths = found.map(({ word }) => word.exec(behind)?.[0].length ?? 0);
  const length = Math.max(0, ...lengths);
  return { units: found.filter((_, i) => lengths[i] === length).map(({ unit }) => unit), ahead: 0, length };
}

/** Whether a text has a word for what one of the units measures. */
export function mentions(text: string, units: readonly Unit[]): boolean {
  return WORDS.some(({ unit, anywhere }) => units.some((one) => isComparable(one, unit)) && anywhere.test(text));
}

/** Returns the power of ten of a word such as "billion" at the start of a text. */
export function scaleAt(text: string): { readonly length: number; readonly exponent: number } {
  const found = SCALES.find(({ word }) => word.test(text));
  return { length: found?.word.exec(text)?.[0].length ?? 0, exponent: Number(found?.unit.factor ?? 0) };
}

const RATE_BEHIND =
  /^(?: ?\/ ?(?=\p{L})|每|(?: \p{Ll}{2,20}){0,2}?(?: per | (?:an?|each|every) (?!\w+ (?:ago|later|earlier|after|before)\b)| ?(?=(?:hour|dai|week|month|year|annual)ly\b)))/u;
/** Behind "a", other words than these and units name no rate. */
const THING = /^(?:night|quarter|share|person|head|piece|unit)\b/;
const RATE_BEFORE = /(?:每 ?\d*|时速|人均)([^\d\n，。,.;；]{0,20})$/u;
const RATE = /\b(?:per|each|every|hourly|daily|weekly|monthly|yearly|annual(?:ly)?)\b|[/每]|时速|人均/i;

/** Returns the rate of an amount: the unit of the hour in "5 km per hour"; `""` for a rate of no known unit, null for no rate. */
export function rateAround(before: string, behind: string): string | null {
  const mark = RATE_BEHIND.exec(behind)?.[0];
  const rest = mark === undefined ? RATE_BEFORE.exec(before)?.[1] : behind.slice(mark.length);
  if (rest === undefined) return null;
  const [unit] = unitsAround("", rest).units;
  if (unit !== undefined) return `${unit.kind} ${unit.factor}`;
  return / (?:an?|each|every) $/.test(mark ?? "") && !THING.test(rest) ? null : "";
}

/** Whether a text has a word for a rate. */
export function mentionsRate(text: string): boolean {
  return RATE.test(text);
}

/** Units by kind. Each entry is the size in a base unit, such as nanometers for lengths, and a pattern for its words. */
const KINDS: Readonly<Record<string, string>> = {
  percent: "100 %|per ?cent|percentage|pct|Prozent; 10 ‰; 1000 成(?!为|立|长|员|功|本|熟|绩|果|就)",
  points: "100 percentage points?|pp|p\\.p\\.|个?百分点; 1 basis points?|bps|bp|个?基点",
  length:
    "1 nm|nanomet(?:er|re)s?|纳米; 1000 [μu]m|micromet(?:er|re)s?|微米; 1000000 mm|millimet(?:er|re)s?|毫米; 10000000 cm|centimet(?:er|re)s?|厘米; " +
    "1000000000 m|met(?:er|re)s?|米; 1000000000000 km|kilomet(?:er|re)s?|千米|公里; 304800000 feet|foot|ft|英尺; 25400000 inch(?:es)?|英寸; " +
    "914400000 yards?|yd|码(?!头|洋); 1609344000000 miles?|mi|英里; 1852000000000 nautical miles?|nmi|海里; 500000000000 里(?!面|程|边); " +
    "9460730472580800000000000 light[- ]years?|光年",
  area:
    "1000000000000 km2|sq\\.? ?km|square kilomet(?:er|re)s?|平方公里|平方千米; 10000000000 hectares?|ha|公顷; 666666667 亩; " +
    "1000000 m2|sq\\.? ?m|square met(?:er|re)s?|平方米; 100 cm2|square centimet(?:er|re)s?|平方厘米; 4046856422 acres?|英亩; " +
    "2589988110336 sq\\.? ?mi|square miles?|平方英里; 92903 sq\\.? ?ft|square f(?:ee|oo)t|平方英尺",
  mass:
    "1 ng|nanograms?|纳克; 1000 [μu]g|mcg|micrograms?|微克; 1000000 mg|milligrams?|毫克; 1000000000 g|grams?|克; 1000000000000 kg|kilograms?|kilos?|千克|公斤; " +
    "1000000000000000 t|tonnes?|tons?|metric tons?|公吨|吨; 453592370000 pounds?|lbs?|磅; 28349523125 ounces?|oz|盎司; 500000000000 斤",
  volume:
    "1000000 m[lL]|millilit(?:er|re)s?|毫升; 1000000000 [lL]|lit(?:er|re)s?|升; 1000000000000 m3|cubic met(?:er|re)s?|立方米; " +
    "1000000000000000000000 km3|cubic kilomet(?:er|re)s?|立方公里|立方千米; 28316846592 cubic f(?:ee|oo)t|立方英尺; 3785411784 gallons?|gal|加仑; " +
    "158987294928 barrels?|bbl|桶",
  power:
    "1000000 mW|milliwatts?|毫瓦; 1000000000 W|watts?|瓦特?(?!时); 1000000000000 kW|kilowatts?|千瓦(?!时); 1000000000000000 MW|megawatts?|兆瓦(?!时); " +
    "1000000000000000000 GW|gigawatts?|吉瓦(?!时); 1000000000000000000000 TW|terawatts?|太瓦(?!时); 745699872000 horsepower|hp|bhp|马力",
  energy:
    "3600 kWh|kilowatt[- ]?hours?|千瓦时|度电; 3600000 MWh|megawatt[- ]?hours?|兆瓦时; 3600000000 GWh|gigawatt[- ]?hours?|吉瓦时; " +
    "3600000000000 TWh|terawatt[- ]?hours?|太瓦时; 1 kJ|kilojoules?|千焦; 1000 MJ|megajoules?|兆焦; 1000000 GJ; 4 kcal|calories|千卡|大卡",
  joules: "1 J|joules?|焦耳?",
  voltage: "1 V|volts?|伏特?; 1000 kV|kilovolts?|千伏",
  pressure:
    "1 Pa|pascals?|帕(?:斯卡)?; 100 hPa|mbar|millibars?|百帕; 1000 kPa|kilopascals?|千帕; 1000000 MPa|megapascals?|兆帕; 100000 bar",
  frequency: "1 Hz|hertz|赫兹?; 1000 kHz|kilohertz|千赫; 1000000 MHz|megahertz|兆赫; 1000000000 GHz|gigahertz|吉赫",
  data:
    "8 bytes?|字节; 8000 [kK]B|kilobytes?|千字节; 8000000 MB|megabytes?|兆字节; 8000000000 GB|gigabytes?|吉字节; 8000000000000 TB|terabytes?|太字节; " +
    "8000000000000000 PB|petabytes?; 1 bits?|比特; 1000000 Mb(?:it|ps)?|megabits?|兆比特; 1000000000 Gb(?:it|ps)?|gigabits?",
  times: "1 times|-?fold|x|倍",
  months: "12 years?|yrs?|周?[年岁](?!级|代|度); 120 decades; 1200 centuries|个?世纪; 1 months?|个月",
  days: "7 weeks?|周(?![年岁])|个?星期; 1 days?|天",
  seconds: "3600000 hours?|hrs?|h|个?小时; 60000 minutes?|mins?|分钟; 1000 s|secs?|seconds?|秒钟?; 1 ms|milliseconds?|毫秒",
  celsius: "1 °C|degrees Celsius|摄氏度",
  fahrenheit: "1 °F|degrees Fahrenheit|华氏度",
};

export interface Unit {
  readonly kind: string;
  readonly factor: bigint;
}

/** Each entry has currencies and a pattern for their words. */
const MONEY =
  "USD US\\$|USD|U\\.?S\\.? dollars?|美元|美金; HKD HK\\$|HKD|Hong Kong dollars?|港元|港币; AUD A\\$|AUD|澳元; CAD C\\$|CAD|加元; " +
  "TWD NT\\$|TWD|新台币|台币; SGD S\\$|SGD|新加坡元|新元; CNY RMB|CNY|yuan|renminbi|人民币; JPY JPY|yen|日元|日圆; EUR EUR|€|euros?|欧元; " +
  "GBP GBP|£|pounds?(?: sterling)?|英镑; CHF CHF|Swiss francs?|瑞士法郎|瑞郎; KRW KRW|₩|won|韩元; INR INR|₹|rupees?|卢比; " +
  "NOK NOK|挪威克朗; SEK,ISK SEK|kron(?:or|a)|瑞典克朗; DKK DKK|丹麦克朗; NOK,DKK,SEK kroner?|克朗; RUB,BYN RUB|rou?bles?|卢布; " +
  "MXN,ARS,CLP,COP,PHP MXN|pesos?|比索; BRL BRL|reais|雷亚尔; TRY TRY|liras?|里拉; THB THB|baht|泰铢; PLN PLN|zlot(?:y|ys|ych)|兹罗提; " +
  "ILS ILS|shekels?|谢克尔; ZAR ZAR|兰特; AED,MAD AED|dirhams?|迪拉姆; SAR,QAR,OMR,IRR SAR|ri[y]?als?|里亚尔; MYR MYR|ringgit|林吉特|令吉; " +
  "IDR IDR|rupiahs?|印尼盾; VND VND|越南盾; NZD NZD|纽元|新西兰元; CZK CZK|koruna|捷克克朗; HUF HUF|forints?|福林; UAH UAH|hryvni?as?|格里夫纳; " +
  "USD,HKD,AUD,CAD,TWD,SGD \\$|dollars?; CNY,JPY ¥; CNY,HKD,TWD 元|块钱?";
const MINOR = "USD,EUR,HKD,AUD,CAD,TWD,SGD,ZAR cents?|¢|美分|[欧港]分; GBP pence|便士";

/** Returns the pattern of each word of a table, with what stands before the words. Longer words come first. */
function wordsOf(table: string): { readonly key: string; readonly words: string; readonly word: RegExp }[] {
  return table.split("; ").flatMap((entry) => {
    const at = entry.indexOf(" ");
    const end = String.raw`(?![\p{sc=Latin}\d])`;
    return entry
      .slice(at + 1)
      .split(/\|(?![^()]*\))/)
      .map((words) => {
        const word = new RegExp(String.raw`^[\s-]?(?:${words})${/[\u4e00-\u9fff%‰$€£¥₩₹]/.test(words) ? "" : end}`, "u");
        return { key: entry.slice(0, at), words, word };
      });
  });
}

const byLength = (a: { readonly words: string }, b: { readonly words: string }): number => b.words.length - a.words.length;
const UNITS = Object.entries(KINDS)
  .flatMap(([kind, table]) => wordsOf(table).map(({ key, words, word }) => ({ unit: { kind, factor: BigInt(key) }, words, word })))
  .sort(byLength);
const CURRENCIES = [
  ...wordsOf(MONEY).map((row) => ({ ...row, isMinor: false })),
  ...wordsOf(MINOR).map((row) => ({ ...row, isMinor: true })),
]
  .map((row) => ({
    ...row,
    currencies: row.key.split(","),
    ahead: new RegExp(String.raw`(?<![\p{sc=Latin}])(?:${row.words})[\s-]?$`, "u"),
  }))
  .sort(byLength);

export function unitAt(text: string): { readonly unit: Unit; readonly length: number } | null {
  for (const { unit, word } of UNITS) {
    const match = word.exec(text);
    if (match !== null) return { unit, length: match[0].length };
  }
  return null;
}

/** Returns what a number's currency may be, and the lengths of its words before and behind the number. */
export function currenciesAround(before: string, behind: string) {
  for (const { currencies, isMinor, word } of CURRENCIES) {
    const match = word.exec(behind);
    if (match !== null) return { currencies, ahead: 0, length: match[0].length, isMinor };
  }
  for (const { currencies, isMinor, ahead } of CURRENCIES) {
    const match = isMinor ? null : ahead.exec(before);
    if (match !== null) return { currencies, ahead: match[0].length, length: 0, isMinor };
  }
  return { currencies: null, ahead: 0, length: 0, isMinor: false };
}

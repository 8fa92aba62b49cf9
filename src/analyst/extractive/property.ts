import { holdsKind } from "./answer-signs.ts";
import { type Measure, measureOf, readMeasure, tellsMeasure } from "./measures.ts";

/** A property that a question asks for by its name ("what colour"). */
export interface Property {
  /** As the question spells it. */
  readonly surface: string;
  /** Whether it is told by a figure with a unit. */
  readonly isMeasure: boolean;
  /** Whether `text` names the property or holds a value of it; of a measure, only whether it holds a value. */
  readonly isNamedIn: (text: string) => boolean;
  /** Whether `text` speaks of it, with or without a value. */
  readonly isSpokenOf: (text: string) => boolean;
}

const any = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "iu");

/** A figure, in digits or words, before one of the units. */
const figure = (units: string): string =>
  String.raw`(?:\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|thousand|million)|[一二两兩三四五六七八九十百千万萬])[\s-]?(?:${units})(?!\p{sc=Latin})`;

const LENGTH_UNITS = `[mckµn]?m|(?:milli|centi|kilo)?met(?:er|re)s?|miles?|feet|foot|ft|inch(?:es)?|yards?|["″′]|[公英毫厘釐]?[米尺寸里]|公分`;
const EXTENT = figure(LENGTH_UNITS);
const SPEED = figure(
  String.raw`(?:k?m|miles?|kilomet(?:er|re)s?|met(?:er|re)s?)\s?(?:/|per|an?)\s?\p{L}+|kph|mph|knots?|[KMG]?bits?/s|[kMG]?bps|[KMG]B/s|Hz|[公千]?[米里](?:每|/)`,
);
const SIZE = String.raw`${figure(`[KMGT]i?B|bytes?|bits?|pixels?|px|lit(?:er|re)s?|l|ml|hectares?|acres?|square|sq|cubic|people|seats?|平方|立方|公[顷頃]|亩|升|字[节節]|像素`)}|\p{N}\s?[x×]\s?\p{N}|\bA{2,4}\b|\bX+[SL]\b|\bA\d\b`;

/** Each property with the words that name it and, where there are any, the signs of a value. */
const PROPERTIES: readonly (readonly [name: RegExp, signs: RegExp])[] = [
  [
    any(String.raw`\bcolou?r`, "[颜顏][色]|色彩"),
    any(
      String.raw`\b(?:red|blue|green|yellow|white|black|gr[ea]y|orange|purple|violet|pink|brown|silver|golden|gold|turquoise|beige|crimson|scarlet|navy|teal|cyan|magenta)(?:ish)?\b`,
      "[红紅黄黃蓝藍绿綠白黑灰紫粉橙棕褐青金银銀]色|(?:[是为為]|[漆涂塗]成)[红紅黄黃蓝藍绿綠白黑灰紫粉橙棕褐青]|[变變][红紅黄黃绿綠白黑]",
    ),
  ],
  [
    any(String.raw`\bsiz(?:e|es|ed)\b|\bdimensions?\b`, "尺寸|大小|[规規]格"),
    any(EXTENT, SIZE, String.raw`\b(?:big|large|small|tiny|huge|medium)\b`, "[很巨较較][大小]"),
  ],
  [
    any(String.raw`\bshape`, "形[状狀]"),
    any(
      String.raw`\b(?:round|square|circular|circle|oval|elliptical|rectangular|rectangle|triangular|triangle|cylindrical|cylinder|spherical|sphere|cube|cubic|hexagonal|octagonal|conical|flat|curved|straight|ring)\b`,
      "[圆圓方菱环環球锥錐三角扇]形|[圆圓]的|方的|[状狀]",
    ),
  ],
  [any(String.raw`\bages?\b|\baged\b`, "年[龄齡]"), any(figure(`years?|[岁歲]|周岁`))],
  [any(String.raw`\bspeeds?\b`, "速度|[时時]速|速率"), any(SPEED)],
  [any(String.raw`\btemperatures?\b`, "[温溫]度|[气氣][温溫]"), any(String.raw`\p{N}\s?[°℃℉]|\bdegrees?\b`, "度")],
  [any(String.raw`\bpass(?:words?|phrases?|codes?)\b`, "密[码碼]|口令"), any("(?!)")],
  [any(String.raw`\bversions?\b|\breleases?\b`, "版本"), any(String.raw`\bv?\p{N}+(?:\.\p{N}+)+|\bv\p{N}`)],
];
const PRICE: readonly [RegExp, RegExp] = [any(String.raw`\bprice[ds]?\b|\bcosts?\b`, "[价價]格|[价價][钱錢]|[售票]?[价價]"), any("(?!)")];

/** Only where the noun ends what is asked for: "what size limit" and 什么版本控制系统 ask for something else. */
const ASKED = any(
  String.raw`\b(?:what|which)\s+(?:(?:exact|average|normal|maximum|minimum|max|min|default|total|top|current|kind of|sort of)\s+)?(colou?rs?|sizes?|dimensions|shapes?|weights?|heights?|lengths?|widths?|depths?|ages?|prices?|speeds?|temperatures?|pass(?:word|phrase|code)s?|versions?)(?=\s*[?.!]|\s*$|\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|should|must|will|would|may|might|of|in|for|at|on|to)\b)`,
  String.raw`(?:什[么麼]|甚[么麼]|啥|哪一?[种種个個]|何[种種]|怎[样樣]的|什[么麼][样樣]的|多[大高长長快])的?([颜顏]色|尺寸|大小|形[状狀]|重量|高度|[长長]度|[宽寬]度|深度|速度|[温溫]度|版本|密[码碼]|[价價]格|年[龄齡])(?=的|[\s？?。，,]|$|[是为為有在能可用最])`,
);

/** The property that a question asks for by its name, or by "how tall", or null where it names none that has to be met. */
export function readProperty(question: string): Property | null {
  const found = ASKED.exec(question);
  const surface = found?.[1] ?? found?.[2];
  if (surface === undefined) {
    const asked = readMeasure(question);
    return asked && ofMeasure(asked.surface, asked.measure);
  }
  if (PRICE[0].test(surface)) return named(surface, (text) => PRICE[0].test(text) || holdsKind("money", text, question));
  const measure = measureOf(surface);
  if (measure !== null) return ofMeasure(surface, measure);
  const property = PROPERTIES.find(([name]) => name.test(surface));
  return property ? named(surface, (text) => property.some((pattern) => pattern.test(text))) : null;
}

function named(surface: string, isNamedIn: (text: string) => boolean): Property {
  return { surface, isMeasure: false, isNamedIn, isSpokenOf: isNamedIn };
}

/** Each sentence is looked at several times. */
function ofMeasure(surface: string, measure: Measure): Property {
  const known = new Map<string, boolean>();
  const isNamedIn = (text: string): boolean => {
    const told = known.get(text) ?? tellsMeasure(measure, text);
    known.set(text, told);
    return told;
  };
  return { surface, isMeasure: true, isNamedIn, isSpokenOf: (text) => measure.told.test(text) };
}

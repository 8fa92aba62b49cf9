/** A point or period of time, as coarse as the text states it. */
export interface When {
  readonly text: string;
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly quarter?: number;
  readonly half?: number;
  /** A season, or the beginning, middle or end of a year; see `MONTHS_OF`. */
  readonly part?: string;
  /** The first year of a decade. */
  readonly decade?: number;
  readonly century?: number;
  /** Hours and minutes, as `14:30`. */
  readonly time?: string;
  /** From 0, Sunday. */
  readonly weekday?: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTH =
  "(January|February|March|April|May|June|July|August|September|October|November|December|Jan\\.?|Feb\\.?|Mar\\.?|Apr\\.?|Jun\\.?|Jul\\.?|Aug\\.?|Sept?\\.?|Oct\\.?|Nov\\.?|Dec\\.?)";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "([12]\\d{3})(?!\\d)";
const FISCAL = "(?: (?:of )?(?:the )?(?:FY|fiscal(?: year)?|financial year)?)? ?'?";

type Fields = Omit<When, "text">;
type Rule = readonly [pattern: RegExp, read: (groups: readonly (string | undefined)[]) => readonly Fields[]];

const rule = (pattern: string, read: Rule[1], flags = "gu"): Rule => [new RegExp(pattern, flags), read];
const n = (text: string | undefined): number => Number(text);
const month = (name: string | undefined): number => MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase()) + 1;
const year = (text: string | undefined): Fields => (text === undefined ? {} : { year: text.length === 2 ? 2_000 + n(text) : n(text) });

/** The months that a part of a year may mean; beginnings and ends include their neighbors. */
export const MONTHS_OF: Readonly<Record<string, readonly number[]>> = {
  spring: [3, 4, 5],
  summer: [6, 7, 8],
  autumn: [9, 10, 11],
  winter: [12, 1, 2],
  early: [1, 2, 3, 4, 5],
  mid: [4, 5, 6, 7, 8, 9],
  late: [8, 9, 10, 11, 12],
  end: [11, 12],
};
const PARTS: Readonly<Record<string, string>> = {
  fall: "autumn",
  春: "spring",
  夏: "summer",
  秋: "autumn",
  冬: "winter",
  初: "early",
  中: "mid",
  底: "end",
  末: "end",
};
const part = (word: string | undefined): string => PARTS[word?.toLowerCase() ?? ""] ?? word?.toLowerCase() ?? "";

/** Longer forms first: each rule removes what it reads. */
const RULES: readonly Rule[] = [
  rule(`(?<!\\d)${YEAR}[-/.](\\d{1,2})[-/.](\\d{1,2})(?:T[\\d:.Z+]+)?(?!\\d)`, ([y, m, d]) => [{ year: n(y), month: n(m), day: n(d) }]),
  rule(`(?<![\\d.])(\\d{1,2})[-/.](\\d{1,2})[-/.]${YEAR}`, ([a, b, y]) => [
    { year: n(y), month: n(a), day: n(b) },
    { year: n(y), month: n(b), day: n(a) },
  ]),
  rule(`(?<!\\d)${YEAR} ?(?:财年|财政年度|年度?)? ?第? ?([1-4]) ?季度?`, ([y, q]) => [{ year: n(y), quarter: n(q) }]),
  rule(`(?<!\\d)${YEAR} ?(?:财年|财政年度|年度?) ?([上下])半年`, ([y, half]) => [{ year: n(y), half: half === "上" ? 1 : 2 }]),
  rule(`(?<!\\d)${YEAR} ?年 ?(\\d{1,2}) ?月 ?(\\d{1,2}) ?[日号]`, ([y, m, d]) => [{ year: n(y), month: n(m), day: n(d) }]),
  rule(`(?<!\\d)${YEAR} ?年 ?(\\d{1,2}) ?月`, ([y, m]) => [{ year: n(y), month: n(m) }]),
  rule(`\\b(spring|summer|autumn|fall|winter)(?: of|,)? ${YEAR}`, ([name, y]) => [{ year: n(y), part: part(name) }], "giu"),
  rule(`\\b(early|mid|late)(?: in |-| )${YEAR}(?!'?s)`, ([name, y]) => [{ year: n(y), part: part(name) }], "giu"),
  rule(
    `\\b(end|beginning|start) of ${YEAR}`,
    ([name, y]) => [{ year: n(y), part: name?.toLowerCase() === "end" ? "end" : "early" }],
    "giu",
  ),
  rule(`(?<!\\d)${YEAR} ?年?的?([春夏秋冬])(?:季|天|日)?`, ([y, name]) => [{ year: n(y), part: part(name) }]),
  rule(`(?<!\\d)${YEAR} ?年(初|中(?!国|期|文|央)|年中|底|末)`, ([y, name]) => [{ year: n(y), part: part(name?.slice(-1)) }]),
  rule("(\\d{2})世纪 ?(\\d0)年代", ([c, d]) => [{ decade: (n(c) - 1) * 100 + n(d) }]),
  rule("(?<!\\d)(\\d{1,2})(?:世纪|(?:st|nd|rd|th)[- ][Cc]entury)", ([c]) => [{ century: n(c) }]),
  rule("(?<!\\d)([12]\\d{2}0)(?:'?s(?!\\p{L})|年代)", ([d]) => [{ decade: n(d) }]),
  rule("(?<!\\d)(\\d0)年代|\\b(?:[Tt]he )'?(\\d0)'?s(?!\\p{L})|(?<!\\p{L})'(\\d0)s(?!\\p{L})", ([han, english, short]) => {
    const tens = n(han ?? english ?? short);
    return [{ decade: (tens < 30 ? 2_000 : 1_900) + tens }];
  }),
  rule(`(?<!\\d)${YEAR} ?(?:财年|财政年度|年)`, ([y]) => [{ year: n(y) }]),
  rule(`(?<!\\d)(\\d{1,2})月(\\d{1,2})[日号]`, ([m, d]) => [{ month: n(m), day: n(d) }]),
  rule("(?<!\\d)(1[0-2]|[1-9])月(?!亮)", ([m]) => [{ month: n(m) }]),
  rule("第? ?(?<!\\d)([1-4]) ?季度", ([q]) => [{ quarter: n(q) }]),
  rule("([上下])半年", ([half]) => [{ half: half === "上" ? 1 : 2 }]),
  rule(`\\b${MONTH} ${DAY},? ${YEAR}`, ([m, d, y]) => [{ year: n(y), month: month(m), day: n(d) }]),
  rule(`(?<![\\d.,])${DAY}(?: of|\\.)? ${MONTH},? ${YEAR}`, ([d, m, y]) => [{ year: n(y), month: month(m), day: n(d) }]),
  rule(`\\b${MONTH},?(?: of)? ${YEAR}`, ([m, y]) => [{ year: n(y), month: month(m) }]),
  rule(`\\b${MONTH} ${DAY}(?![\\d,.]*\\d| (?:million|billion|per))`, ([m, d]) => [{ month: month(m), day: n(d) }]),
  rule(`(?<![\\d.,])${DAY}(?: of)? ${MONTH}(?!\\p{L})`, ([d, m]) => [{ month: month(m), day: n(d) }]),
  rule(`\\b(?:Q([1-4])|([1-4])Q)${FISCAL}(?:(\\d{4}|(?<=[Q'Y1-4] ?)\\d{2}))?(?!\\d)`, ([q, other, y]) => [
    { quarter: n(q ?? other), ...year(y) },
  ]),
  rule(`(?<!\\d)${YEAR},? ?-?Q([1-4])`, ([y, q]) => [{ year: n(y), quarter: n(q) }]),
  rule(`(?<!\\d)([1-4])(?:st|nd|rd|th)[- ](?:fiscal |financial )?[Qq]uarters?(?:,?${FISCAL}(\\d{4}))?(?!\\d)`, ([q, y]) => [
    { quarter: n(q), ...year(y) },
  ]),
  rule(`(?<!\\d)([12])(?:st|nd)[- ]half(?:${FISCAL}(\\d{4}))?(?!\\d)`, ([h, y]) => [{ half: n(h), ...year(y) }]),
  rule(`\\bH([12])(?: ?'?(\\d{4}))?(?!\\d)`, ([h, y]) => [{ half: n(h), ...year(y) }]),
  rule(`\\bFY ?'?(\\d{4}|\\d{2})(?!\\d)`, ([y]) => [year(y)]),
  rule(`\\b(?<=(?:in|of|since|by|until|early|mid|late|last|this|next|during|from|to|between|and)[ -])${MONTH}(?!\\p{L})`, ([m]) => [
    { month: month(m) },
  ]),
  rule("\\b(January|February|April|June|July|August|September|October|November|December)(?!\\p{L})", ([m]) => [{ month: month(m) }]),
  rule(`(?<!\\d)${YEAR}-(0[1-9]|1[0-2])(?!\\d|-)`, ([y, m]) => [{ year: n(y), month: n(m) }]),
  rule(
    "(?<![\\d:])(\\d{1,2}):(\\d{2})(?::\\d{2})? ?([ap])?\\.?m?\\.?(?![\\d:])",
    ([h, m, half]) => [{ time: `${(n(h) % (half === undefined ? 24 : 12)) + (half?.toLowerCase() === "p" ? 12 : 0)}:${m}` }],
    "giu",
  ),
  rule(
    "(?<![\\d:.])(1[0-2]|[1-9]) ?([ap])(?:\\.m\\.|m\\b)",
    ([h, half]) => [{ time: `${(n(h) % 12) + (half?.toLowerCase() === "p" ? 12 : 0)}:00` }],
    "giu",
  ),
  rule("(凌晨|早上|上午|中午|下午|傍晚|晚上) ?(\\d{1,2}) ?[点时](?:(半)|(\\d{1,2})分)?", ([part, h, half, m]) => [
    {
      time: `${(n(h) % 12) + (/[下傍晚]|中午/.test(part ?? "") && (part !== "中午" || n(h) < 3 || n(h) === 12) ? 12 : 0)}:${half === undefined ? (m ?? "00").padStart(2, "0") : "30"}`,
    },
  ]),
  rule("\\bat (noon|midday|midnight)\\b", ([name]) => [{ time: name === "midnight" ? "0:00" : "12:00" }]),
  rule("\\b(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)days?\\b", ([name]) => [{ weekday: WEEKDAYS.indexOf((name ?? "").slice(0, 3)) }]),
  rule("(?:星期|礼拜|(?<![一两二三四五六七八九十\\d每])周)([日天一二三四五六])(?![\\p{sc=Han}]?[年岁期])", ([day]) => [
    { weekday: Math.max(0, "天一二三四五六".indexOf(day ?? "")) },
  ]),
];

/** The dates of a text from `plainText`, each with all its readings, and the text with blanks for them. */
export function readDates(text: string): { readonly dates: readonly (readonly When[])[]; readonly rest: string } {
  const dates: When[][] = [];
  let rest = text;
  for (const [pattern, read] of RULES) {
    rest = rest.replaceAll(pattern, (...args: (string | undefined)[]) => {
      const whole = args[0] ?? "";
      const groups = args.slice(
        1,
        args.findIndex((arg) => typeof arg === "number"),
      );
      const readings = read(groups).filter(isPossible);
      if (readings.length === 0) return whole;
      dates.push(readings.map((fields) => ({ text: whole.trim().replace(/[.,]$/, ""), ...fields })));
      return " ".repeat(whole.length);
    });
  }
  return { dates, rest };
}

function isPossible({ month: m, day, quarter }: Fields): boolean {
  const within = (value: number | undefined, most: number): boolean => value === undefined || (value >= 1 && value <= most);
  return within(m, 12) && within(day, 31) && within(quarter, 4);
}

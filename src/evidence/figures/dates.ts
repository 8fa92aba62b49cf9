export interface DateReading {
  readonly text: string;
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly quarter?: number;
  /** Quarters of a fiscal year may begin in any month. */
  readonly fiscal?: boolean;
  readonly half?: number;
  readonly part?: string;
  readonly decade?: number;
  readonly century?: number;
  readonly time?: string;
  /** 0 is Sunday. */
  readonly weekday?: number;
}

type Fields = Omit<DateReading, "text">;
type Groups = Readonly<Record<string, string | undefined>>;
type Rule = readonly [pattern: RegExp, read: (groups: Groups) => readonly Fields[]];

/** All months that a word may mean: "early 2024" reaches to May. */
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
  beginning: "early",
  start: "early",
  春: "spring",
  夏: "summer",
  秋: "autumn",
  冬: "winter",
  初: "early",
  中: "mid",
  年中: "mid",
  底: "end",
  末: "end",
};
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const READERS: Readonly<Record<string, (text: string) => Fields>> = {
  year: (text) => ({ year: text.length === 2 ? 2_000 + Number(text) : Number(text) }),
  month: (text) => ({ month: Number(text) || MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1 }),
  day: (text) => ({ day: Number(text) }),
  quarter: (text) => ({ quarter: Number(text) }),
  half: (text) => ({ half: text === "上" ? 1 : text === "下" ? 2 : Number(text) }),
  part: (text) => ({ part: PARTS[text.toLowerCase()] ?? text.toLowerCase() }),
  decade: (text) => ({ decade: Number(text) }),
  century: (text) => ({ century: Number(text) }),
  weekday: (text) => ({ weekday: Math.max(WEEKDAYS.indexOf(text.slice(0, 3)), "天一二三四五六".indexOf(text), 0) }),
};

function readGroups(groups: Groups): Fields[] {
  return [Object.assign({}, ...Object.entries(groups).map(([name, text]) => (text === undefined ? {} : READERS[name]?.(text))))];
}

const YEAR = String.raw`(?<year>[12]\d{3})(?!\d)`;
const MONTH = String.raw`(?<month>January|February|March|April|May|June|July|August|September|October|November|December|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)`;
const MM = String.raw`(?<month>\d{1,2})`;
const DD = String.raw`(?<day>\d{1,2})`;
const DAY = `${DD}(?:st|nd|rd|th)?`;
const FISCAL = "(?: (?:of )?(?:the )?(?:FY|fiscal(?: year)?|financial year)?)? ?'?";
const rule = (pattern: string, flags = "gu", read: Rule[1] = readGroups): Rule => [new RegExp(pattern, flags), read];

/** Each rule removes the text that it reads, so longer date formats come first. */
const RULES: readonly Rule[] = [
  rule(String.raw`(?<!\d)${YEAR}[-/.]${MM}[-/.]${DD}(?:T[\d:.Z+]+)?(?!\d)`),
  rule(String.raw`(?<![\d.])(?<first>\d{1,2})[-/.](?<second>\d{1,2})[-/.]${YEAR}`, "gu", ({ first, second, year }) => [
    { year: Number(year), month: Number(first), day: Number(second) },
    { year: Number(year), month: Number(second), day: Number(first) },
  ]),
  rule(String.raw`(?<!\d)${YEAR} ?(?:财年|财政年度|年度?)? ?第? ?(?<quarter>[1-4]) ?季度?`),
  rule(String.raw`(?<!\d)${YEAR} ?(?:财年|财政年度|年度?) ?(?<half>[上下])半年`),
  rule(String.raw`(?<!\d)${YEAR} ?年 ?${MM} ?月 ?${DD} ?[日号]`),
  rule(String.raw`(?<!\d)${YEAR} ?年 ?${MM} ?月`),
  rule(String.raw`\b(?<part>spring|summer|autumn|fall|winter)(?: of|,)? ${YEAR}`, "giu"),
  rule(String.raw`\b(?<part>early|mid|late)(?: in |-| )${YEAR}(?!'?s)`, "giu"),
  rule(String.raw`\b(?<part>end|beginning|start) of ${YEAR}`, "giu"),
  rule(String.raw`(?<!\d)${YEAR} ?年?的?(?<part>[春夏秋冬])(?:季|天|日)?`),
  rule(String.raw`(?<!\d)${YEAR} ?年(?<part>初|中(?!国|期|文|央)|年中|底|末)`),
  rule(String.raw`(?<century>\d{2})世纪 ?(?<decade>\d0)年代`, "gu", ({ century, decade }) => [
    { decade: (Number(century) - 1) * 100 + Number(decade) },
  ]),
  rule(String.raw`(?<!\d)(?<century>\d{1,2})(?:世纪|(?:st|nd|rd|th)[- ][Cc]entury)`),
  rule(String.raw`(?<!\d)(?<decade>[12]\d{2}0)(?:'?s(?!\p{L})|年代)`),
  rule(
    String.raw`(?<!\d)(?<tens>\d0)年代|\b(?:[Tt]he )'?(?<tens>\d0)'?s(?!\p{L})|(?<!\p{L})'(?<tens>\d0)s(?!\p{L})`,
    "gu",
    ({ tens = "" }) => [{ decade: (Number(tens) < 30 ? 2_000 : 1_900) + Number(tens) }],
  ),
  rule(String.raw`(?<!\d)${YEAR} ?(?:财年|财政年度|年)`),
  rule(String.raw`(?<!\d)${MM}月${DD}[日号]`),
  rule(String.raw`(?<!\d)(?<month>1[0-2]|[1-9])月(?!亮)`),
  rule(String.raw`第? ?(?<!\d)(?<quarter>[1-4]) ?季度`),
  rule("(?<half>[上下])半年"),
  rule(String.raw`\b${MONTH} ${DAY},? ${YEAR}`),
  rule(String.raw`(?<![\d.,])${DAY}(?: of|\.)? ${MONTH},? ${YEAR}`),
  rule(String.raw`\b${MONTH},?(?: of)? ${YEAR}`),
  rule(String.raw`\b${MONTH} ${DAY}(?![\d,.]*\d| (?:million|billion|per))`),
  rule(String.raw`(?<![\d.,])${DAY}(?: of)? ${MONTH}(?!\p{L})`),
  rule(String.raw`\b(?:Q(?<quarter>[1-4])|(?<quarter>[1-4])Q)${FISCAL}(?<year>\d{4}|(?<=[Q'Y1-4] ?)\d{2})?(?!\d)`),
  rule(String.raw`(?<!\d)${YEAR},? ?-?Q(?<quarter>[1-4])`),
  rule(String.raw`(?<!\d)(?<quarter>[1-4])(?:st|nd|rd|th)[- ](?:fiscal |financial )?[Qq]uarters?(?:,?${FISCAL}(?<year>\d{4}))?(?!\d)`),
  rule(String.raw`(?<!\d)(?<half>[12])(?:st|nd)[- ]half(?:${FISCAL}(?<year>\d{4}))?(?!\d)`),
  rule(String.raw`\bH(?<half>[12])(?: ?'?(?<year>\d{4}))?(?!\d)`),
  rule(String.raw`\bFY ?'?(?<year>\d{4}|\d{2})(?!\d)`),
  rule(String.raw`\b(?<=(?:in|of|since|by|until|early|mid|late|last|this|next|during|from|to|between|and)[ -])${MONTH}(?!\p{L})`),
  rule(String.raw`\b(?<month>January|February|April|June|July|August|September|October|November|December)(?!\p{L})`),
  rule(String.raw`(?<!\d)${YEAR}-(?<month>0[1-9]|1[0-2])(?!\d|-)`),
  rule(String.raw`(?<![\d:])(?<hour>\d{1,2}):(?<minute>\d{2})(?::\d{2})? ?(?<half>[ap])?\.?m?\.?(?![\d:])`, "giu", readTime),
  rule(String.raw`(?<![\d:.])(?<hour>1[0-2]|[1-9]) ?(?<half>[ap])(?:\.m\.|m\b)`, "giu", readTime),
  rule(
    String.raw`(?<period>凌晨|早上|上午|中午|下午|傍晚|晚上) ?(?<hour>\d{1,2}) ?[点时](?:(?<halfPast>半)|(?<minute>\d{1,2})分)?`,
    "gu",
    readChineseTime,
  ),
  rule(String.raw`\bat (?<name>noon|midday|midnight)\b`, "gu", ({ name }) => [{ time: name === "midnight" ? "0:00" : "12:00" }]),
  rule(String.raw`\b(?<weekday>Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)days?\b`),
  rule(String.raw`(?:星期|礼拜|(?<![一两二三四五六七八九十\d每])周)(?<weekday>[日天一二三四五六])(?![\p{sc=Han}]?[年岁期])`),
];

function readTime({ hour, minute = "00", half }: Groups): Fields[] {
  const hours = Number(hour) % (half === undefined ? 24 : 12);
  return [{ time: `${hours + (half?.toLowerCase() === "p" ? 12 : 0)}:${minute}` }];
}

function readChineseTime({ period = "", hour, minute = "00", halfPast }: Groups): Fields[] {
  const isAfternoon = /[下傍晚]/.test(period) || (period === "中午" && (Number(hour) < 3 || Number(hour) === 12));
  return [{ time: `${(Number(hour) % 12) + (isAfternoon ? 12 : 0)}:${halfPast === undefined ? minute.padStart(2, "0") : "30"}` }];
}

/** Returns each date with all possible readings. `rest` is the text with spaces in place of the dates. */
export function readDates(text: string): { readonly dates: readonly (readonly DateReading[])[]; readonly rest: string } {
  const dates: DateReading[][] = [];
  let rest = text;
  for (const [pattern, read] of RULES) {
    rest = rest.replaceAll(pattern, (whole: string, ...args: unknown[]) => {
      const readings = read(args.at(-1) as Groups).filter(isPossible);
      if (readings.length === 0) return whole;
      const fiscal = /fiscal|FY|财/.test(whole);
      dates.push(readings.map((fields) => ({ text: whole.trim().replace(/[.,]$/, ""), ...(fiscal && { fiscal }), ...fields })));
      return " ".repeat(whole.length);
    });
  }
  return { dates, rest };
}

function isPossible({ month, day, quarter }: Fields): boolean {
  const within = (value: number | undefined, most: number): boolean => value === undefined || (value >= 1 && value <= most);
  return within(month, 12) && within(day, 31) && within(quarter, 4);
}

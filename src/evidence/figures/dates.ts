/** A date or a period. Absent parts are not known. */
export interface DateReading {
  readonly text: string;
  /** The first and the last year, which differ for decades and centuries. */
  readonly years?: readonly [number, number];
  /** From 1 to 12: one for a date, several for "spring" or a quarter. */
  readonly months?: readonly number[];
  readonly day?: number;
  /** Whether a quarter or half of a year is named. Those of a fiscal year may begin in any month. */
  readonly isQuarter?: boolean;
  readonly isFiscal?: boolean;
  /** From 0, which is Sunday. */
  readonly weekday?: number;
}

type Fields = Omit<DateReading, "text">;
type Groups = Readonly<Record<string, string | undefined>>;

const months = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => ((first + i - 1) % 12) + 1);
/** The first of the months that words may mean, and their count: "early 2024" reaches to May. */
const PARTS =
  "3 3 spring 春; 6 3 summer 夏; 9 3 autumn fall 秋; 12 3 winter 冬; 1 5 early beginning start 初; 4 6 mid 中 年中; 8 5 late; 11 2 end 底 末"
    .split("; ")
    .map((row) => row.split(" "));
const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const READERS: Readonly<Record<string, (text: string) => Fields>> = {
  year: (text) => span(text.length === 2 ? 2_000 + Number(text) : Number(text), 1),
  decade: (text) => span(text.length === 2 ? (Number(text) < 30 ? 2_000 : 1_900) + Number(text) : Number(text), 10),
  century: (text) => span((Number(text) - 1) * 100, 100),
  month: (text) => ({ months: [Number(text) || MONTHS.findIndex((name) => name.startsWith(text.slice(0, 3))) + 1] }),
  day: (text) => ({ day: Number(text) }),
  quarter: (text) => ({ months: months(Number(text) * 3 - 2, 3), isQuarter: true }),
  half: (text) => ({ months: months(/[上1]/.test(text) ? 1 : 7, 6), isQuarter: true }),
  part: (text) => {
    const [first, count] = PARTS.find((row) => row.includes(text.toLowerCase())) ?? [];
    return { months: months(Number(first), Number(count)) };
  },
  weekday: (text) => ({ weekday: Math.max(WEEKDAYS.indexOf(text.slice(0, 3)), "天一二三四五六".indexOf(text), 0) }),
};

function span(from: number, length: number): Fields {
  return { years: [from, from + length - 1] };
}

/** 3/4/2025 may be in March or April. */
function readGroups({ first, second, ...groups }: Groups): Fields[] {
  if (first !== undefined) return [first, second].flatMap((month, i) => readGroups({ ...groups, month, day: i === 0 ? second : first }));
  return [Object.assign({}, ...Object.entries(groups).map(([name, text]) => (text === undefined ? {} : READERS[name]?.(text))))];
}

const YEAR = String.raw`(?<year>[12]\d{3})(?!\d)`;
const MONTH = String.raw`(?<month>${MONTHS.join("|")}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)`;
const MM = String.raw`(?<month>1[0-2]|0?[1-9])(?!\d)`;
const DAY = String.raw`(?<day>[0-2]?\d|3[01])(?:st|nd|rd|th)?(?!\d)`;
const FISCAL = "(?: (?:of )?(?:the )?(?:FY|fiscal(?: year)?|financial year)?)? ?'?";
const ENGLISH_QUARTER = String.raw`(?:\bQ(?<quarter>[1-4])|(?<!\d)(?<quarter>[1-4])(?:Q|(?:st|nd|rd|th)[- ](?:fiscal |financial )?[Qq]uarters?)|\bH(?<half>[12])|(?<!\d)(?<half>[12])(?:st|nd)[- ]half)`;
const CHINESE_YEAR = String.raw`(?:(?<!\d)${YEAR} ?(?:财年|财政年度|年度?)? ?)?`;

/** Each pattern removes the text that it reads, so longer date formats come first. */
const PATTERNS = [
  String.raw`(?<!\d)${YEAR}[-/.]${MM}[-/.]${DAY}(?:T[\d:.Z+]+)?(?!\d)`,
  String.raw`(?<![\d.])(?<first>\d{1,2})[-/.](?<second>\d{1,2})[-/.]${YEAR}`,
  String.raw`${CHINESE_YEAR}(?:第? ?(?<!\d)(?<quarter>[1-4]) ?季度?|(?<half>[上下])半年)`,
  String.raw`(?:(?<!\d)${YEAR} ?年 ?|(?<!\d))${MM} ?月(?!亮)(?: ?${DAY} ?[日号])?`,
  String.raw`\b(?<part>(?i:spring|summer|autumn|fall|winter|early|mid|late|(?:end|beginning|start)(?= of)))(?: of| in|,)?[ -]${YEAR}(?!'?s)`,
  String.raw`(?<!\d)${YEAR} ?(?:年?的?(?<part>[春夏秋冬])(?:季|天|日)?|年(?<part>初|中(?!国|期|文|央)|年中|底|末))`,
  String.raw`(?<!\d)(?<century>\d{1,2})(?:世纪|(?:st|nd|rd|th)[- ][Cc]entury)`,
  String.raw`(?<!\d)(?<decade>[12]\d{2}0|\d0)年代|(?<!\d)(?<decade>[12]\d{2}0)'?s(?!\p{L})|(?:\b[Tt]he '?|(?<!\p{L})')(?<decade>\d0)'?s(?!\p{L})`,
  String.raw`(?<!\d)${YEAR} ?(?:财年|财政年度|年)`,
  String.raw`\b${MONTH} ${DAY}(?:,? ${YEAR}|(?![,.]?\d| (?:million|billion|per)))`,
  String.raw`(?<![\d.,])${DAY}(?: of|\.)? ${MONTH}(?:,? ${YEAR}|(?!\p{L}))`,
  String.raw`\b${MONTH},?(?: of)? ${YEAR}`,
  String.raw`${ENGLISH_QUARTER}(?:,?${FISCAL}(?<year>\d{4}|(?<=[Q'Y1-4] ?)\d{2}))?(?![\d\p{L}])`,
  String.raw`(?<!\d)${YEAR},? ?-?(?:Q(?<quarter>[1-4])|H(?<half>[12]))`,
  String.raw`\bFY ?'?(?<year>\d{4}|\d{2})(?!\d)`,
  String.raw`\b(?:${MONTH.replace("May|", "")}|(?<=(?:in|of|since|by|until|early|mid|late|last|this|next|during|from|to|between|and)[ -])(?<month>May))(?!\p{L})`,
  String.raw`(?<!\d)${YEAR}-(?<month>0[1-9]|1[0-2])(?!\d|-)`,
  String.raw`\b(?<weekday>(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)days?|Mon|Tue|Wed|Thu|Fri)\b`,
  String.raw`(?:星期|礼拜|(?<![一两二三四五六七八九十\d每])周)(?<weekday>[日天一二三四五六])(?![\p{sc=Han}]?[年岁期])`,
].map((pattern) => new RegExp(pattern, "gu"));

/** Returns each date with all possible readings. `rest` is the text with spaces in place of the dates. */
export function readDates(text: string): { readonly dates: readonly (readonly DateReading[])[]; readonly rest: string } {
  const dates: DateReading[][] = [];
  let rest = text;
  for (const pattern of PATTERNS) {
    rest = rest.replaceAll(pattern, (whole: string, ...args: unknown[]) => {
      const readings = readGroups(args.at(-1) as Groups).filter(({ months: [month = 1] = [], day = 1 }) => month <= 12 && day <= 31);
      if (readings.length === 0) return whole;
      const isFiscal = /fiscal|FY|财/.test(whole);
      dates.push(readings.map((fields) => ({ text: whole.trim().replace(/[.,]$/, ""), isFiscal, ...fields })));
      return " ".repeat(whole.length);
    });
  }
  return { dates, rest };
}

/** Whether the quotes have a date within the one of the sentence. `known` has all years in the quotes. */
export function dateAgrees(claim: DateReading, dates: readonly DateReading[], known: ReadonlySet<number> = new Set()): boolean {
  const { weekday, years } = claim;
  if (weekday !== undefined) return dates.some((date) => date.weekday === weekday);
  const isWithin = (year: number): boolean => years === undefined || (year >= years[0] && year <= years[1]);
  if (claim.months === undefined) return dates.some((date) => date.years?.every(isWithin)) || [...known].some(isWithin);
  return dates.some(
    (date) => isWithinMonths(claim, date) && (years === undefined || (date.years?.every(isWithin) ?? [...known].some(isWithin))),
  );
}

function isWithinMonths({ months: wanted, day, isFiscal, isQuarter }: DateReading, date: DateReading): boolean {
  if (date.months === undefined || (isFiscal && isQuarter && !date.isQuarter)) return false;
  return date.months.every((month) => wanted?.includes(month)) && (day === undefined || day === date.day);
}

/** Whether the dates differ in the year and agree in what else they have, at least a month or quarter. */
export function differsInYear(claim: DateReading | undefined, { years, ...date }: DateReading): boolean {
  if (claim?.years === undefined || claim.months === undefined || years === undefined || claim.years[0] === years[0]) return false;
  return dateAgrees({ ...claim, years }, [{ ...date, years }]);
}

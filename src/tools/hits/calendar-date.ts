const ISO = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?=$|[T\s])/;
const CHINESE = /^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH_FIRST = /^([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})\b/i;
/** Also what mail and HTTP write, `Mon, 05 May 2025 07:00:00 GMT`. */
const DAY_FIRST = /^(?:[a-z]{3,9},\s*)?(\d{1,2})\s+([a-z]{3})[a-z]*\.?,?\s+(\d{4})\b/i;

/**
 * The day that a search engine names, as `2021-03-04`: ISO, English and Chinese spellings. Null for everything else, `2
 * days ago` included, because what that means depends on when the answer is read.
 */
export function calendarDate(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  const iso = ISO.exec(trimmed)?.[0];
  if (iso !== undefined) return iso;
  const [, year, month, day] = CHINESE.exec(trimmed) ?? [];
  if (year !== undefined) return spell(year, Number(month), Number(day));
  const [, monthName, dayOfMonth, yearAfter] = MONTH_FIRST.exec(trimmed) ?? [];
  if (monthName !== undefined) return spell(yearAfter, monthNumber(monthName), Number(dayOfMonth));
  const [, dayFirst, nameAfter, lastYear] = DAY_FIRST.exec(trimmed) ?? [];
  return nameAfter === undefined ? null : spell(lastYear, monthNumber(nameAfter), Number(dayFirst));
}

function monthNumber(name: string): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1;
}

function spell(year: string | undefined, month: number, day: number): string | null {
  if (year === undefined || month < 1 || month > 12 || day < 1 || day > 31) return null;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

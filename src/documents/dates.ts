const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?/i;
const NUMERIC = /^(\d{4})[/.年-](\d{1,2})[/.月-](\d{1,2})(?!\d)/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const INTERNET = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/;
const ENGLISH = /^(?:(\d{1,2})\.? )?([A-Z][a-z]{2})[a-z]*\.? (?:(\d{1,2}), )?(\d{4})$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const WRITTEN_DATE = new RegExp(
  [
    String.raw`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+\-]\d{2}:?\d{2})?)?`,
    String.raw`\d{4}年\d{1,2}月\d{1,2}日|\b\d{4}[\-\/.]\d{1,2}[\-\/.]\d{1,2}(?!\d)|\b\d{1,2}\/\d{1,2}\/\d{4}\b`,
    String.raw`\b[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}\b|\b\d{1,2}\.? [A-Z][a-z]{2,8}\.? \d{4}\b`,
  ].join("|"),
  "u",
);

/** Returns an ISO 8601 instant in UTC, or `YYYY-MM-DD` if time or zone is missing. Returns null if the date is ambiguous. */
export function normalizeDate(written: string | null | undefined): string | null {
  const text = written?.trim() ?? "";
  // Some systems write 0001-01-01T00:00:00 for no date.
  if (/^0/.test(text) && !/^0?[1-9]\D/.test(text)) return null;
  const iso = ISO.exec(text);
  const zone = iso?.[5]?.toUpperCase().replace(/^([+-]\d{2}):?/, "$1:");
  if (iso) return zone ? instant(`${iso[1]}-${iso[2]}-${iso[3]}T${iso[4]}${zone}`) : day(iso[1], iso[2], iso[3]);
  const numeric = NUMERIC.exec(text) ?? COMPACT.exec(text);
  if (numeric) return day(numeric[1], numeric[2], numeric[3]);
  const slashed = SLASHED.exec(text);
  if (slashed) return eitherOrder(slashed[3], Number(slashed[1]), Number(slashed[2]));
  if (INTERNET.test(text)) return instant(text);
  const english = ENGLISH.exec(text);
  if (!english) return null;
  return day(english[4], String(MONTHS.indexOf(english[2] ?? "") + 1), english[1] ?? english[3]);
}

/** Reads `10/14/2016` and `14/10/2016`; null if either number could be the month, as in `10/11/2016`. */
function eitherOrder(year: string | undefined, first: number, second: number): string | null {
  if (first <= 12 && second <= 12 && first !== second) return null;
  return day(year, String(Math.min(first, second)), String(Math.max(first, second)));
}

function instant(text: string): string | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function day(year = "", month = "", dayOfMonth = ""): string | null {
  const written = `${year}-${month.padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`;
  return instant(`${written}T00:00:00Z`)?.startsWith(written) ? written : null;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?/i;
const NUMERIC = /^(\d{4})[/.年-](\d{1,2})[/.月-](\d{1,2})(?!\d)/;
/** The day and the month in either order. */
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const INTERNET = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/;
const ENGLISH = /^(?:(\d{1,2})\.? )?([A-Z][a-z]{2})[a-z]*\.? (?:(\d{1,2}), )?(\d{4})$/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A date as pages write it, as an ISO 8601 instant in UTC where the page gives time and zone, otherwise as `YYYY-MM-DD`:
 * a time without its zone is no instant. Null for anything that is not plainly a date; never depends on the local zone.
 */
export function normalizeDate(written: string | null | undefined): string | null {
  const text = written?.trim() ?? "";
  // An empty date of some systems: 0001-01-01T00:00:00.
  if (/^0/.test(text) && !/^0?[1-9]\D/.test(text)) return null;
  const iso = ISO.exec(text);
  if (iso) return iso[5] ? instant(`${iso[1]}-${iso[2]}-${iso[3]}T${iso[4]}${colonZone(iso[5])}`) : day(iso[1], iso[2], iso[3]);
  const numeric = NUMERIC.exec(text) ?? COMPACT.exec(text);
  if (numeric) return day(numeric[1], numeric[2], numeric[3]);
  const slashed = SLASHED.exec(text);
  if (slashed) return eitherOrder(slashed[3], Number(slashed[1]), Number(slashed[2]));
  if (INTERNET.test(text)) return instant(text);
  const english = ENGLISH.exec(text);
  if (!english) return null;
  return day(english[4], String(MONTHS.indexOf(english[2] ?? "") + 1), english[1] ?? english[3]);
}

/** `10/14/2016` or `14/10/2016`; null where both numbers may be the month and differ. */
function eitherOrder(year: string | undefined, first: number, second: number): string | null {
  if (first <= 12 && second <= 12 && first !== second) return null;
  return day(year, String(Math.min(first, second)), String(Math.max(first, second)));
}

function colonZone(zone: string): string {
  return zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^([+-]\d{2}):?/, "$1:");
}

function instant(text: string): string | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Null unless the calendar has that day. */
function day(year = "", month = "", dayOfMonth = ""): string | null {
  const written = `${year}-${month.padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`;
  return instant(`${written}T00:00:00Z`)?.startsWith(written) ? written : null;
}

const BYLINE =
  /^(?:(?:written |posted |story |text )?by|von|por|par|di|door|oleh|автор|文|作者|记者|記者|責任編輯|编辑|來源|来源)(?:\s*[:：]\s*|\s+)\S.{0,70}$/iu;
/** Made when it is first needed: the calendars of all languages take a noticeable part of a start. */
let dateWord: RegExp | undefined;

function dateWords(): RegExp {
  dateWord ??= new RegExp(
    `^(?:${[
      "published|updated|posted|modified|last|first|created|date|on|at|um|am|pm|a|p|m|noon|publicado|actualizado|publié|le|à|veröffentlicht|aktualisiert|uhr|de|di|pada|опубликовано|发布|发表|更新|时间|日期|于|於",
      "[a-z]{1,4}t|utc|gmt|ago|hours?|minutes?|mins?|days?|\\d+(?:st|nd|rd|th|am|pm)?|年|月|日|时|分|秒|時|星期[一二三四五六日天]|[月火水木金土日]曜日",
      ...namesOfCalendar(),
    ].join("|")})$`,
    "iu",
  );
  return dateWord;
}

/** Months and days of the week, long and short. */
function namesOfCalendar(): string[] {
  const names = ["en", "de", "fr", "es", "pt", "it", "nl", "ru", "id", "pl", "tr"].flatMap((locale) =>
    (["long", "short"] as const).flatMap((style) => {
      const month = new Intl.DateTimeFormat(locale, { month: style, day: "numeric", timeZone: "UTC" });
      const weekday = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: "UTC" });
      const part = (format: Intl.DateTimeFormat, type: string, date: Date): string =>
        format.formatToParts(date).find((found) => found.type === type)?.value ?? "";
      return [
        ...Array.from({ length: 12 }, (_, i) => part(month, "month", new Date(Date.UTC(2024, i, 1)))),
        ...Array.from({ length: 7 }, (_, i) => part(weekday, "weekday", new Date(Date.UTC(2024, 0, 1 + i)))),
      ];
    }),
  );
  return [...new Set(names.map((name) => name.replace(/\.$/, "").toLowerCase()))].filter((name) => /^\p{L}+$/u.test(name));
}

/** `By Ada Lindqvist`, `作者：李明`. */
export function isByline(text: string): boolean {
  return BYLINE.test(text) && !/[.!?。！？]$/u.test(text);
}

/** `Published 11:26 pm EST, Tuesday, November 19, 2019`: a date and nothing else. */
export function isDateLine(text: string): boolean {
  if (text.length > 120 || !/\d/.test(text)) return false;
  const words = text.match(/\d+(?:st|nd|rd|th|am|pm)?(?![a-z])|[年月日时分秒時]|\p{L}+/giu) ?? [];
  return words.length > 1 && words.every((word) => dateWords().test(word));
}

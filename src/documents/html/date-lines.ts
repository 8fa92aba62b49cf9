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

/** Accepts names of the IANA time zone database in any case, such as `Europe/Berlin` and `UTC`. Refuses offsets such as `+02:00`. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Returns the ISO 8601 date in `timeZone` at `at`, in milliseconds since 1970. */
export function dateIn(timeZone: string, at: number): string {
  // Making a format takes longer than a node of a graph without effects.
  if (timeZone === "UTC") return new Date(at).toISOString().slice(0, "2000-01-01".length);
  const format = new Intl.DateTimeFormat("en", { timeZone, calendar: "iso8601", year: "numeric", month: "2-digit", day: "2-digit" });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
}

/** The IANA time zone of the browser: a run's "today" is its reader's. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const NUMBERS = /[^\S\n]*[[【［]\^?\d{1,3}(?:[^\S\n]*[,;，；、–-][^\S\n]*\d{1,3})*[\]】］]/g;

/**
 * A sentence without numbers in brackets that its writer put there: in a report they would read as citations, and those are given out
 * when a quote has been verified.
 */
export function withoutOwnNumbers(text: string): string {
  return text.replaceAll(NUMBERS, "");
}

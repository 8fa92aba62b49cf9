import { splitReason } from "../domain/report.ts";

/** A citation such as `[P3: "words"]` or `(S9)`. Its id says nothing to a reader. */
const MARKER = /^[[(【（［]\s{0,2}\^?[A-Za-z]{1,3}[-_]?\w{1,12}\s{0,2}(?:[:：]\s{0,2}(.*))?[\])】）］]$/s;

/** Returns a claim's reason with its words cleaned by `clean`, and without the id of a citation. */
export function cleanReason(reason: string, clean: (words: string) => string): string {
  const { code, words } = splitReason(reason);
  const shown = clean(words.replace(MARKER, (_, quoted = "") => quoted));
  return shown === "" ? code : `${code}: ${shown}`;
}

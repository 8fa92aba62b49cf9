import { contentHashOf } from "../domain/document.ts";

/** Characters that models read but people do not see. Zero-width joiners and Arabic number signs stay, because scripts need them. */
const HIDDEN = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n\u200c\u200d\u0600-\u0605\u06dd]]/gv;
const TAG = /[<＜﹤](?=[\s/／]*data)/giu;
const KEY_LENGTH = 10;

/** Encloses untrusted text in tags with a hash, so that the text cannot contain the closing tag. Removes invisible characters. */
export function fence(label: string, text: string): string {
  const clean = text.replaceAll("\r\n", "\n").replaceAll(HIDDEN, "").replaceAll(TAG, "‹");
  const key = contentHashOf(`${label}\n${clean}`).slice(0, KEY_LENGTH);
  return `<data ${label} ${key}>\n${clean}\n</data ${key}>`;
}

import { contentHashOf } from "../domain/document.ts";

/** Controls, and characters that nobody sees and a model may read; joiners stay, as some scripts need them. */
const HIDDEN = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n\u200c\u200d\u0600-\u0605\u06dd]]/gv;
const TAG = /[<＜﹤](?=[\s/／]*data)/giu;
const KEY_LENGTH = 10;

/**
 * Text of others as data: between marks that carry a key made of the text's own hash, so that no text can hold its closing mark; what
 * looks like a mark in it is defused, what cannot be seen is left out. `label` says what it is, a short id mostly.
 */
export function fence(label: string, text: string): string {
  const clean = text.replaceAll("\r\n", "\n").replaceAll(HIDDEN, "").replaceAll(TAG, "‹");
  const key = contentHashOf(`${label}\n${clean}`).slice(0, KEY_LENGTH);
  return `<data ${label} ${key}>\n${clean}\n</data ${key}>`;
}

import { describe, expect, it } from "vitest";
import { foldLetters } from "../../src/ranking/fold-letters.ts";
import { queryTerms } from "../../src/ranking/query-terms.ts";
import { tokenize } from "../../src/ranking/tokenize.ts";

describe("folded letters", () => {
  it.each([
    ["Straße", "STRASSE", "strasse"],
    ["İSTANBUL", "istanbul", "istanbul"],
    ["ISPARTA", "ısparta", "isparta"],
    ["ΟΔΟΣ", "ὁδός", "οδοσ"],
    ["הַמִּגְדַּלּוֹר", "המגדלור", "המגדלור"],
    ["مُحَمَّدٌ", "محمـــد", "محمد"],
    ["أحمد", "إحمد", "احمد"],
    ["مکتبة", "مكتبه", "مكتبه"],
    ["Tiếng Việt", "TIENG VIET", "tieng viet"],
    ["Ёж", "еж", "еж"],
    ["हज़ार", "हजार", "हजार"],
  ])("of %s and %s are %s", (one, other, folded) => {
    expect([one, other].map(foldLetters)).toEqual([folded, folded]);
  });

  it.each([
    ["か", "が"],
    ["कि", "की"],
    ["अन्न", "अनन"],
    ["বাড়ি", "বাড়"],
    ["வாடகை", "வாடக"],
    ["9⁹", "99"],
    ["가", "기"],
  ])("of %s and %s differ", (one, other) => {
    expect(foldLetters(one)).not.toBe(foldLetters(other));
  });

  it.each([
    ["Wo beginnt die Straße zur Mühle?", "STRASSE MUHLE"],
    ["מתי נבנה המגדלור", "הַמִּגְדַּלּוֹר נִבְנָה"],
    ["متى بنيت المدرسة الكبيرة", "المَدْرَسَةُ الكبيره"],
    ["красный маяк", "КРАСНЫЙ МАЯК"],
    ["灯塔 Çeşme", "燈塔 cesme"],
  ])("let a search for %s find %s", (question, text) => {
    const terms = new Set(queryTerms(question));
    expect(tokenize(text).every((term) => terms.has(term))).toBe(true);
  });
});

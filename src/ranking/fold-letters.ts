const ASCII = /^\p{ASCII}*$/u;
/** The marks that Unicode calls diacritics: accents, Hebrew points, Arabic vowels, viramas. Vowel signs are letters, and so are が and か. */
const DIACRITICS = /[[\p{M}&&\p{Diacritic}]--[\u3099\u309a]]/gv;
/** Unicode's collation: a mark that makes another letter of its letter, such as a virama, is not dropped. */
const byLetter = new Intl.Collator("und", { sensitivity: "base" });
/** Lucene's ArabicNormalizer and PersianNormalizer: tatweel, alef variants, ta marbuta, alef maksura, Persian yeh, kaf and heh. */
const ARABIC: Readonly<Record<string, string>> = {
  ...{ "\u0640": "", آ: "ا", أ: "ا", إ: "ا", ٱ: "ا", ة: "ه", ى: "ي", ی: "ي", ے: "ي", ک: "ك", ہ: "ه", ۂ: "ه", ۀ: "ه" },
};
const ARABIC_LETTERS = new RegExp(`[${Object.keys(ARABIC).join("")}]`, "gu");

/** Folds case as Unicode's full case folding does: ß is ss, and σ and ς are one letter. Turkish İ and ı become i. */
export function foldCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Returns the form in which words of search, ranking and quotes are compared. Widths are folded by others, since 9⁹ is not 99. */
export function foldLetters(text: string): string {
  const folded = foldCase(text);
  if (ASCII.test(folded)) return folded;
  const bare = folded.normalize("NFD").replaceAll(DIACRITICS, bareMark).normalize("NFC");
  return bare.replaceAll(ARABIC_LETTERS, (letter) => ARABIC[letter] ?? letter);
}

function bareMark(mark: string): string {
  return byLetter.compare(`a${mark}`, "a") === 0 ? "" : mark;
}

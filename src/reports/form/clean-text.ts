/**
 * Foreign text as one line of well-formed Unicode that every format can hold: white space is one blank, and control
 * characters, lone surrogates and noncharacters, which XML forbids, are the replacement character.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/\p{Cc}|\p{Noncharacter_Code_Point}/gu, "\ufffd");
}

/** At most `length` UTF-16 code units of a text, and a sign that there was more. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

/** An address as people write it. */
export function readable(url: string): string {
  try {
    return decodeURI(url).toWellFormed().replace(/\s/g, " ");
  } catch {
    return url.toWellFormed();
  }
}

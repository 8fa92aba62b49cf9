/** The first `maxLength` UTF-16 code units of a text, or one less where that would cut a character in two. */
export function cutText(text: string, maxLength: number): string {
  const cut = text.slice(0, maxLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1).toWellFormed();
}

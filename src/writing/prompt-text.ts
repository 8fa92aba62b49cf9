export function short(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}

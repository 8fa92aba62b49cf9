/** Legal forms, and what the list adds to names: the state (`/DE/`), the kind of share. */
const FORMS = new Set(
  "inc incorporated corp corporation co company ltd limited llc lp plc sa ag nv se ab asa spa oyj kgaa adr com".split(" "),
);

/**
 * What two spellings of a company's name have in common: its words in lower case, without punctuation, article and legal
 * form, so that Apple, APPLE INC and Apple Inc. are one.
 */
export function nameKey(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[/\\][a-z]{2,3}[/\\]?\s*$/g, " ")
    .replaceAll("&", " and ")
    .replaceAll(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  if (words.length > 1 && words[0] === "the") words.shift();
  while (words.length > 1 && FORMS.has(words.at(-1) ?? "")) words.pop();
  if (words.length > 1 && words.at(-1) === "and") words.pop();
  return words.join(" ");
}

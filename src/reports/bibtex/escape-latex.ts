const SPECIALS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  // BibTeX counts braces also where a backslash stands before them.
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
};

/** A text that LaTeX sets as that text; what is not ASCII stays as it is (UTF-8). */
export function escapeLatex(text: string): string {
  return text.replace(/[\\{}$&#%_~^]/g, (character) => SPECIALS[character] ?? "");
}

/** An address as the commands for addresses take it: braces and backslashes, which BibTeX itself counts, are encoded. */
export function escapeAddress(href: string): string {
  return href.replace(/[\\{}]/g, (character) => encodeURIComponent(character));
}

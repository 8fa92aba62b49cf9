const DOI = String.raw`10\.\d{4,9}\/[^\s"'”’<>\])）】，。；]*[^\s"'”’<>\])）】，。；.,;:!?]`;
const IDS = new RegExp(
  String.raw`(?:[[【(（]\s?)?(?:\b(?:doi|DOI)\s?[:：]\s?${DOI}|(?<![\w./])${DOI}|\bar[Xx]iv\s?[:：]\s?[\w.\/-]*\w|\b(?:PMID|PMCID|pmid)\s?[:：]\s?(?:PMC)?\d+|\bS[0-9a-f]{12}\b)(?:\s?[:：]\s?["“”][^"“”\n]{0,2000}["“”])?(?:\s?[\])）】])?`,
  "g",
);
const CORE = new RegExp(String.raw`${DOI}|\d{4}\.\d{4,5}|[\w.-]+\/\d{7}|S[0-9a-f]{12}|\d{5,}`);

/** `text` without the ids of publications (DOI, arXiv, PubMed) and of sources that stand in none of `known`. */
export function withoutUnknownIds(text: string, known: readonly string[]): string {
  const there = known.join("\n").toLowerCase();
  return text.replaceAll(IDS, (whole) => {
    const core = CORE.exec(whole)?.[0] ?? whole;
    if (there.includes(core.toLowerCase())) return whole;
    // The id of a source is a citation, of which nothing needs to be told.
    return /^S[0-9a-f]{12}$/.test(core) ? "" : "[id removed]";
  });
}

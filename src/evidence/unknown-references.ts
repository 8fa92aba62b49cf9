import { addressesIn } from "./address-detection.ts";
import { REMOVED_ADDRESS, stripUnknownAddresses } from "./address-filter.ts";
import { missingFigures } from "./figures/check-figures.ts";
import { hostNames, isNamedIn, plainHosts } from "./host-names.ts";

const MOST_NAMED = 20;

/**
 * The addresses and names of hosts in `sentence` that stand in none of `texts` (its quotes, the question, titles) and that are not those
 * of `addresses`, which sources have. Of an address that is hidden in a link or by escapes only a mark is named.
 */
export function unknownAddresses(sentence: string, texts: readonly string[], addresses: readonly string[]): string[] {
  const known = [...addresses, ...texts.flatMap(addressesIn)];
  const named = hostNames(sentence);
  const there = named.length === 0 ? "" : plainHosts([...known, ...texts].join("\n"));
  const hosts = named.map(({ name }) => name).filter((name) => !isNamedIn(there, name));
  if (hosts.length > 0) return [...new Set(hosts)].slice(0, MOST_NAMED);
  const count = (text: string): number => text.split(REMOVED_ADDRESS).length;
  return count(stripUnknownAddresses(sentence, known)) > count(sentence) ? ["an address that no source has"] : [];
}

/** `text` without the names of hosts that stand in none of `known`: texts and addresses. */
export function stripUnknownHosts(text: string, known: readonly string[]): string {
  const named = hostNames(text);
  if (named.length === 0) return text;
  const there = plainHosts(known.join("\n"));
  let from = 0;
  const kept = named.flatMap(({ name, start, end }) => {
    if (isNamedIn(there, name)) return [];
    const before = text.slice(from, start);
    from = end;
    return [before, REMOVED_ADDRESS];
  });
  return [...kept, text.slice(from)].join("");
}

const DOI = String.raw`10\.\d{4,9}\/[^\s"'”’<>\])）】，。；]*[^\s"'”’<>\])）】，。；.,;:!?]`;
const IDS = new RegExp(
  String.raw`(?:[[【(（]\s?)?(?:\b(?:doi|DOI)\s?[:：]\s?${DOI}|(?<![\w./])${DOI}|\bar[Xx]iv\s?[:：]\s?[\w.\/-]*\w|\b(?:PMID|PMCID|pmid)\s?[:：]\s?(?:PMC)?\d+|\bS[0-9a-f]{12}\b)(?:\s?[:：]\s?["“”][^"“”\n]{0,2000}["“”])?(?:\s?[\])）】])?`,
  "g",
);
const CORE = new RegExp(String.raw`${DOI}|\d{4}\.\d{4,5}|[\w.-]+\/\d{7}|S[0-9a-f]{12}|\d{5,}`);

/** `text` without the ids of publications (DOI, arXiv, PubMed) and of sources that stand in none of `known`. */
export function stripUnknownIds(text: string, known: readonly string[]): string {
  const there = known.join("\n").toLowerCase();
  return text.replaceAll(IDS, (whole) => {
    const core = CORE.exec(whole)?.[0] ?? whole;
    if (there.includes(core.toLowerCase())) return whole;
    // The id of a source is a citation, of which nothing needs to be told.
    return /^S[0-9a-f]{12}$/.test(core) ? "" : "[id removed]";
  });
}

/**
 * Whether `text`, which cites nothing, states something that none of `known` does: a number, a date, an address, the bare name of a
 * host, or a name with digits. A text from which an address has been taken brought one.
 */
export function hasUnknownDetails(text: string, known: readonly string[]): boolean {
  if (text.includes(REMOVED_ADDRESS) || stripUnknownAddresses(text, known.flatMap(addressesIn)) !== text) return true;
  const there = plainHosts(known.join("\n"));
  if (hostNames(text).some(({ name }) => !isNamedIn(there, name))) return true;
  return missingFigures(text, known, known).length > 0;
}

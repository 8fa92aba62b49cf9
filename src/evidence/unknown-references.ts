import { computation } from "../domain/computation.ts";
import { mapProse, proseOf } from "../util/code-spans.ts";
import { addressesIn } from "./address-detection.ts";
import { addressesOf, isMarked, unknownForm } from "./address-filter.ts";
import { missingIn, readSources } from "./figures/check-figures.ts";
import { hostNames, isNamedIn, plainHosts, replaceHosts } from "./host-names.ts";
import { createKnownAddresses, type FindKnownAddress } from "./known-addresses.ts";

const MAX_HOSTS = 20;

/** Returns the host names that neither `texts` nor `addresses` contain. Other unknown addresses give one fixed entry. */
export function unknownAddresses(sentence: string, texts: readonly string[], addresses: readonly string[]): string[] {
  const prose = proseOf(sentence);
  if (!hasUnknown(prose, () => null) && hostNames(prose).length === 0) return [];
  const known = [...addresses, ...texts.flatMap(addressesIn)];
  const hosts = unknownHosts(prose, [...known, ...texts]);
  if (hosts.length > 0) return [...new Set(hosts)].slice(0, MAX_HOSTS);
  return hasUnknown(prose, createKnownAddresses(known)) ? ["an address that no source has"] : [];
}

function hasUnknown(prose: string, known: FindKnownAddress): boolean {
  return addressesOf(prose, known).some((address) => address.known === null);
}

/** Marks host names that are not in `known`, like other unknown addresses. */
export function markUnknownHosts(text: string, known: readonly string[]): string {
  const unknown = new Set(unknownHosts(proseOf(text), known));
  const form = unknownForm(text);
  return mapProse(text, (prose) => replaceHosts(prose, (name) => (unknown.has(name) ? form(name) : null)));
}

function unknownHosts(text: string, known: readonly string[]): string[] {
  const names = hostNames(text).map(({ name }) => name);
  const plain = names.length === 0 ? "" : plainHosts(known.join("\n"));
  return names.filter((name) => !isNamedIn(plain, name));
}

const DOI = String.raw`10\.\d{4,9}\/[^\s"'”’<>\])）】，。；]*[^\s"'”’<>\])）】，。；.,;:!?]`;
const ID = [
  String.raw`\b(?:doi|DOI)\s?[:：]\s?${DOI}|(?<![\w./])${DOI}`,
  String.raw`\bar[Xx]iv\s?[:：]\s?[\w.\/-]*\w`,
  String.raw`\b(?:PMID|PMCID|pmid)\s?[:：]\s?(?:PMC)?\d+`,
  String.raw`\bS[0-9a-f]{12}\b`,
].join("|");
const IDS = new RegExp(String.raw`(?:[[【(（]\s?)?(?:${ID})(?:\s?[:：]\s?["“”][^"“”\n]{0,2000}["“”])?(?:\s?[\])）】])?`, "g");
const CORE = new RegExp(String.raw`${DOI}|\d{4}\.\d{4,5}|[\w.-]+\/\d{7}|S[0-9a-f]{12}|\d{5,}`);

/** Removes ids of publications (DOI, arXiv, PubMed) and of sources that are not in `known`. Code stays as it is. */
export function stripUnknownIds(text: string, known: readonly string[]): string {
  const replace = (whole: string): string => {
    const core = CORE.exec(whole)?.[0] ?? whole;
    if (known.some((one) => one.toLowerCase().includes(core.toLowerCase()))) return whole;
    return /^S[0-9a-f]{12}$/.test(core) ? "" : "[id removed]";
  };
  return mapProse(text, (prose) => prose.replaceAll(IDS, replace));
}

/** Whether `text` has a number, date, address, host name or name with digits that is not in `known`. */
export function hasUnknownDetails(text: string, known: readonly string[]): boolean {
  return createDetailCheck(known)(text);
}

/** `hasUnknownDetails` for many texts. Reads `known` once. */
export function createDetailCheck(known: readonly string[]): (text: string) => boolean {
  const hasUnknownAddress = createAddressCheck(known);
  const figures = readSources(known, known);
  return (text) => hasUnknownAddress(text) || missingIn(text, figures).length > 0;
}

function createAddressCheck(known: readonly string[]): (text: string) => boolean {
  const addresses = createKnownAddresses(known.flatMap(addressesIn));
  const hosts = plainHosts(known.join("\n"));
  return (text) => isMarked(text) || hasUnknown(text, addresses) || hostNames(text).some(({ name }) => !isNamedIn(hosts, name));
}

interface Known {
  readonly texts: readonly string[];
  readonly addresses: readonly string[];
  /** They may have numbers, dates and names with digits. They are read only as far as needed. */
  readonly documents: readonly string[];
}

/** Returns the lines without unknown details. */
export function keepKnownLines(lines: readonly string[], { texts: known, addresses, documents }: Known): string[] {
  const hasUnknownAddress = createAddressCheck([...known, ...addresses]);
  const missingFrom = (line: string, texts: readonly string[]): Set<string> =>
    new Set(missingIn(line, readSources(texts, texts)).map(({ text }) => text));
  const kept: string[] = [];
  for (const line of lines) {
    if (hasUnknownAddress(line)) continue;
    let missing = missingFrom(line, known);
    for (const part of partsOf(documents)) {
      if (missing.size === 0) break;
      missing = missing.intersection(missingFrom(line, [part]));
    }
    if (missing.size === 0) kept.push(line);
  }
  return kept;
}

/** Documents are read again for each line with a figure that is not known. */
export const KNOWN_LINES = computation(
  import.meta.url,
  keepKnownLines,
  (lines, { documents }) => lines.length * documents.reduce((sum, { length }) => sum + length, 0),
  20_000,
);

/** In UTF-16 code units. The rest of longer documents is not read. */
const MAX_READ = 1_000_000;
const PART_LENGTH = 20_000;
/** Parts overlap, so that no figure is cut in all of them. */
const OVERLAP = 200;

function* partsOf(documents: readonly string[]): Generator<string> {
  let room = MAX_READ;
  for (const text of documents)
    for (let start = 0; start < text.length && room > 0; start += PART_LENGTH, room -= PART_LENGTH)
      yield text.slice(start, start + PART_LENGTH + OVERLAP);
}

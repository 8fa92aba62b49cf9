import { mapProse, proseOf } from "../util/code-spans.ts";
import { resolveEntities } from "./address-detection.ts";
import { addressesIn, addressesOf, isMarked, unknownForm } from "./address-filter.ts";
import { missingIn, readSources } from "./figures/check-figures.ts";
import { createKnownAddresses, type FindKnownAddress } from "./known-addresses.ts";

const ENDING =
  "(?:com|org|net|io|cn|example|edu|gov|mil|info|biz|dev|app|ai|eu|uk|de|fr|jp|ru|cc|tk|xyz|icu|vip|shop|site|club|online|onion|test|invalid)";
/** Scripts without spaces: a host name follows their words directly. */
const WORD = String.raw`[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]`;
const MAX_HOSTS = 20;
/** A host name without a scheme, such as `example.com`. */
const HOST = new RegExp(
  String.raw`(?<![${WORD}\p{M}@.\/_\-])(?:${WORD}[${WORD}\p{M}\-]{0,62}\.){1,6}${ENDING}(?![\p{sc=Latin}\p{N}_\-]|\.\p{sc=Latin})`,
  "giv",
);

/** Returns the host names of a text that none of the texts in `known` has. */
export function unknownHosts(text: string, known: readonly string[]): string[] {
  const names = resolveEntities(text).text.match(HOST) ?? [];
  const plain = names.length === 0 ? "" : resolveEntities(known.join("\n")).text.toLowerCase();
  return names.filter((name) => !plain.includes(name.toLowerCase().replace(/^www\./, "")));
}

/** Returns the host names that neither `texts` nor `addresses` contain. Other unknown addresses give one fixed entry. */
export function unknownAddresses(sentence: string, texts: readonly string[], addresses: readonly string[]): string[] {
  const prose = proseOf(sentence);
  if (!hasUnknown(prose, () => null) && unknownHosts(prose, []).length === 0) return [];
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
  return mapProse(text, (prose) => prose.replaceAll(HOST, (name) => (unknown.has(name) ? form(name) : name)));
}

/** Returns a check whether a text has a number, date, address or host name that is not in `known`. */
export function createDetailCheck(known: readonly string[]): (text: string) => boolean {
  const figures = readSources(known, known);
  return (text) => isMarked(text) || unknownAddresses(text, known, []).length > 0 || missingIn(text, figures).length > 0;
}

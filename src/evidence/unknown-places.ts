import { stripUnknownAddresses } from "./address-filter.ts";
import { addressesIn } from "./addresses-in.ts";

const HOST =
  /(?<![\p{sc=Latin}\p{N}@./_-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,6}(?:com|org|net|io|cn|example|edu|gov|info|biz|dev|app|ai|eu|uk|de|fr|jp|ru|test|invalid)(?![\p{sc=Latin}\p{N}_-]|\.\p{sc=Latin})/giu;
const REMOVED = "[address removed]";
const MOST_NAMED = 20;

/**
 * The addresses and names of hosts in `sentence` that stand in none of `texts` (its quotes, the question, titles) and that are not those
 * of `addresses`, which sources have. Of an address that is hidden in a link or by escapes only a mark is named.
 */
export function unknownPlaces(sentence: string, texts: readonly string[], addresses: readonly string[]): string[] {
  const known = [...addresses, ...texts.flatMap(addressesIn)];
  const there = [...known, ...texts].join("\n").toLowerCase();
  const hosts = [...sentence.matchAll(HOST)]
    .map(({ 0: host }) => host)
    .filter((host) => !there.includes(host.toLowerCase().replace(/^www\./, "")));
  if (hosts.length > 0) return [...new Set(hosts)].slice(0, MOST_NAMED);
  const count = (text: string): number => text.split(REMOVED).length;
  return count(stripUnknownAddresses(sentence, known)) > count(sentence) ? ["an address that no source has"] : [];
}

/** `text` without the names of hosts that stand in none of `known`: texts and addresses. */
export function withoutUnknownHosts(text: string, known: readonly string[]): string {
  const there = known.join("\n").toLowerCase();
  return text.replaceAll(HOST, (host) => (there.includes(host.toLowerCase().replace(/^www\./, "")) ? host : REMOVED));
}

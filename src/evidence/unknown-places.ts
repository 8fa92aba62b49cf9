import { stripUnknownAddresses } from "./address-filter.ts";
import { addressesIn } from "./addresses-in.ts";
import { hostNames, isNamedIn, plainHosts } from "./host-names.ts";

const REMOVED = "[address removed]";
const MOST_NAMED = 20;

/**
 * The addresses and names of hosts in `sentence` that stand in none of `texts` (its quotes, the question, titles) and that are not those
 * of `addresses`, which sources have. Of an address that is hidden in a link or by escapes only a mark is named.
 */
export function unknownPlaces(sentence: string, texts: readonly string[], addresses: readonly string[]): string[] {
  const known = [...addresses, ...texts.flatMap(addressesIn)];
  const named = hostNames(sentence);
  const there = named.length === 0 ? "" : plainHosts([...known, ...texts].join("\n"));
  const hosts = named.map(({ name }) => name).filter((name) => !isNamedIn(there, name));
  if (hosts.length > 0) return [...new Set(hosts)].slice(0, MOST_NAMED);
  const count = (text: string): number => text.split(REMOVED).length;
  return count(stripUnknownAddresses(sentence, known)) > count(sentence) ? ["an address that no source has"] : [];
}

/** `text` without the names of hosts that stand in none of `known`: texts and addresses. */
export function withoutUnknownHosts(text: string, known: readonly string[]): string {
  const named = hostNames(text);
  if (named.length === 0) return text;
  const there = plainHosts(known.join("\n"));
  let from = 0;
  const kept = named.flatMap(({ name, start, end }) => {
    if (isNamedIn(there, name)) return [];
    const before = text.slice(from, start);
    from = end;
    return [before, REMOVED];
  });
  return [...kept, text.slice(from)].join("");
}

import { stripUnknownAddresses } from "./address-filter.ts";
import { addressesIn } from "./addresses-in.ts";
import { missingFigures } from "./figures/check-figures.ts";
import { hostNames, isNamedIn, plainHosts } from "./host-names.ts";

const REMOVED = "[address removed]";

/**
 * Whether `text`, which cites nothing, states something that none of `known` does: a number, a date, an address, the bare name of a
 * host, or a name with digits. A text from which an address has been taken brought one.
 */
export function bringsNew(text: string, known: readonly string[]): boolean {
  if (text.includes(REMOVED) || stripUnknownAddresses(text, known.flatMap(addressesIn)) !== text) return true;
  const there = plainHosts(known.join("\n"));
  if (hostNames(text).some(({ name }) => !isNamedIn(there, name))) return true;
  return missingFigures(text, known, known).length > 0;
}

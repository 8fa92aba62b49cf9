import type { TextFilter } from "../domain/text-filter.ts";
import { createAddressFilter } from "./address-filter.ts";
import { createMarkerFilter } from "./marker-filter.ts";
import { isCitation } from "./markers.ts";

/**
 * What readers are shown of a model's words while nobody has verified them: without citations, and without the addresses that are not
 * `known`. `prefixes` begin ids that mean a citation in any bracket.
 */
export function createShownText(known: readonly string[], prefixes: readonly string[] = []): TextFilter {
  const meant = new Set(["P", ...prefixes]);
  const markers = createMarkerFilter((id, square) => isCitation(id, square, meant));
  // Addresses come last: what a citation parted may come together as one.
  const addresses = createAddressFilter(known);
  return { push: (piece) => addresses.push(markers.push(piece)), end: () => addresses.push(markers.end()) + addresses.end() };
}

/** A whole text of a model as readers see it; see `createShownText`. */
export function shownText(text: string, known: readonly string[]): string {
  const filter = createShownText(known);
  return filter.push(text) + filter.end();
}

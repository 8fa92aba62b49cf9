import { addressOf, type Hit } from "../domain/hit.ts";
import { canonicalUrl } from "../ranking/canonical-url.ts";

/** Returns the key under which a run reads an address once. All spellings of a web address have the same key. */
export function readKeyOf(address: string): string {
  return /^https?:/i.test(address) ? canonicalUrl(address) : address;
}

/** Returns the key of what is downloaded for a hit. */
export function readKeyOfHit(hit: Pick<Hit, "url" | "publication">): string {
  return readKeyOf(addressOf(hit));
}

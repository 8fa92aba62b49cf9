import { z } from "zod";

/** Longer addresses are not followed by anything; in UTF-16 code units. */
export const MAX_ADDRESS = 8_000;
/** What an engine has on its own site. */
const RELATIVE = /^\/(?![/\\])/;
const WEB_ADDRESS = /^https?:\/\//i;

/**
 * The address of a hit, whatever it leads to: what must not be followed is refused, and recorded, where it would be
 * fetched. Of one that is too long the beginning is kept, and a mark that makes it too long still.
 */
export const FoundAddressSchema = z
  .string()
  .min(1)
  .refine((address) => !RELATIVE.test(address), "not an address")
  .transform((address) => (address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS).toWellFormed()}…` : address));

/** Whether an address can be a page of the web. */
export function isWebAddress(address: string): boolean {
  return WEB_ADDRESS.test(address);
}

import { withoutClosing } from "./address-filter.ts";
import { addressStart, rendered } from "./address-words.ts";

/** What ends an address in a text of people, and what stands around one. */
const BETWEEN = /[\s<>"|`，。；：！？、（）「」『』《》〈〉【】“”‘’…]+|\]\(/;
const MAX_ADDRESSES = 20;

/** The addresses of the web that a user wrote, which need not be kept from that user; nothing else that leads somewhere. */
export function addressesIn(text: string): string[] {
  return text
    .split(BETWEEN)
    .flatMap((word) => {
      const plain = rendered(word).text;
      const start = addressStart(plain, 0);
      const address = start < 0 ? "" : withoutClosing(plain.slice(start));
      if (/^https?:\/\//i.test(address)) return [address];
      return address === "" || /^[a-z][a-z0-9+.-]*:|^[\\/]|@/i.test(address) ? [] : [`https://${address}`];
    })
    .slice(0, MAX_ADDRESSES);
}

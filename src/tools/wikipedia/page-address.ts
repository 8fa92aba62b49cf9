import { hostOf } from "./editions.ts";

/** Characters that MediaWiki leaves as they are in the addresses of pages. */
const LEFT_ALONE = /%(?:24|2C|2F|3A|3B|40)/g;

/** The canonical address of a page, or its address in a variant of the script. */
export function addressOf(language: string, title: string, variant = "wiki"): string {
  const name = encodeURIComponent(title.toWellFormed().replaceAll(" ", "_"))
    .replaceAll(LEFT_ALONE, decodeURIComponent)
    .replaceAll("'", "%27");
  return `https://${hostOf(language)}/${variant}/${name}`;
}

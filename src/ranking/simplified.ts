import { Locale } from "opencc-js/t2cn";

/** The first ideograph of Unicode's Basic Multilingual Plane that OpenCC converts; most texts have none. */
const IDEOGRAPH = /[\u3400-\u9fff]/;
/** Variants in Taiwan, but Simplified characters of their own. */
const NOT_VARIANTS = "么著";
let table: Uint16Array | undefined;

/**
 * `text` with every Traditional character, also those of Taiwan and Hong Kong, as the Simplified one (OpenCC's tables of characters). The
 * result has the length of `text` in UTF-16 code units, so an offset in one is an offset in the other. For comparing texts, not for
 * showing them: it converts characters, not words, so Taiwan's 計畫 becomes 计画, not 计划.
 */
export function toSimplified(text: string): string {
  const first = text.search(IDEOGRAPH);
  if (first < 0) return text;
  table ??= createTable();
  let simplified = "";
  let copied = 0;
  for (let at = first; at < text.length; at++) {
    const mapped = table[text.charCodeAt(at)] ?? 0;
    if (mapped === 0) continue;
    simplified += text.slice(copied, at) + String.fromCharCode(mapped);
    copied = at + 1;
  }
  return copied === 0 ? text : simplified + text.slice(copied);
}

/** For each UTF-16 code unit the one that replaces it, or 0; conversions that need two code units are left out. */
function createTable(): Uint16Array {
  const simplified = new Map(charactersOf(Locale.to["cn"]));
  for (const [variant, standard] of [...charactersOf(Locale.from["tw"]), ...charactersOf(Locale.from["hk"])]) {
    const target = simplified.get(standard) ?? standard;
    if (!simplified.has(variant) && target !== variant && !NOT_VARIANTS.includes(variant)) simplified.set(variant, target);
  }
  const units = new Uint16Array(0x10000);
  // A few Simplified characters are themselves the Traditional form of another (薴 苧 苎).
  for (const [from, to] of simplified) units[from.charCodeAt(0)] = (simplified.get(to) ?? to).charCodeAt(0);
  return units;
}

/** The entries of one code unit for one of dictionaries in OpenCC's form, `裡 里|這裡 这里`; entries for words are left out. */
function charactersOf(groups: readonly (readonly string[])[] = []): [string, string][] {
  const entries = groups.flat().flatMap((dictionary) => dictionary.split("|").map((entry) => entry.split(" ")));
  return entries.flatMap(([from = "", to = ""]): [string, string][] => (from.length === 1 && to.length === 1 ? [[from, to]] : []));
}

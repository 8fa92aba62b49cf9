/** Raised, lowered and circled characters and fractions: another form of a digit is another meaning, so 9⁹ is not 99. */
const NO_VARIANT = /[\u00b2\u00b3\u00b9\u2070-\u209c\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u24ff\u2776-\u2793\u3248-\u325f\u32b1-\u32bf]/;
const RUNS = new RegExp(`${NO_VARIANT.source}+|[^${NO_VARIANT.source.slice(1, -1)}]+`, "g");

/** `text` in compatibility form (NFKC), all but for characters whose form says something else than the plain one. */
export function foldWidth(text: string): string {
  if (!NO_VARIANT.test(text)) return text.normalize("NFKC");
  return text.replaceAll(RUNS, (run) => (NO_VARIANT.test(run) ? run.normalize("NFC") : run.normalize("NFKC")));
}

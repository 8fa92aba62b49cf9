/** Reads a number as people type it: with full-width digits, a dollar sign or a decimal comma. NaN if it is none, or could be two. */
export function limitNumber(text: string): number {
  const plain = text
    .normalize("NFKC")
    .replaceAll(/\s/g, "")
    .replace(/^(?:US)?\$/i, "");
  // `1,000` is one thousand in some countries, and one in others.
  const decimal = /^\d+,\d{1,2}$/.test(plain) ? plain.replace(",", ".") : plain;
  return /^(?:\d+\.?\d*|\.\d+)$/.test(decimal) ? Number(decimal) : Number.NaN;
}

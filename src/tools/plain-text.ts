const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** Text out of a field of an API: without tags and entities, white space collapsed. Not for pages, which are extracted. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\0", "")
    .replaceAll(/<\/?[a-z][^<>]*>/gi, (tag) =>
      /^<\/?(?:b|i|em|strong|span|sub|sup|mark|jats:(?:italic|bold|sub|sup))\b/i.test(tag) ? "" : " ",
    )
    .replaceAll(/&(?:#(\d+)|#x([\da-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) => decodeEntity(whole, decimal, hex, name))
    .replaceAll(/\s+/g, " ")
    .trim();
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : null;
  if (code === null) return NAMED[name?.toLowerCase() ?? ""] ?? whole;
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
}

import { createRequire } from "node:module";

type SubsetFont = (
  font: Buffer,
  text: string,
  options: { readonly targetFormat: "truetype"; readonly keepFeatures: readonly string[]; readonly preserveNameIds: readonly number[] },
) => Promise<Buffer>;

/** HarfBuzz in WebAssembly; the package has no types. */
const subset: SubsetFont = createRequire(import.meta.url)("subset-font");

/**
 * What letters need to be put together: marks, kerning, ligatures, forms by language, and the syllables of Devanagari. Without the others,
 * such as forms for vertical lines and small capitals, a font has half the size.
 */
const FEATURES = (
  "ccmp locl mark mkmk kern rlig liga clig calt " +
  "nukt akhn rphf rkrf pref blwf half pstf vatu cjct pres abvs blws psts haln dist abvm blwm"
).split(" ");

/** Names that stay beside the usual ones: the licence, and where it is to be read. */
const NAMES = [13, 14];

/** The font (TrueType) with the glyphs of `text` alone, its names and rights as they were; the same input gives the same bytes. */
export function cutFont(font: Buffer, text: string): Promise<Buffer> {
  return subset(font, text, { targetFormat: "truetype", keepFeatures: FEATURES, preserveNameIds: NAMES });
}

import { fileURLToPath } from "node:url";
import { openSync } from "fontkit";

export type FontName = "latin" | "chinese";

const file = (packageName: string, name: string): string => fileURLToPath(new URL(`../fonts/${name}`, import.meta.resolve(packageName)));

/** The files of the fonts (SIL Open Font License 1.1): Noto Sans for Latin, Greek, Cyrillic, Devanagari, Noto Sans Hans for Chinese. */
export const FONT_FILES: Readonly<Record<FontName, { readonly normal: string; readonly bold: string }>> = {
  latin: {
    normal: file("@embedpdf/fonts-latin", "NotoSans-Regular.ttf"),
    bold: file("@embedpdf/fonts-latin", "NotoSans-Bold.ttf"),
  },
  chinese: {
    normal: file("@embedpdf/fonts-sc", "NotoSansHans-Regular.otf"),
    bold: file("@embedpdf/fonts-sc", "NotoSansHans-Bold.otf"),
  },
};

/** The code points that a font has letters for, in both weights. */
export function lettersOf(name: FontName): ReadonlySet<number> {
  const font = openSync(FONT_FILES[name].normal);
  return new Set("characterSet" in font ? font.characterSet : []);
}

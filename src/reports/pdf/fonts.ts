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

/** The code points that both weights of a font have letters for. */
export function lettersOf(name: FontName): ReadonlySet<number> {
  const { normal, bold } = FONT_FILES[name];
  const both = setOf(bold);
  return new Set([...setOf(normal)].filter((letter) => both.has(letter)));
}

function setOf(path: string): Set<number> {
  const font = openSync(path);
  return new Set("characterSet" in font ? font.characterSet : []);
}

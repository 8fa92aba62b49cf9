import { fileURLToPath } from "node:url";
import { openSync } from "fontkit";

export type FontName = "latin" | "chinese";

type Face = "normal" | "bold" | "italics" | "bolditalics";

interface Typeface {
  readonly family: string;
  readonly files: Readonly<Record<Face, string>>;
}

const file = (packageName: string, path: string): string => fileURLToPath(new URL(path, import.meta.resolve(packageName)));
const latin = (name: string): string => file("@embedpdf/fonts-latin", `../fonts/NotoSans-${name}.ttf`);
const chinese = (name: string): string => file("@expo-google-fonts/noto-sans-sc", `./${name}.ttf`);

const UPRIGHT = chinese("400Regular/NotoSansSC_400Regular");
const UPRIGHT_BOLD = chinese("700Bold/NotoSansSC_700Bold");

/** Noto Sans (Latin, Greek, Cyrillic, Devanagari) and Noto Sans SC: TrueType, SIL Open Font License 1.1, may be embedded (`fsType` 0). */
export const FONTS: Readonly<Record<FontName, Typeface>> = {
  latin: {
    family: "Noto Sans",
    files: { normal: latin("Regular"), bold: latin("Bold"), italics: latin("Italic"), bolditalics: latin("BoldItalic") },
  },
  chinese: {
    family: "Noto Sans SC",
    files: { normal: UPRIGHT, bold: UPRIGHT_BOLD, italics: UPRIGHT, bolditalics: UPRIGHT_BOLD },
  },
};

/** Returns the code points of a font. All its faces have the same. */
export function characterSetOf(name: FontName): ReadonlySet<number> {
  const font = openSync(FONTS[name].files.normal);
  return new Set("characterSet" in font ? font.characterSet : []);
}

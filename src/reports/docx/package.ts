import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { strFromU8, strToU8, type Zippable, zipSync } from "fflate";
import { characterSetOf, FACES, type Face, FONTS, type FontName } from "../fonts.ts";

/** The embedded fonts have this bullet. They lack the default bullet of the docx library. */
export const BULLET = "•";

type Parts = Readonly<Record<string, Uint8Array>>;

/** The earliest date in a ZIP file; it does not depend on the time zone. */
const ARCHIVE_DATE = new Date(1980, 0, 1);

/** Zips the parts of a DOCX so that equal parts give equal bytes: numbers random relationship ids in order, and sets dates to `date`. */
export function makeDeterministic(parts: Parts, date: string): Uint8Array {
  const ids = new Map<string, string>();
  const number = (id: string): string => {
    const known = ids.get(id) ?? `rIdLink${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const packed: Zippable = {};
  for (const name of Object.keys(parts).sort(contentTypesFirst)) {
    const part = parts[name] ?? new Uint8Array();
    packed[name] = [/\.(?:xml|rels)$/.test(name) ? strToU8(normalizeXml(strFromU8(part), number, date)) : part, { mtime: ARCHIVE_DATE }];
  }
  return zipSync(packed, { level: 6 });
}

function normalizeXml(xml: string, number: (id: string) => string, date: string): string {
  return xml
    .replace(/(?<=\b(?:r:id|Id)=")rId[a-z0-9_-]{21}(?=")/g, number)
    .replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, (_, tag: string) => `${tag}${date}`);
}

function contentTypesFirst(a: string, b: string): number {
  const rank = (name: string) => (name === "[Content_Types].xml" ? 0 : 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

const ELEMENTS: Readonly<Record<Face, string>> = {
  normal: "embedRegular",
  bold: "embedBold",
  italics: "embedItalic",
  bolditalics: "embedBoldItalic",
};
/** Windows character sets: Western, Simplified Chinese. */
const CHARSETS: Readonly<Record<FontName, string>> = { latin: "00", chinese: "86" };
const FONT_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/font";
/** The number of obfuscated bytes at the start of an embedded font (ECMA-376 part 4, 2.8.1). */
const OBFUSCATED_BYTES = 32;

interface EmbeddedFont {
  readonly font: FontName;
  readonly face: Face;
  readonly bytes: Uint8Array;
}

/** Embeds fonts with the needed characters only. The docx library uses random keys and needs the fonts before the text. */
export async function embedFonts(parts: Parts): Promise<Parts> {
  const fonts = await subsetFonts(parts);
  const relations = fonts.map(
    (_, index) => `<Relationship Id="rId${index + 1}" Type="${FONT_RELATION}" Target="fonts/font${index + 1}.odttf"/>`,
  );
  const files = fonts.map(({ bytes }, index) => [`word/fonts/font${index + 1}.odttf`, obfuscate(bytes, keyOf(bytes))] as const);
  return {
    ...parts,
    "word/fontTable.xml": edit(parts["word/fontTable.xml"], /(<w:fonts [^>]*)\/>/, (_, open) => `${open}>${fontTable(fonts)}</w:fonts>`),
    "word/_rels/fontTable.xml.rels": edit(
      parts["word/_rels/fontTable.xml.rels"],
      /(<Relationships [^>]*)\/>/,
      (_, open) => `${open}>${relations.join("")}</Relationships>`,
    ),
    // Word keeps embedded fonts on saving only with these settings.
    "word/settings.xml": edit(parts["word/settings.xml"], /(?=<w:defaultTabStop )/, () => "<w:embedTrueTypeFonts/><w:saveSubsetFonts/>"),
    ...Object.fromEntries(files),
  };
}

async function subsetFonts(parts: Parts): Promise<EmbeddedFont[]> {
  const characters = charactersByFace(parts);
  const latin = characterSetOf("latin");
  const chinese = characterSetOf("chinese");
  const fonts: EmbeddedFont[] = [];
  for (const [path, { font, face, text }] of facesByFile(characters)) {
    const letters = font === "latin" ? latin : chinese;
    const had = [...text].filter((character) => letters.has(codeOf(character)));
    const needed = font === "latin" ? had : had.filter((character) => !latin.has(codeOf(character)));
    if (needed.length > 0) fonts.push({ font, face, bytes: await subset(await readFile(path), had.toSorted().join(""), SUBSET) });
  }
  return fonts;
}

/** Returns the characters that each font file must have. A file that serves two faces is embedded once, as the first face. */
function facesByFile(characters: ReadonlyMap<Face, ReadonlySet<string>>) {
  const files = new Map<string, { readonly font: FontName; readonly face: Face; readonly text: Set<string> }>();
  for (const font of ["latin", "chinese"] as const) {
    for (const face of FACES) {
      const path = FONTS[font].files[face];
      const file = files.get(path) ?? { font, face, text: new Set<string>() };
      for (const character of characters.get(face) ?? []) file.text.add(character);
      files.set(path, file);
    }
  }
  return files;
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

function fontTable(fonts: readonly EmbeddedFont[]): string {
  const numbered = fonts.map((font, index) => ({ ...font, id: `rId${index + 1}` }));
  return [...Map.groupBy(numbered, ({ font }) => font)]
    .map(([font, faces]) => {
      const files = faces.map(({ id, face, bytes }) => `<w:${ELEMENTS[face]} r:id="${id}" w:fontKey="{${keyOf(bytes)}}" w:subsetted="1"/>`);
      const about = `<w:charset w:val="${CHARSETS[font]}"/><w:family w:val="swiss"/><w:pitch w:val="variable"/>`;
      return `<w:font w:name="${FONTS[font].family}">${about}${files.join("")}</w:font>`;
    })
    .join("");
}

function keyOf(font: Uint8Array): string {
  const digits = createHash("sha256").update(font).digest("hex").toUpperCase();
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20, 32)].join("-");
}

function obfuscate(font: Uint8Array, key: string): Uint8Array {
  const bytes = Buffer.from(key.replaceAll("-", ""), "hex").reverse();
  return font.map((byte, index) => (index < OBFUSCATED_BYTES ? byte ^ (bytes[index % bytes.length] ?? 0) : byte));
}

function edit(part: Uint8Array | undefined, place: RegExp, replace: (match: string, ...groups: string[]) => string): Uint8Array {
  return strToU8(strFromU8(part ?? new Uint8Array()).replace(place, replace));
}

type SubsetFont = (
  font: Buffer,
  text: string,
  options: { readonly targetFormat: "truetype"; readonly keepFeatures: readonly string[]; readonly preserveNameIds: readonly number[] },
) => Promise<Buffer>;

/** The package, HarfBuzz in WebAssembly, has no type declarations. */
const subset: SubsetFont = createRequire(import.meta.url)("subset-font");

/** OpenType features that text needs: marks, kerning, ligatures, local forms, Devanagari. Dropping the others halves the font's size. */
const FEATURES = (
  "ccmp locl mark mkmk kern rlig liga clig calt " +
  "nukt akhn rphf rkrf pref blwf half pstf vatu cjct pres abvs blws psts haln dist abvm blwm"
).split(" ");

/** Ids in the font's name table that are kept besides the usual ones: the license and its address. */
const NAMES = [13, 14];
const SUBSET = { targetFormat: "truetype", keepFeatures: FEATURES, preserveNameIds: NAMES } as const;

const TEXTS = /^word\/(?:document|footnotes|header\d+|footer\d+)\.xml$/;
const STYLE = /<w:style [^>]*w:styleId="([^"]+)"[^>]*>(.*?)<\/w:style>/gs;
const STYLE_OF = /<w:[pr]Style w:val="([^"]+)"\/>/g;
const RUN = /<w:r(?: [^>]*)?>(.*?)<\/w:r>/gs;
const TEXT = /<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g;
const SET_BY_WORD = `0123456789${BULLET}`;

function charactersByFace(parts: Parts): ReadonlyMap<Face, ReadonlySet<string>> {
  const styles = strFromU8(parts["word/styles.xml"] ?? new Uint8Array());
  const looks = new Map([...styles.matchAll(STYLE)].map(([, id = "", style = ""]) => [id, lookOf(style)]));
  const characters = new Map(FACES.map((face) => [face, new Set<string>()]));
  const add = (face: Face, text: string) => {
    for (const character of plain(text) + plain(text).normalize("NFC")) characters.get(face)?.add(character);
  };
  add("normal", SET_BY_WORD);
  for (const [name, part] of Object.entries(parts)) {
    if (TEXTS.test(name)) for (const [face, text] of runsOf(strFromU8(part), looks)) add(face, text);
  }
  return characters;
}

interface Look {
  readonly bold: boolean;
  readonly italic: boolean;
}

function lookOf(xml: string): Look {
  return { bold: xml.includes("<w:b/>"), italic: xml.includes("<w:i/>") };
}

function runsOf(xml: string, looks: ReadonlyMap<string, Look>): [Face, string][] {
  return xml.split("</w:p>").flatMap((paragraph) => {
    const [properties = ""] = /<w:pPr>.*?<\/w:pPr>/s.exec(paragraph) ?? [];
    return [...paragraph.matchAll(RUN)].map(([run]): [Face, string] => {
      const named = [properties, run].flatMap((part) => [...part.matchAll(STYLE_OF)].map(([, id = ""]) => looks.get(id)));
      const all = [lookOf(run), ...named];
      const bold = all.some((look) => look?.bold === true);
      const italic = all.some((look) => look?.italic === true);
      return [faceOf(bold, italic), [...run.matchAll(TEXT)].map(([, text]) => text).join("")];
    });
  });
}

function faceOf(bold: boolean, italic: boolean): Face {
  if (bold) return italic ? "bolditalics" : "bold";
  return italic ? "italics" : "normal";
}

function plain(xml: string): string {
  return xml.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

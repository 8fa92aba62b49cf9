import { XMLParser } from "fast-xml-parser";
import { strFromU8, unzipSync } from "fflate";
import { create, type Font } from "fontkit";
import { afterAll, describe, expect, it } from "vitest";
import type { ReportedRun } from "../../src/domain/ports/run-service.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { QUOTED } from "../helpers/claims.ts";
import { partsOf } from "./extract-docx.ts";
import { sampleRun } from "./sample-run.ts";

const files = createReportFiles({ program: "dossier 0.1.0" });
afterAll(() => files.close());
const make = (run: ReportedRun) => files.render(run, "docx", new AbortController().signal);

/** Returns the deobfuscated font files of the families, as the document's font list refers to them. */
function fontsIn(bytes: Uint8Array): Map<string, Font> {
  const parts = unzipSync(bytes);
  const table = strFromU8(parts["word/fontTable.xml"] ?? new Uint8Array());
  const relations = strFromU8(parts["word/_rels/fontTable.xml.rels"] ?? new Uint8Array());
  return new Map(
    [...table.matchAll(/<w:font w:name="([^"]+)">(.*?)<\/w:font>/g)].flatMap(([, family = "", faces = ""]) =>
      [...faces.matchAll(/<w:(embed\w+) r:id="([^"]+)" w:fontKey="\{([0-9A-F-]{36})\}" w:subsetted="1"\/>/g)].map(
        ([, element = "", id = "", key = ""]): [string, Font] => {
          const target = new RegExp(`Id="${id}"[^>]* Target="([^"]+)"`).exec(relations)?.[1] ?? "";
          return [`${family} ${element}`, fontOf(shown(parts[`word/${target}`] ?? new Uint8Array(), key))];
        },
      ),
    ),
  );
}

/** Each of the first 32 bytes is XORed with one of the key, in reverse order (ECMA-376 part 4, 2.8.1). */
function shown(hidden: Uint8Array, key: string): Uint8Array {
  const digits = key.replaceAll("-", "");
  return hidden.map((byte, index) => {
    const at = 30 - 2 * (index % 16);
    return index < 32 ? byte ^ Number.parseInt(digits.slice(at, at + 2), 16) : byte;
  });
}

function fontOf(bytes: Uint8Array): Font {
  const font = create(Buffer.from(bytes));
  if (!("characterSet" in font)) throw new Error("It is a collection of fonts.");
  return font;
}

/** Returns the letters of every paragraph by whether they are bold or italic; computed differently than the program does. */
function lettersIn(bytes: Uint8Array): Map<string, Set<string>> {
  const letters = new Map<string, Set<string>>();
  const parser = new XMLParser({
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
    isArray: (name) => /^w:[pr]$/.test(name),
  });
  for (const [name, xml] of Object.entries(partsOf(bytes))) {
    if (!/^word\/(?:document|footnotes|footer\d)\.xml$/.test(name)) continue;
    for (const paragraph of find(parser.parse(xml), "w:p")) {
      const style = String(find(paragraph, "w:pStyle").map((one) => get(one, "@_w:val"))[0] ?? "");
      for (const run of find(paragraph, "w:r")) {
        const on = (tag: string) => find(run, tag).some((value) => get(value, "@_w:val") !== "false");
        const face = `${on("w:b") || /^(?:Title|Heading[12])$/.test(style) ? "Bold" : ""}${on("w:i") ? "Italic" : ""}` || "Regular";
        const text = find(run, "w:t").map((one) => (typeof one === "string" ? one : String(get(one, "#text") ?? "")));
        letters.set(face, new Set([...(letters.get(face) ?? []), ...text.join("")]));
      }
    }
  }
  return letters;
}

function get(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Returns everything with a name in parsed XML, except inside a match. */
function find(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => find(one, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === name ? [inner].flat() : find(inner, name)));
}

/** Returns the characters that no embedded font has, by font face. There are no Chinese italics: the upright letters are slanted. */
function missingIn(bytes: Uint8Array): Record<string, string> {
  const fonts = fontsIn(bytes);
  const missing = [...lettersIn(bytes)].map(([face, letters]) => {
    const chinese = { Regular: "Regular", Bold: "Bold", Italic: "Regular", BoldItalic: "Bold" }[face] ?? face;
    const faces = [fonts.get(`Noto Sans embed${face}`), fonts.get(`Noto Sans SC embed${chinese}`)];
    return [face, [...letters].filter((letter) => !faces.some((font) => has(font, letter))).join("")];
  });
  return Object.fromEntries(missing);
}

function has(font: Font | undefined, letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  // A space has no outline; every other character with a glyph has one.
  return font?.hasGlyphForCodePoint(code) === true && (/\s/u.test(letter) || font.glyphForCodePoint(code).path.commands.length > 0);
}

describe("the fonts of a DOCX report", () => {
  it("contain every character of the document, each in the face that sets it", async () => {
    const bytes = await make(sampleRun());
    expect([...lettersIn(bytes).keys()].toSorted()).toEqual(["Bold", "Regular"]);
    expect(lettersIn(bytes).get("Regular")?.size).toBeGreaterThan(200);
    expect(missingIn(bytes)).toEqual({ Bold: "", Regular: "" });
  });

  it("are the families that the styles name, each face in its own element, and embedding is allowed", async () => {
    const bytes = await make(sampleRun());
    const fonts = [...fontsIn(bytes)].map(([name, font]) => [name, font.familyName, font.subfamilyName, font["OS/2"].fsType]);
    const free = { noEmbedding: false, viewOnly: false, editable: false, noSubsetting: false, bitmapOnly: false };
    expect(fonts).toEqual([
      ["Noto Sans embedRegular", "Noto Sans", "Regular", free],
      ["Noto Sans embedBold", "Noto Sans", "Bold", free],
      ["Noto Sans SC embedRegular", "Noto Sans SC", "Regular", free],
      ["Noto Sans SC embedBold", "Noto Sans SC", "Bold", free],
    ]);
    const parts = partsOf(bytes);
    const named = new Set(
      [...(parts["word/styles.xml"] ?? "").matchAll(/<w:rFonts ([^>]*)\/>/g)].flatMap(([, names = ""]) =>
        [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => name),
      ),
    );
    expect(named).toEqual(new Set(["Noto Sans", "Noto Sans SC"]));
    expect(parts["word/settings.xml"]).toContain("<w:embedTrueTypeFonts/><w:saveSubsetFonts/><w:defaultTabStop");
    expect(parts["[Content_Types].xml"]).toContain(
      'ContentType="application/vnd.openxmlformats-officedocument.obfuscatedFont" Extension="odttf"',
    );
  });

  it("are TrueType, obfuscated with their keys, and contain only the used letters", async () => {
    const bytes = await make(sampleRun());
    const parts = Object.entries(unzipSync(bytes)).filter(([name]) => name.endsWith(".odttf"));
    expect(parts.map(([name]) => name)).toEqual([1, 2, 3, 4].map((number) => `word/fonts/font${number}.odttf`));
    for (const [, part] of parts) expect([...part.slice(0, 4)]).not.toEqual([0, 1, 0, 0]);
    for (const font of fontsIn(bytes).values())
      expect(font).toMatchObject({ directory: { tables: { glyf: {}, cmap: {}, name: {}, "OS/2": {} } } });
    expect(bytes.length).toBeLessThan(120_000);
  });

  it("omit the Chinese one if no text needs it", async () => {
    const run = sampleRun("What grew?");
    const claims = [
      {
        text: "Revenue grew — “by 3 %” — in Ústí.",
        citations: [],
        ...QUOTED,
        section: "",
        origins: 1,
      },
    ];
    const report = { ...run.report, claims, citations: [], sources: [], ledger: [] };
    const bytes = await make({ ...run, language: "en", report });
    expect([...fontsIn(bytes).keys()]).toEqual(["Noto Sans embedRegular", "Noto Sans embedBold"]);
    expect(missingIn(bytes)).toEqual({ Bold: "", Regular: "" });
    expect(partsOf(bytes)["word/numbering.xml"]).toContain('<w:lvlText w:val="•"/>');
    for (const letter of "0123456789•") expect(has(fontsIn(bytes).get("Noto Sans embedRegular"), letter)).toBe(true);
  });

  it("lack the characters that neither family has, which Word sets in its own fonts; combining marks are with their letters", async () => {
    const run = sampleRun();
    const text = "e\u0301 दिल्ली क्षेत्र 한국어 العربية 👩 𠮷 第";
    const claims = [{ text, citations: [], ...QUOTED, section: text, origins: 1 }];
    const bytes = await make({ ...run, report: { ...run.report, claims, citations: [], sources: [] } });
    expect(missingIn(bytes)).toEqual({ Bold: "한국어العربية👩𠮷", Regular: "한국어العربية👩𠮷" });
    const regular = fontsIn(bytes).get("Noto Sans embedRegular");
    expect(regular?.hasGlyphForCodePoint(0xe9)).toBe(true);
    // क + virama + ष is one glyph.
    expect(regular?.layout("क्ष").glyphs).toHaveLength(1);
  });
});

it("contain the bullet of every list", async () => {
  const run = sampleRun();
  const open = "How tall is it? Nothing was found.";
  const parts = unzipSync(await make({ ...run, report: { ...run.report, unanswered: [open] } }));
  const document = strFromU8(parts["word/document.xml"] ?? new Uint8Array());
  const lists = new Set(Array.from(document.matchAll(/<w:numId w:val="(\d+)"\/>/g), ([, id]) => id));
  expect(document).toContain(open);
  expect([...lists]).toHaveLength(1);
});

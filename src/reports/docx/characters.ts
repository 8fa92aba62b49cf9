import { strFromU8 } from "fflate";
import { FACES, type Face } from "../fonts.ts";
import { POINT } from "./list.ts";
import type { Parts } from "./settle.ts";

/** The parts of a package that have text. */
const TEXTS = /^word\/(?:document|footnotes|header\d+|footer\d+)\.xml$/;
const STYLE = /<w:style [^>]*w:styleId="([^"]+)"[^>]*>(.*?)<\/w:style>/gs;
const STYLE_OF = /<w:[pr]Style w:val="([^"]+)"\/>/g;
const RUN = /<w:r(?: [^>]*)?>(.*?)<\/w:r>/gs;
const TEXT = /<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g;
/** What Word sets by itself: the numbers of pages and footnotes, and the points of lists. */
const SET_BY_WORD = `0123456789${POINT}`;

/** The characters of a document for Word by the face that they are set in; as written, and composed as readers compose them. */
export function charactersByFace(parts: Parts): ReadonlyMap<Face, ReadonlySet<string>> {
  const looks = looksOf(strFromU8(parts["word/styles.xml"] ?? new Uint8Array()));
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

/** How the letters of each style look. */
function looksOf(styles: string): ReadonlyMap<string, Look> {
  return new Map([...styles.matchAll(STYLE)].map(([, id = "", style = ""]) => [id, lookOf(style)]));
}

/** What is off is written with a value, `<w:b w:val="false"/>`. */
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

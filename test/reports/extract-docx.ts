import { strFromU8, unzipSync } from "fflate";

/** The parts of a Word document with text. */
export function partsOf(bytes: Uint8Array): Record<string, string> {
  const parts = Object.entries(unzipSync(bytes, { filter: ({ name }) => /\.(?:xml|rels)$/.test(name) }));
  return Object.fromEntries(parts.map(([name, part]) => [name, strFromU8(part)]));
}

/** Returns the letters of a part of WordprocessingML, paragraph by paragraph. */
export function textOf(xml: string): string {
  const paragraphs = xml
    .split("</w:p>")
    .map((paragraph) => [...paragraph.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, text]) => text));
  return paragraphs.map((texts) => unescapeXml(texts.join(""))).join("\n");
}

function unescapeXml(text: string): string {
  return text
    .replaceAll("\u2060", "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}

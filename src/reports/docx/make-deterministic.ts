import { strFromU8, strToU8, type Zippable, zipSync } from "fflate";

/** The earliest date in a ZIP file; it does not depend on the time zone. */
const ARCHIVE_DATE = new Date(1980, 0, 1);

/** Zips the parts of a DOCX so that equal parts give equal bytes: numbers random relationship ids in order, and sets dates to `date`. */
export function makeDeterministic(parts: Readonly<Record<string, Uint8Array>>, date: string): Uint8Array {
  const ids = new Map<string, string>();
  const number = (id: string): string => {
    const known = ids.get(id) ?? `rIdLink${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const packed: Zippable = {};
  for (const [name, part] of Object.entries(parts)) {
    const isXml = /\.(?:xml|rels)$/.test(name);
    packed[name] = [isXml ? strToU8(normalizeXml(strFromU8(part), number, date)) : part, { mtime: ARCHIVE_DATE }];
  }
  return zipSync(packed);
}

function normalizeXml(xml: string, number: (id: string) => string, date: string): string {
  return xml
    .replace(/(?<=\b(?:r:id|Id)=")rId[a-z0-9_-]{21}(?=")/g, number)
    .replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, (_, tag: string) => `${tag}${date}`);
}

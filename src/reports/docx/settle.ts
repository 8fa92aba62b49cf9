import { strFromU8, strToU8, type Zippable, zipSync } from "fflate";

/** The files of a package by their names in it. */
export type Parts = Readonly<Record<string, Uint8Array>>;

/** The oldest date a ZIP archive can tell; an archive of the same parts is then the same, in every time zone. */
const ARCHIVE_DATE = new Date(1980, 0, 1);

/**
 * A package of these parts without what chance and the clock put into it: the random ids of its relationships become numbers in the
 * order in which they come, and its dates become `date`.
 */
export function settle(parts: Parts, date: string): Uint8Array {
  const ids = new Map<string, string>();
  const number = (id: string): string => {
    const known = ids.get(id) ?? `rIdLink${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const settled: Zippable = {};
  for (const name of Object.keys(parts).sort(contentTypesFirst)) {
    const part = parts[name] ?? new Uint8Array();
    settled[name] = [/\.(?:xml|rels)$/.test(name) ? strToU8(settleXml(strFromU8(part), number, date)) : part, { mtime: ARCHIVE_DATE }];
  }
  return zipSync(settled, { level: 6 });
}

function settleXml(xml: string, number: (id: string) => string, date: string): string {
  return xml
    .replace(/(?<=\b(?:r:id|Id)=")rId[a-z0-9_-]{21}(?=")/g, number)
    .replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, (_, tag: string) => `${tag}${date}`);
}

/** Some readers want the list of the parts before the parts. */
function contentTypesFirst(a: string, b: string): number {
  const rank = (name: string) => (name === "[Content_Types].xml" ? 0 : 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

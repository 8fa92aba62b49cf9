import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { parseXml, XmlText } from "../services/parse-xml.ts";

/** `errorlist` names words that are not in the index, which is no failure. */
const JsonSchema = z.object({ esearchresult: z.object({ count: z.coerce.number(), idlist: z.array(z.string()) }) });
const XmlSchema = z.object({
  eSearchResult: z.object({
    Count: XmlText,
    IdList: z.union([z.literal("").transform(() => []), z.object({ Id: z.array(XmlText) }).transform(({ Id }) => Id)]),
  }),
});

/**
 * The ids that esearch found, best first. It is asked for JSON; what is served from an archive or by a proxy can be the XML
 * that it sends where nobody asks.
 * @throws DossierError `unreadable`
 */
export function readIds(text: string): string[] {
  const { count, ids } = text.trimStart().startsWith("<") ? readXml(text) : readJson(text);
  if (ids.length === 0 && count > 0) throw new DossierError("unreadable", `pubmed counted ${count} records and named none.`);
  return ids;
}

function readXml(text: string): { count: number; ids: string[] } {
  const parsed = XmlSchema.safeParse(parseXml("pubmed", text, { lists: ["Id"], mixed: [] }));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with a page instead of a list of ids.");
  const { Count, IdList } = parsed.data.eSearchResult;
  return { count: Number(Count), ids: IdList };
}

function readJson(text: string): { count: number; ids: string[] } {
  const parsed = JsonSchema.safeParse(parse(text));
  if (!parsed.success) throw new DossierError("unreadable", "pubmed answered with something that is no list of ids.");
  const { count, idlist } = parsed.data.esearchresult;
  return { count, ids: idlist };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DossierError("unreadable", "pubmed answered with something that is not JSON.", { cause: error });
  }
}

import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { decodeEntities } from "../hits/plain-text.ts";

export interface XmlShape {
  /** Names of elements that are lists even where there is only one. */
  readonly lists: readonly string[];
  /** Names of elements whose content stays as it is spelt, with its markup; `plainText` reads it. */
  readonly mixed: readonly string[];
}

const MAX_DEPTH = 60;

/**
 * The elements of an XML answer as objects: text as a string, attributes as `@name`, text beside attributes as `#text`,
 * without prefixes of namespaces. Entities that a document defines are never expanded; those of XML itself are.
 * @throws DossierError `unreadable` for what is not well-formed, such as an answer that breaks off
 */
export function parseXml(service: string, text: string, { lists, mixed }: XmlShape): unknown {
  const checked = XMLValidator.validate(text);
  if (checked !== true) throw new DossierError("unreadable", `${service} answered with XML that is not well-formed (${checked.err.msg}).`);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    maxNestedTags: MAX_DEPTH,
    stopNodes: mixed.map((name) => `*.${name}`),
    isArray: (name) => lists.includes(name),
    tagValueProcessor: (name, value) => (mixed.includes(name) ? value : decodeEntities(value)),
    attributeValueProcessor: (_name, value) => decodeEntities(value),
  });
  try {
    return parser.parse(text);
  } catch (error) {
    throw new DossierError("unreadable", `${service} answered with XML that cannot be read.`, { cause: error });
  }
}

/** The text of an element, with attributes or without. */
export const XmlText = z.union([z.string(), z.object({ "#text": z.string().default("") }).transform((element) => element["#text"])]);

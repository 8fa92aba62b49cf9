import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { decodeEntities } from "./text.ts";

/** The JSON value that a text holds, null where it holds none: for a look at an answer before it is known what it is. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Those of an answer's items that are of the schema's shape: one odd item does not lose the others.
 * @throws DossierError `unreadable` when there are items and none of them can be read
 */
export function readItems<T>(service: string, schema: z.ZodType<T>, items: readonly unknown[]): T[] {
  const parsed = items.map((item) => schema.safeParse(item));
  const read = parsed.flatMap((one) => (one.success ? [one.data] : []));
  if (read.length > 0 || items.length === 0) return read;
  const places = parsed[0]?.error?.issues.map(({ path, message }) => `${path.join(".") || "the item"}: ${message}`) ?? [];
  throw new DossierError("unreadable", `${service} answered with items of an unknown form (${places.slice(0, 3).join("; ")}).`);
}

interface XmlShape {
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

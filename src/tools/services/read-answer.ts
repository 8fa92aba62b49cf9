import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { decodeEntities } from "./text.ts";

/** @throws DossierError `unreadable` */
export function parseJson(service: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const found = body.trimStart().startsWith("<") ? "a page instead of data" : "something that is not JSON";
    throw new DossierError("unreadable", `${service} answered with ${found}.`, { cause: error });
  }
}

/** The JSON value of a text, or null if it is not JSON. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The error for data that does not fit its schema; the message names the first three places. */
export function shapeError(message: string, { issues }: z.ZodError): DossierError {
  const places = issues.slice(0, 3).map((issue) => `${issue.path.join(".") || "the whole"}: ${issue.message}`);
  return new DossierError("unreadable", `${message} (${places.join("; ")}).`);
}

/**
 * The items that fit the schema; an odd item does not lose the others.
 * @throws DossierError `unreadable` if there are items and none fits
 */
export function readItems<T>(service: string, schema: z.ZodType<T>, items: readonly unknown[]): T[] {
  const parsed = items.map((item) => schema.safeParse(item));
  const read = parsed.flatMap((one) => (one.success ? [one.data] : []));
  const error = parsed[0]?.error;
  if (read.length > 0 || error === undefined) return read;
  throw shapeError(`${service} answered with items of an unknown form`, error);
}

export interface XmlShape {
  /** Elements that are lists even when there is only one. */
  readonly lists: readonly string[];
  /** Elements whose content keeps its markup, for `plainText` to read. */
  readonly mixed: readonly string[];
}

const MAX_DEPTH = 60;

/**
 * The elements of an XML answer as objects: text as a string, attributes as `@name`, text beside attributes as `#text`, without
 * namespace prefixes. Entities that the document defines are never expanded.
 * @throws DossierError `unreadable` if it is not well-formed
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

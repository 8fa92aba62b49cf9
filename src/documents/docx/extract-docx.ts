import { XMLParser } from "fast-xml-parser";
import { unzipSync } from "fflate";
import mammoth from "mammoth";
import { DossierError } from "../../errors.ts";
import { fieldsOf, textOf } from "../../util/json-fields.ts";
import type { Draft } from "../block-text.ts";
import { normalizeDate } from "../dates.ts";
import { extractPage } from "../html/extract-html.ts";

/** The declared size of all XML parts, in bytes. Reading them takes about ten times as much memory. */
const MAX_XML_BYTES = 25_000_000;
const MAX_PARTS = 5_000;
const PROPERTIES = "docProps/core.xml";
const MAX_PROPERTIES_BYTES = 100_000;
const XML_PART = /\.(?:xml|rels)$/i;

/**
 * Reads a Word document by way of HTML, without pictures. Nothing outside of the file is read.
 * @throws DossierError `document_too_large`, `blocked` if it is encrypted, `unreadable`
 */
export async function extractDocx(bytes: Uint8Array, maxCharacters: number): Promise<Draft> {
  const properties = readProperties(bytes);
  const html = await toHtml(bytes);
  if (html.length > maxCharacters)
    throw new DossierError("document_too_large", `The document was not read: its text has more than ${maxCharacters} characters.`);
  const { drafts } = extractPage(`<!doctype html><html><body>${html}</body></html>`);
  const heading = drafts.find(({ kind }) => kind === "heading");
  return { ...properties, drafts, title: properties.title ?? heading?.text ?? null };
}

/** Checks the parts of the archive before any of them is unpacked. */
function readProperties(bytes: Uint8Array): Omit<Draft, "drafts"> {
  let [parts, xmlBytes] = [0, 0];
  const files = unpack(bytes, ({ name, originalSize }) => {
    parts += 1;
    if (XML_PART.test(name)) xmlBytes += originalSize;
    if (parts > MAX_PARTS || xmlBytes > MAX_XML_BYTES)
      throw new DossierError("document_too_large", `The document was not read: unpacked, it has more than ${MAX_XML_BYTES} bytes.`);
    return name === PROPERTIES && originalSize <= MAX_PROPERTIES_BYTES;
  });
  const core = files[PROPERTIES];
  return propertiesOf(core === undefined ? "" : new TextDecoder().decode(core));
}

function unpack(bytes: Uint8Array, filter: (part: { readonly name: string; readonly originalSize: number }) => boolean) {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof DossierError) throw error;
    throw new DossierError("unreadable", "The document is not a whole DOCX file.");
  }
}

function propertiesOf(xml: string): Omit<Draft, "drafts"> {
  const parser = new XMLParser({ ignoreAttributes: true, removeNSPrefix: true, parseTagValue: false, processEntities: true });
  const core = fieldsOf(fieldsOf(parse(parser, xml))["coreProperties"]);
  const field = (name: string): string | null => textOf(core[name]).trim() || null;
  return {
    title: field("title"),
    language: field("language"),
    publishedAt: normalizeDate(field("modified") ?? field("created")),
    author: field("creator"),
  };
}

function parse(parser: XMLParser, xml: string): unknown {
  try {
    return parser.parse(xml);
  } catch {
    return null;
  }
}

async function toHtml(bytes: Uint8Array): Promise<string> {
  const withoutPictures = mammoth.images.imgElement(async () => ({ src: "" }));
  try {
    const input = { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    return (await mammoth.convertToHtml(input, { convertImage: withoutPictures, includeEmbeddedStyleMap: false })).value;
  } catch (error) {
    if (error instanceof Error && /encrypt/i.test(error.message)) throw new DossierError("blocked", "The document needs a password.");
    throw new DossierError("unreadable", "The document is not a DOCX file that can be read.");
  }
}

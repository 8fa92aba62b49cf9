import mammoth from "mammoth";
import { DossierError } from "../../errors.ts";
import type { Draft } from "../block-text.ts";
import { isTitle } from "../extract-text.ts";
import { extractPage } from "../html/extract-html.ts";
import { openPackage, propertiesOf } from "./package.ts";
import { prepareDocx } from "./prepare-docx.ts";

/**
 * Reads a Word document by way of HTML, without pictures. Nothing outside of the file is read.
 * @throws DossierError `document_too_large`, `unreadable`
 */
export async function extractDocx(bytes: Uint8Array, maxCharacters: number): Promise<Draft> {
  const office = openPackage(bytes);
  const { bytes: prepared, ...gaps } = prepareDocx(office) ?? { bytes };
  const html = await toHtml(prepared);
  if (html.length > maxCharacters)
    throw new DossierError("document_too_large", `The document was not read: its text has more than ${maxCharacters} characters.`);
  const { drafts } = extractPage(`<!doctype html><html><body>${html}</body></html>`);
  const properties = propertiesOf(office);
  const titled = drafts.find((draft, i) => draft.kind === "heading" || (i === 0 && isTitle(draft)));
  return { ...properties, ...gaps, drafts, title: properties.title ?? titled?.text ?? null };
}

async function toHtml(bytes: Uint8Array): Promise<string> {
  const withoutPictures = mammoth.images.imgElement(async () => ({ src: "" }));
  try {
    const input = { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
    const { value } = await mammoth.convertToHtml(input, { convertImage: withoutPictures, includeEmbeddedStyleMap: false });
    return value.replaceAll(/<input type="checkbox"( checked="checked")? ?\/>/g, (_, checked) => (checked === undefined ? "☐" : "☒"));
  } catch {
    throw new DossierError("unreadable", "The document is not a DOCX file that can be read.");
  }
}

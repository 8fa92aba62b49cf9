import { collapse } from "../block-text.ts";
import { normaliseDate } from "../normalise-date.ts";
import { type Pdfium, withMemory, withString } from "./pdfium.ts";

const MAX_METADATA_BYTES = 4_096;
/** ISO 32000-1, 7.9.4, with the apostrophe after the minutes that older versions demanded, or without any. */
const PDF_DATE = /^(?:D:)?(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(?:(Z)|([+-]\d{2})'?(\d{2})?)?/;
/** What programs write where nobody gave a title: their own name, a file's name, a placeholder. */
const NO_TITLE =
  /^microsoft (?:word|powerpoint|excel) - |^(?:untitled|document\d*|title|无标题|未命名)$|^\S+\.\w{2,5}$|\.(?:docx?|pdf|indd|pptx?|qxd)$|^doi:/i;
const NO_AUTHOR = /^(?:administrator|admin|user|owner|unknown|author|root|anonymous)$/i;

/** What the author of a PDF says about it; the date is that of its creation. */
export function readMetadata(
  pdfium: Pdfium,
  document: number,
): { title: string | null; author: string | null; publishedAt: string | null } {
  const title = collapse(metaText(pdfium, document, "Title"));
  const author = collapse(metaText(pdfium, document, "Author"));
  return {
    title: title === "" || NO_TITLE.test(title) ? null : title,
    author: author === "" || NO_AUTHOR.test(author) ? null : author,
    publishedAt: pdfDate(metaText(pdfium, document, "CreationDate")),
  };
}

function pdfDate(written: string): string | null {
  const parts = PDF_DATE.exec(written.trim());
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second = "00", zulu, zoneHour, zoneMinute = "00"] = parts;
  const zone = zulu ?? (zoneHour === undefined ? "" : `${zoneHour}:${zoneMinute}`);
  return normaliseDate(hour === undefined ? `${year}-${month}-${day}` : `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}

function metaText(pdfium: Pdfium, document: number, key: string): string {
  return withString(pdfium, key, (name) =>
    withMemory(pdfium, MAX_METADATA_BYTES, (buffer) => {
      const length = pdfium._FPDF_GetMetaText(document, name, buffer, MAX_METADATA_BYTES);
      if (length < 2 || length > MAX_METADATA_BYTES) return "";
      return new TextDecoder("utf-16le").decode(pdfium.HEAPU8.subarray(buffer, buffer + length - 2)).replaceAll("\0", "");
    }),
  );
}

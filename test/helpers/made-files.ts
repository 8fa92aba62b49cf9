import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from "docx";
import { strToU8, zipSync } from "fflate";
import { column, onePage } from "../documents/pdf/make-pdf.ts";

/** A PDF of one page with these lines in one column. */
export function pdfOf(lines: readonly string[], font: "plain" | "chinese" = "plain"): Buffer {
  return onePage(...column(72, 700, lines, { font }));
}

/** A Word document as a word processor writes it. */
export async function docxOf(heading: string, paragraphs: readonly string[], table: readonly (readonly string[])[] = []): Promise<Buffer> {
  const rows = table.map((cells) => new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) }));
  const children = [
    new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 }),
    ...paragraphs.map((text) => new Paragraph(text)),
    ...(rows.length > 0 ? [new Table({ rows })] : []),
  ];
  return Packer.toBuffer(new Document({ title: "", creator: "Ada Penrose", sections: [{ children }] }));
}

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A handwritten DOCX, XLSX or PPTX with these parts. The first is the main part. */
export function officeWith(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const [main = ""] = Object.keys(parts);
  const all = { "_rels/.rels": relations({ officeDocument: `/${main}` }), ...parts };
  return zipSync(Object.fromEntries(Object.entries(all).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part])));
}

/** The relationships of a part: the targets by id, which is also the type up to its first digit. */
export function relations(targets: Readonly<Record<string, string>>): string {
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const items = Object.entries(targets).map(
    ([id, target]) => `<Relationship Id="${id}" Type="${type}/${id.replace(/\d.*/, "")}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join("")}</Relationships>`;
}

/** A handwritten DOCX with this XML in its body, and further parts. */
export function docxWith(body: string, parts: Readonly<Record<string, string | Uint8Array>> = {}, prolog = ""): Uint8Array {
  const document = `<?xml version="1.0"?>${prolog}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const all = { "[Content_Types].xml": CONTENT_TYPES, "_rels/.rels": RELATIONS, "word/document.xml": document, ...parts };
  return zipSync(Object.fromEntries(Object.entries(all).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part])));
}

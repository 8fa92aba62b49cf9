import { expect, it } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import { makePdf, type PlacedText } from "./make-pdf.ts";

/** A page of labels with fields beside them. The fields are objects of the file. */
function formOf(texts: readonly PlacedText[], fields: readonly string[]): Buffer {
  return makePdf([{ texts, options: { annotations: fields.map((_, i) => 10 + i) } }], {
    objects: fields.map((field) => `<< /Type /Annot /Subtype /Widget /F 4 ${field} >>`),
    form: fields.map((_, i) => 10 + i),
  });
}

async function linesOf(bytes: Buffer): Promise<string[]> {
  const { text } = await createExtractor().extract({ bytes, mediaType: "application/pdf", url: "form.pdf" });
  return text.split(/\n+/);
}

const label = (text: string, y: number, x = 60): PlacedText => ({ x, y, text, size: 11 });
const wide = (text: string): string => `<FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;

it("the values of text fields stand beside their labels, whether or not the file says how they look", async () => {
  const texts = [
    label("Rental application", 740),
    label("Name:", 700),
    label("Monthly rent:", 670),
    label("Empty:", 640),
    label("Thank you.", 580),
  ];
  const bytes = formOf(texts, [
    "/FT /Tx /T (rent) /V (1,385 euros) /Rect [220 665 440 683]",
    `/FT /Tx /T (name) /V ${wide("王小明")} /Rect [220 695 440 713]`,
    "/FT /Tx /T (empty) /V () /Rect [220 635 440 653]",
    "/FT /Tx /T (password) /Ff 8192 /V (secret) /Rect [220 605 440 623]",
    "/FT /Tx /T (hidden) /F 2 /V (unseen) /Rect [220 605 440 623]",
  ]);
  expect(await linesOf(bytes)).toEqual(["Rental application", "Name: 王小明", "Monthly rent: 1,385 euros", "Empty:", "Thank you."]);
});

it("marks stand at their labels, and lists show what was chosen", async () => {
  const texts = [
    label("Payment:", 700),
    label("cash", 700, 150),
    label("card", 700, 220),
    label("Pets allowed:", 670),
    label("Country:", 640),
    label("End of it.", 580),
  ];
  const bytes = formOf(texts, [
    "/FT /Btn /Ff 32768 /T (cash) /V /Off /AS /Off /Rect [134 698 146 710]",
    "/FT /Btn /Ff 32768 /T (card) /V /card /AS /card /Rect [204 698 216 710]",
    "/FT /Btn /T (pets) /V /Yes /Rect [220 668 232 680]",
    "/FT /Ch /Ff 131072 /T (land) /Opt [[(se) (Sweden)] [(dk) (Denmark)]] /V (dk) /Rect [220 635 320 653]",
  ]);
  expect(await linesOf(bytes)).toEqual(["Payment: ☐ cash ☒ card", "Pets allowed: ☒", "Country: Denmark", "End of it."]);
});

it("text that was typed onto a page is read too", async () => {
  const bytes = makePdf([{ texts: [label("Name:", 700), label("End of it.", 580)], options: { annotations: [10] } }], {
    objects: ["<< /Type /Annot /Subtype /FreeText /F 4 /Contents (Odalys Brannigan) /Rect [120 695 300 713] >>"],
  });
  expect(await linesOf(bytes)).toEqual(["Name: Odalys Brannigan", "End of it."]);
});

it("passwords and notes with a text are not read, and what was not read is said", async () => {
  const read = async (bytes: Buffer) =>
    (await createExtractor().extract({ bytes, mediaType: "application/pdf", url: "form.pdf" })).incomplete;
  const texts = [label("PIN:", 700), label("End of it.", 580)];
  const secret = "/FT /Tx /T (pin) /Ff 8192 /V (4711) /Rect [220 695 440 713]";
  expect(await read(formOf(texts, [secret]))).toBe("Only a part of its PDF: passwords in its form (1) were not read.");
  const noted = makePdf([{ texts, options: { annotations: [10, 11, 12, 13] } }], {
    objects: [
      "<< /Type /Annot /Subtype /Text /F 4 /Contents (Ask Odalys) /Rect [120 695 140 713] >>",
      "<< /Type /Annot /Subtype /Highlight /F 4 /Contents (Why?) /Rect [120 695 140 713] >>",
      "<< /Type /Annot /Subtype /Highlight /F 4 /Rect [120 695 140 713] >>",
      "<< /Type /Annot /Subtype /Link /F 4 /Contents (Go there) /Rect [120 695 140 713] >>",
    ],
  });
  expect(await read(noted)).toBe("Only a part of its PDF: notes pinned to its pages (2) were not read.");
  expect(await read(formOf(texts, ["/FT /Tx /T (pin) /Ff 8192 /Rect [220 695 440 713]"]))).toBeUndefined();
});

/** A line of text at a position in points from the lower left corner of the page; with `turned` it runs upwards. */
export interface PlacedText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly font?: "plain" | "bold" | "japanese" | "chinese" | "glyphs";
  readonly turned?: boolean;
  /** Points between its characters. */
  readonly spacing?: number;
}

export interface PageOptions {
  /** An image that covers the whole page, under the text. */
  readonly picture?: boolean;
  readonly rotate?: number;
  /** Numbers of the objects that are its annotations. */
  readonly annotations?: readonly number[];
}

export interface PdfOptions {
  readonly info?: Readonly<Record<string, string>>;
  /** Raw entries of the trailer, objects that they name, and a function that encodes the bytes of a stream. */
  readonly trailer?: string;
  readonly objects?: readonly string[];
  /** Numbers of the objects that are the fields of its form. */
  readonly form?: readonly number[];
  readonly encode?: (stream: Buffer, objectNumber: number) => Buffer;
}

export interface MadePage {
  readonly texts: readonly PlacedText[];
  readonly options?: PageOptions;
}

const FONTS: Readonly<Record<NonNullable<PlacedText["font"]>, string>> = {
  plain: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  bold: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
  japanese: cidFont("MS-Mincho", "90ms-RKSJ-H", "Japan1"),
  chinese: cidFont("SimSun", "UniGB-UCS2-H", "GB1"),
  // Glyph numbers of a font without a character map.
  glyphs: cidFont("ABCDEE+Secret", "Identity-H", "Identity"),
};
const FIRST_FREE_OBJECT = 10;

function cidFont(name: string, encoding: string, ordering: string): string {
  const info = `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>`;
  const descendant = `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo ${info} /DW 1000 >>`;
  return `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [${descendant}] >>`;
}

function references(numbers: readonly number[]): string {
  return `[${numbers.map((number) => `${number} 0 R`).join(" ")}]`;
}

/** A minimal handwritten PDF: one object for each page and its content, fonts that are not embedded. */
export function makePdf(
  pages: readonly MadePage[],
  { info = {}, trailer = "", objects = [], form = [], encode = (stream) => stream }: PdfOptions = {},
): Buffer {
  const bodies = new Map<number, Buffer>();
  const put = (number: number, body: string | Buffer): void => {
    bodies.set(number, Buffer.from(body));
  };
  const pageNumber = (i: number): number => FIRST_FREE_OBJECT + objects.length + i * 2;
  put(1, `<< /Type /Catalog /Pages 2 0 R ${form.length === 0 ? "" : `/AcroForm << /Fields ${references(form)} >>`} >>`);
  put(2, `<< /Type /Pages /Kids [${pages.map((_, i) => `${pageNumber(i)} 0 R`).join(" ")}] /Count ${pages.length} >>`);
  put(
    3,
    `<< ${Object.entries(info)
      .map(([key, value]) => `/${key} ${literal(value)}`)
      .join(" ")} >>`,
  );
  for (const [i, font] of Object.values(FONTS).entries()) put(4 + i, font);
  put(
    9,
    streamOf(
      Buffer.from([120]),
      "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
      encode,
      9,
    ),
  );
  for (const [i, object] of objects.entries()) put(FIRST_FREE_OBJECT + i, object);
  for (const [i, { texts, options = {} }] of pages.entries()) {
    const fonts = Object.keys(FONTS)
      .map((name, at) => `/${name} ${4 + at} 0 R`)
      .join(" ");
    const resources = `<< /Font << ${fonts} >> /XObject << /picture 9 0 R >> >>`;
    const rotate = options.rotate === undefined ? "" : `/Rotate ${options.rotate}`;
    const annotations = options.annotations === undefined ? "" : `/Annots ${references(options.annotations)}`;
    put(
      pageNumber(i),
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${rotate} ${annotations} /Resources ${resources} /Contents ${pageNumber(i) + 1} 0 R >>`,
    );
    put(pageNumber(i) + 1, streamOf(contentOf(texts, options), "", encode, pageNumber(i) + 1));
  }
  return assemblePdf(bodies, trailer);
}

/** A PDF with one page of `texts`. */
export function onePage(...texts: readonly PlacedText[]): Buffer {
  return makePdf([{ texts }]);
}

/** Returns lines of one column, each `leading` points below the one before. */
export function column(x: number, y: number, lines: readonly string[], style: Partial<PlacedText> = {}): PlacedText[] {
  const leading = (style.size ?? 10) * 1.2;
  return lines.map((text, i) => ({ x, y: y - i * leading, text, ...style }));
}

function contentOf(texts: readonly PlacedText[], { picture = false }: PageOptions): Buffer {
  const parts: Buffer[] = picture ? [Buffer.from("q 600 0 0 800 0 0 cm /picture Do Q\n")] : [];
  for (const { x, y, text, size = 10, font = "plain", turned = false, spacing = 0 } of texts) {
    parts.push(
      Buffer.from(
        `BT /${font} ${size} Tf ${spacing} Tc ${turned ? "0 1 -1 0" : "1 0 0 1"} ${x} ${y} Tm <${bytesOf(text, font).toString("hex")}> Tj ET\n`,
      ),
    );
  }
  return Buffer.concat(parts);
}

function bytesOf(text: string, font: NonNullable<PlacedText["font"]>): Buffer {
  if (font === "chinese" || font === "glyphs") return Buffer.from(text, "utf16le").swap16();
  return font === "japanese" ? Buffer.from(text, "hex") : Buffer.from(text, "latin1");
}

function literal(value: string): string {
  return `<feff${Buffer.from(value, "utf16le").swap16().toString("hex")}>`;
}

function streamOf(content: Buffer, entries: string, encode: NonNullable<PdfOptions["encode"]>, number: number): Buffer {
  const stored = encode(content, number);
  return Buffer.concat([Buffer.from(`<< ${entries} /Length ${stored.length} >>\nstream\n`), stored, Buffer.from("\nendstream")]);
}

function assemblePdf(bodies: ReadonlyMap<number, Buffer>, trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n%\u00e2\u00e3\n", "latin1")];
  const offsets = new Map<number, number>();
  for (const [number, body] of bodies) {
    offsets.set(number, Buffer.concat(parts).length);
    parts.push(Buffer.from(`${number} 0 obj\n`), body, Buffer.from("\nendobj\n"));
  }
  const size = Math.max(...bodies.keys()) + 1;
  const rows = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? "0000000000 65535 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const start = Buffer.concat(parts).length;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n${rows.join("")}trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

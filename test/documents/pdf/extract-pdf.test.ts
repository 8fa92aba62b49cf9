import { describe, expect, it } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import { encryptedWith } from "./encrypt-pdf.ts";
import { column, makePdf, onePage } from "./make-pdf.ts";

const extractor = createExtractor();
const read = (bytes: Uint8Array, mediaType = "application/pdf", url = "https://example.org/paper.pdf") =>
  extractor.extract({ bytes, mediaType, url });

async function blocksOf(bytes: Uint8Array): Promise<string[]> {
  const { text, blocks } = await read(bytes);
  return blocks.map(({ kind, level, start, end }) => `${kind}${level || ""}: ${text.slice(start, end)}`);
}

describe("the text of a PDF", () => {
  it("is joined from lines to paragraphs, without the hyphens of divided words", async () => {
    const lines = [
      "The quick brown fox jumps over the lazy dog and then it disap-",
      "pears in the forest, where well-known and long-forgotten ani-",
      "mals live. It was never seen again by anybody of the well-",
      "known family.",
    ];
    expect(await blocksOf(onePage(...column(72, 700, lines)))).toEqual([
      "paragraph: The quick brown fox jumps over the lazy dog and then it disappears in the forest, where well-known and " +
        "long-forgotten animals live. It was never seen again by anybody of the well-known family.",
    ]);
  });

  it("has headings where letters are larger or bold", async () => {
    const page = onePage(
      { x: 72, y: 740, text: "A Study of Foxes", size: 20 },
      { x: 72, y: 700, text: "Methods", font: "bold" },
      ...column(72, 680, ["We looked at foxes for a long time and wrote down all", "that they did."]),
    );
    expect(await blocksOf(page)).toEqual([
      "heading1: A Study of Foxes",
      "heading2: Methods",
      "paragraph: We looked at foxes for a long time and wrote down all that they did.",
    ]);
    expect((await read(page)).title).toBe("A Study of Foxes");
  });

  const left = [
    "Left one is a line of the first column",
    "left two is a line of the first column",
    "left three is a line of that column",
    "left four is a line of that column",
    "left five is the last of the column.",
  ];
  const right = [
    "Right one is a line of the second col",
    "right two is a line of the second col",
    "right three is a line of the second",
    "right four is a line of the second",
    "right five is the last of them all.",
  ];
  const joined = [`paragraph: ${left.join(" ")}`, `paragraph: ${right.join(" ")}`];

  it("goes down one column before it goes down the next", async () => {
    expect(await blocksOf(onePage(...column(72, 700, left), ...column(310, 700, right)))).toEqual(joined);
  });

  it("continues a paragraph that a column or page break divides", async () => {
    const page = (texts: readonly string[]) => ({ texts: column(72, 700, texts) });
    const pages = [
      page(["A sentence that begins on the first of two pages and", "which goes on for quite a while longer than that page"]),
      page(["could hold, so that it ends here."]),
    ];
    expect(await blocksOf(makePdf(pages))).toEqual([
      "paragraph: A sentence that begins on the first of two pages and which goes on for quite a while longer than that page could hold, so that it ends here.",
    ]);
  });

  it("has the rows of tables with their cells", async () => {
    const rows = [
      ["Country", "Area"],
      ["Austria", "83,879"],
      ["Belgium", "30,689"],
    ];
    const texts = rows.flatMap(([name = "", area = ""], i) => [
      { x: 72, y: 700 - 14 * i, text: name },
      { x: 250, y: 700 - 14 * i, text: area },
    ]);
    expect(await blocksOf(onePage(...texts))).toEqual([
      "table-row: Country | Area",
      "table-row: Austria | 83,879",
      "table-row: Belgium | 30,689",
    ]);
  });

  it("has no running headers, page numbers or line numbers", async () => {
    const pages = ["First page of the text.", "Second page of the text.", "Third page of the text."].map((text, i) => ({
      texts: [
        { x: 72, y: 770, text: `Journal of Foxes 12 (2024) ${i + 1}` },
        ...[1, 2, 3, 4, 5].map((number) => ({ x: 40, y: 700 - 12 * (number - 1), text: String(number) })),
        ...column(72, 700, [
          text,
          "It says this. It says that.",
          "It says this. It says that.",
          "It says this. It says that.",
          "Then it ends.",
        ]),
        { x: 300, y: 40, text: `- ${i + 1} -` },
      ],
    }));
    const { text } = await read(makePdf(pages));
    expect(text).not.toMatch(/Journal|\d/);
    expect(text).toContain("Third page of the text.");
  });

  it("keeps short numbers in table rows at the edge of a page, and drops the page number", async () => {
    const rows = (first: number) =>
      ["Foxes", "Badgers", "Martens"].map((name, i) => [`${name} ${"abc"[first]}`, String(40 - i - first), "l", String(7 + i + first)]);
    const page = (first: number) => ({
      texts: [
        ...rows(first).flatMap((cells, i) => cells.map((text, at) => ({ x: 72 + 110 * at, y: 770 - 12 * i, text }))),
        ...column(72, 400, ["It says this. It says that."]),
        { x: 300, y: 30, text: String(first + 1) },
      ],
    });
    const text = "paragraph: It says this. It says that.";
    const expected = [0, 1].flatMap((first) => [...rows(first).map((cells) => `table-row: ${cells.join(" | ")}`), text]);
    expect(await blocksOf(makePdf([page(0), page(1)]))).toEqual(expected);
    const head = ["年度", "2021", "2020"].map((name, at) => ({ x: 72 + 90 * at, y: 740, text: name, font: "chinese" as const }));
    const sums = ["员工", "38", "9"].map((name, at) => ({ x: 72 + 90 * at, y: 726, text: name, font: "chinese" as const }));
    expect(await blocksOf(onePage(...head, ...sums))).toEqual(["table-row: 年度 | 2021 | 2020", "table-row: 员工 | 38 | 9"]);
  });

  it("is read in its writing direction", async () => {
    const pages = [
      {
        texts: column(0, 0, []).concat(
          { x: 100, y: 72, text: "This page is turned,", turned: true },
          { x: 112, y: 72, text: "and so are its lines.", turned: true },
        ),
        options: { rotate: 90 },
      },
    ];
    expect(await blocksOf(makePdf(pages))).toEqual(["paragraph: This page is turned, and so are its lines."]);
  });

  it("has Chinese and Japanese in fonts that are not embedded, with lines joined without spaces", async () => {
    const chinese = ["截至三月末，发行人各类授信额度总额达三百亿元，其中已使用", "额度二百亿元，尚未使用的授信额度为一百亿元。"];
    expect(await blocksOf(onePage(...column(72, 700, chinese, { font: "chinese" })))).toEqual([`paragraph: ${chinese.join("")}`]);
    const [japanese] = await blocksOf(onePage({ x: 72, y: 700, text: "82a082a282a482a682a8", font: "japanese" }));
    expect(japanese).toBe("paragraph: あいうえお");
  });

  it("comes with the author's metadata", async () => {
    const info = { Title: "狐狸研究", Author: "王小明", CreationDate: "D:20240103093826+01'00'" };
    expect(await read(makePdf([{ texts: [{ x: 72, y: 700, text: "Text." }] }], { info }))).toMatchObject({
      title: "狐狸研究",
      author: "王小明",
      publishedAt: null,
    });
  });

  it("does not take a program's default title", async () => {
    const info = { Title: "Microsoft Word - draft_7.doc", Author: "Administrator" };
    expect(await read(makePdf([{ texts: [{ x: 72, y: 700, text: "Text." }] }], { info }))).toMatchObject({
      title: "paper.pdf",
      author: null,
    });
  });

  it("is read if it is encrypted with an empty password", async () => {
    expect((await read(makePdf([{ texts: [{ x: 72, y: 700, text: "Open to all." }] }], encryptedWith("")))).text).toBe("Open to all.");
  });
});

describe("a PDF", () => {
  const page = onePage({ x: 72, y: 700, text: "Text." });

  it.each([
    ["whatever its media type and suffix say", page, "text/html", "https://example.org/page.html"],
    ["behind a few bytes of something else", Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), page]), "", "https://example.org/x"],
  ])("is recognized by its content %s", async (_, bytes, mediaType, url) => {
    expect((await read(bytes, mediaType, url)).text).toBe("Text.");
  });

  it("by name that is an HTML page is read as HTML", async () => {
    const html = Buffer.from("<!doctype html><title>Gone</title><p>The paper has moved.</p>");
    expect(await read(html)).toMatchObject({ title: "Gone", text: "The paper has moved." });
  });

  it("is not a text file that only mentions PDF", async () => {
    const text = Buffer.from("The header of a PDF is %PDF-1.7 or the like.");
    expect((await read(text, "text/plain", "a.txt")).text).toBe("The header of a PDF is %PDF-1.7 or the like.");
  });

  it.each([
    ["that asks for a password is blocked", makePdf([{ texts: [] }], encryptedWith("secret")), "blocked", /needs a password/],
    ["that is cut off is unreadable", Buffer.from("%PDF-1.4\n1 0 obj\n<< /Type"), "unreadable", /damaged/],
    ["by name only is unreadable", Buffer.from("x"), "unreadable", /media type of a PDF, but its content is not a PDF/],
    ["without bytes is empty", new Uint8Array(), "empty", /no bytes/],
    ["of blank pages is empty", makePdf([{ texts: [] }]), "empty", /contains no text/],
    ["of pictures is empty, and a scan", makePdf([{ texts: [], options: { picture: true } }]), "empty", /is a scan/],
    [
      "of pictures with a stamp is a scan, too",
      makePdf([{ texts: [{ x: 9, y: 9, text: "2024-01-01" }], options: { picture: true } }]),
      "empty",
      /pictures with only 10 characters of text/,
    ],
    [
      "in a font that hides its characters is unreadable",
      onePage({ x: 72, y: 700, text: "3HQ", font: "glyphs" }),
      "unreadable",
      /lack Unicode values: only/,
    ],
  ])("%s", async (_, bytes, code, message) => {
    await expect(read(bytes)).rejects.toMatchObject({ name: "DossierError", code, message: expect.stringMatching(message) });
  });

  it("of images with a text layer is read", async () => {
    const line = "Recognised text lies over the picture it was recognised in.";
    expect((await read(makePdf([{ texts: [{ x: 72, y: 700, text: line }], options: { picture: true } }]))).text).toBe(line);
  });

  it("names the pages that have no text", async () => {
    const text = { texts: [{ x: 72, y: 700, text: "Text of the page." }] };
    const scan = { texts: [{ x: 9, y: 9, text: "17" }], options: { picture: true } };
    expect((await read(makePdf([text, { texts: [] }]))).incomplete).toBeUndefined();
    expect((await read(makePdf([text, scan]))).incomplete).toBe("Only a part of its PDF: page 2 of 2 without a text layer.");
    expect((await read(makePdf([scan, text, scan, scan]))).incomplete).toBe(
      "Only a part of its PDF: pages 1, 3-4 of 4 without a text layer.",
    );
  });

  it("is too large above its own limits of bytes, pages and characters", async () => {
    const url = "a.pdf";
    const small = createExtractor({ maxBytes: 10, maxPdfBytes: 100_000 });
    await expect(small.extract({ bytes: page, mediaType: "", url })).resolves.toMatchObject({ text: "Text." });
    const long = onePage({ x: 72, y: 700, text: "More than ten characters." });
    await expect(small.extract({ bytes: long, mediaType: "", url })).rejects.toMatchObject({ code: "document_too_large" });
    await expect(createExtractor({ maxPdfBytes: 10 }).extract({ bytes: page, mediaType: "", url })).rejects.toMatchObject({
      code: "document_too_large",
      message: `The document was not read: ${page.length} bytes exceed the limit of 10.`,
    });
    const pages = makePdf(Array.from({ length: 1_001 }, () => ({ texts: [] })));
    await expect(read(pages)).rejects.toMatchObject({
      code: "document_too_large",
      message: "The PDF was not read: 1001 pages exceed the limit of 1000.",
    });
  });
});

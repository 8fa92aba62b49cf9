import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { createIsolatedExtractor } from "../../src/documents/isolation/isolated-extractor.ts";
import { docxOf, docxWith } from "../helpers/made-files.ts";

const extractor = createExtractor();
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const read = (bytes: Uint8Array) => extractor.extract({ bytes, mediaType: DOCX, url: "report.docx" });
const codeOf = (reading: Promise<unknown>) => reading.then(() => "read").catch(({ code }) => code);
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

it("a Word document becomes headings, paragraphs and table rows, also in Chinese", async () => {
  const bytes = await docxOf(
    "灯塔报告",
    ["奥尔德穆尔灯塔建于1874年。", "It has 212 steps."],
    [
      ["年份", "高度"],
      ["1874", "四十米"],
    ],
  );
  const { text, blocks, title, language, author, publishedAt } = await read(bytes);
  expect(blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`)).toEqual([
    "heading: 灯塔报告",
    "paragraph: 奥尔德穆尔灯塔建于1874年。",
    "paragraph: It has 212 steps.",
    "table-row: 年份 | 高度",
    "table-row: 1874 | 四十米",
  ]);
  expect([title, language, author]).toEqual(["灯塔报告", "zh", "Ada Penrose"]);
  expect(publishedAt).toMatch(/^\d{4}-\d\d-\d\dT/);
});

describe("a hostile Word document", () => {
  it("that unpacks to far more than it has is refused before it is unpacked", async () => {
    const bomb = docxWith(paragraph("x"), { "word/styles.xml": Buffer.alloc(60_000_000, " ") });
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await codeOf(read(bomb))).toBe("document_too_large");
  });

  it("that lies about its size is stopped in its process, and the next document is read", async () => {
    const bomb = Buffer.from(docxWith(paragraph(" ".repeat(60_000_000))));
    // The declared size of the part, in the central directory.
    const at = bomb.lastIndexOf("word/document.xml") - 46 + 24;
    bomb.writeUInt32LE(1_000, at);
    const isolated = createIsolatedExtractor();
    const input = { bytes: bomb, mediaType: DOCX, url: "bomb.docx" };
    expect(["document_too_large", "unreadable", "timeout"]).toContain(await codeOf(isolated.extract(input)));
    const next = await isolated.extract({ ...input, bytes: docxWith(paragraph("It stands.")) });
    expect(next.text).toBe("It stands.");
    await isolated.close();
  });

  it("with parts outside of its folder writes nothing and is read", async () => {
    const bytes = docxWith(paragraph("It stands."), { "../../../../tmp/dossier-evil.xml": "<evil/>", "/etc/evil.xml": "<evil/>" });
    expect((await read(bytes)).text).toBe("It stands.");
  });

  it("with entities expands none of them from files, and not without end", async () => {
    const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const reading = await read(docxWith(paragraph("It stands. &b; &f;"), {}, entities)).catch(({ code }) => ({ text: code as string }));
    expect(reading.text).not.toContain("root:");
    expect(reading.text.length).toBeLessThan(1_000);
  });

  it("without a main part, or cut off, is unreadable", async () => {
    expect(await codeOf(read(docxWith("", { "[Content_Types].xml": "<Types/>", "_rels/.rels": "<none/>" })))).toMatch(/unreadable|empty/);
    expect(await codeOf(read((await docxOf("A", ["B"])).subarray(0, 2_000)))).toBe("unreadable");
    expect(await codeOf(read(Buffer.from("no archive at all")))).toBe("unreadable");
    expect(await codeOf(read(docxWith("")))).toBe("empty");
  });

  it("shows markup in its text as text", async () => {
    const { text } = await read(docxWith(paragraph("&lt;script&gt;alert(1)&lt;/script&gt; 十二")));
    expect(text).toBe("<script>alert(1)</script> 十二");
  });
});

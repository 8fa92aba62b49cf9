import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { createIsolatedExtractor } from "../../src/documents/isolation/isolated-extractor.ts";
import { docxOf, docxWith, relations } from "../helpers/made-files.ts";

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
  // The file has a date of its creation, which says nothing about its text.
  expect(publishedAt).toBeNull();
});

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const level = (at: number, format: string, text: string, more = "") =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const numbered = (text: string, numId: number, at = 0) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${numId}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const withLists = (body: string, levels: string, nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>') =>
  docxWith(body, {
    "word/_rels/document.xml.rels": relations({ numbering: "numbering.xml" }),
    "word/numbering.xml": `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${nums}</w:numbering>`,
  });
const linesOf = async (bytes: Uint8Array) => (await read(bytes)).text.split(/\n+/);

describe("numbers that Word counts", () => {
  it("stand before their clauses, over several levels", async () => {
    const levels = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") + level(2, "lowerLetter", "(%3)");
    const body = numbered("Rent", 1) + numbered("Due", 1, 1) + numbered("Late", 1, 1) + numbered("in cash", 1, 2);
    const more = numbered("by bank", 1, 2) + paragraph("Not counted.") + numbered("End", 1) + numbered("Notice", 1, 1);
    expect(await linesOf(withLists(body + more, levels))).toEqual([
      ...["1. Rent", "1.1 Due", "1.2 Late", "(a) in cash", "(b) by bank", "Not counted.", "2. End", "2.1 Notice"],
    ]);
  });

  it("are Chinese, Roman or letters where the list says so", async () => {
    const levels = level(0, "chineseCountingThousand", "第%1条") + level(1, "upperRoman", "%2.") + level(2, "upperLetter", "%3)");
    const articles = Array.from({ length: 21 }, (_, i) => numbered(`条款${i + 1}`, 1)).join("");
    const lines = await linesOf(withLists(`${articles}${numbered("甲", 1, 1).repeat(4)}${numbered("乙", 1, 2).repeat(27)}`, levels));
    expect([lines[0], lines[9], lines[10], lines[19], lines[20]]).toEqual([
      ...["第一条 条款1", "第十条 条款10", "第十一条 条款11", "第二十条 条款20", "第二十一条 条款21"],
    ]);
    expect([lines[24], lines[25], lines.at(-1)]).toEqual(["IV. 甲", "A) 乙", "AA) 乙"]);
  });

  it("begin again where a list starts over, and are written as decimals in legal numbering", async () => {
    const levels = level(0, "upperRoman", "%1") + level(1, "decimal", "%1.%2", "<w:isLgl/>");
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>';
    const nums = `<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/>${restart}</w:num>`;
    const body = numbered("a", 1) + numbered("b", 1, 1) + numbered("c", 2) + numbered("d", 2) + numbered("e", 2, 1);
    expect(await linesOf(withLists(body, levels, nums))).toEqual(["I a", "1.1 b", "V c", "VI d", "6.1 e"]);
  });

  it("are left out before bullets", async () => {
    expect(await linesOf(withLists(numbered("灯塔", 1), level(0, "bullet", "•")))).toEqual(["灯塔"]);
  });
});

describe("what stands outside of the paragraphs of a Word document", () => {
  it("is read: a text box without an old copy, a simple field, a chosen value and a checked box", async () => {
    const box = `<w:p><w:r><w:t>Summary</w:t></w:r><w:r><w:drawing><txbxContent xmlns="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${paragraph("押金为三个月租金。")}</txbxContent></w:drawing></w:r></w:p>`;
    const field = '<w:p><w:fldSimple w:instr="DATE"><w:r><w:t>3 May 2024</w:t></w:r></w:fldSimple></w:p>';
    const list =
      '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="cash"/><w:listEntry w:val="card"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>';
    const sdt =
      '<w:p><w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>☒</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t> agreed</w:t></w:r></w:p>';
    expect(await linesOf(docxWith(box + field + list + sdt))).toEqual(["Summary", "押金为三个月租金。", "3 May 2024", "card", "☒ agreed"]);
  });

  it("is read at the end: headers, footers and comments, each once", async () => {
    const bytes = docxWith(paragraph("The rent is due."), {
      "word/_rels/document.xml.rels": relations({ header1: "h1.xml", header2: "h2.xml", footer: "f.xml", comments: "c.xml" }),
      "word/h1.xml": `<w:hdr ${W}>${paragraph("合同编号 4711")}</w:hdr>`,
      "word/h2.xml": `<w:hdr ${W}>${paragraph("合同编号 4711")}</w:hdr>`,
      "word/f.xml": `<w:ftr ${W}>${paragraph("12")}</w:ftr>`,
      "word/c.xml": `<w:comments ${W}><w:comment w:id="0" w:author="Ada">${paragraph("Is this so?")}</w:comment></w:comments>`,
    });
    expect(await linesOf(bytes)).toEqual(["The rent is due.", "合同编号 4711", "Comment by Ada: Is this so?"]);
  });

  it("is said where it is left out: deleted and hidden text, formulas, pictures", async () => {
    const changed =
      "<w:p><w:r><w:t>Ten </w:t></w:r><w:del><w:r><w:delText>days</w:delText></w:r></w:del><w:ins><w:r><w:t>weeks</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t> secret</w:t></w:r></w:p>";
    const formula =
      '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>x</m:t></m:r></m:oMath></w:p>';
    const { text, incomplete } = await read(docxWith(changed + formula));
    expect([text, incomplete]).toEqual(["Ten weeks", "Left out: tracked deletions (1), formulas (1), hidden text (1)."]);
    const drawing = '<w:p><w:r><w:drawing><pic:pic xmlns:pic="p"/></w:drawing></w:r></w:p>';
    const preview = '<w:p><w:r><w:object><v:shape xmlns:v="v"><v:imagedata/></v:shape></w:object></w:r></w:p>';
    const illustrated = await read(docxWith(paragraph("It stands.") + drawing + preview));
    expect([illustrated.text, illustrated.incomplete]).toEqual(["It stands.", "Left out: embedded files (1), pictures (1)."]);
    expect(await read(docxWith(paragraph("It stands.")))).not.toHaveProperty("incomplete");
  });
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

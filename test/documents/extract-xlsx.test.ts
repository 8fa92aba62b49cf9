import { utils, type WorkBook, type WorkSheet, write } from "@e965/xlsx";
import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { createIsolatedExtractor } from "../../src/documents/isolation/isolated-extractor.ts";
import { officeWith } from "../helpers/made-files.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const read = (bytes: Uint8Array, url = "dues.xlsx", mediaType = XLSX) => createExtractor().extract({ bytes, mediaType, url });

function workbook(sheets: Readonly<Record<string, WorkSheet>>, hidden: readonly string[] = []): Uint8Array {
  const book: WorkBook = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
  book.Workbook = { Sheets: Object.keys(sheets).map((name) => ({ name, Hidden: hidden.includes(name) ? 1 : 0 })) };
  return new Uint8Array(write(book, { type: "array", bookType: "xlsx", cellStyles: true }));
}

async function blocksOf(bytes: Uint8Array): Promise<string[]> {
  const { text, blocks } = await read(bytes);
  return blocks.map(({ start, end, place }) => {
    const at = place === undefined ? "" : "sheet" in place ? `${place.sheet}!${place.range}: ` : "elsewhere: ";
    return at + text.slice(start, end);
  });
}

describe("a workbook", () => {
  it("becomes rows that name their headers, with numbers as a person sees them and their range as place", async () => {
    const sheet = utils.aoa_to_sheet([["港口费"], [], ["年份", "金额", "份额", "支付日"]]);
    const dues = { t: "n", v: 2_400_000.5, z: "#,##0.00" } as const;
    utils.sheet_add_aoa(sheet, [["2022年", dues, { t: "n", v: 0.125, z: "0.0%" }, { t: "n", v: 45_000, z: "d mmm yyyy" }]], {
      origin: "A4",
    });
    utils.sheet_add_aoa(sheet, [["2023年", { t: "n", v: 3, f: "1+2" }, { t: "b", v: true }, { t: "n", v: 45_000, z: "m/d/yy" }]], {
      origin: "A5",
    });
    expect(await blocksOf(workbook({ "费用 2023": sheet }))).toEqual([
      "费用 2023",
      "费用 2023!A1: 港口费",
      "费用 2023!A4:D4: 年份: 2022年 | 金额: 2,400,000.50 | 份额: 12.5% | 支付日: 2023-03-15",
      "费用 2023!A5:D5: 年份: 2023年 | 金额: 3 | 份额: TRUE | 支付日: 2023-03-15",
    ]);
  });

  it("gives dates of every format as YYYY-MM-DD, with the time if the value has one, and times, months and durations as formatted", async () => {
    const day = 46_143.5;
    const written: readonly (readonly [format: string, value: number, text: string])[] = [
      ["dd.mm.yyyy", 46_143, "2026-05-01"],
      ["d. mmmm yyyy", day, "2026-05-01 12:00"],
      ["yyyy年m月d日", 46_143, "2026-05-01"],
      ['[$-411]yyyy"年"m"月"d"日"', 46_143, "2026-05-01"],
      ["dd/mm/yyyy h:mm:ss", day + 1 / 86_400, "2026-05-01 12:00:01"],
      ["mm.yyyy", 46_143, "2026-05-01"],
      ["mmm yyyy", 46_143, "May 2026"],
      ["h:mm", day, "12:00"],
      ["[h]:mm", 1.25, "30:00"],
      ['0.0 "d/y"', 46_143, "46143.0 d/y"],
    ];
    const sheet = utils.aoa_to_sheet([
      ["Format", "Value"],
      ...written.map(([z, v]) => [
        { t: "s", v: z },
        { t: "n", v, z },
      ]),
    ]);
    expect((await blocksOf(workbook({ S: sheet }))).slice(1).map((row) => row.replace(/^.* Value: /, ""))).toEqual(
      written.map(([, , text]) => text),
    );
  });

  it("gives a number without a format with all its digits", async () => {
    const sheet = utils.aoa_to_sheet([["EAN"], [4_006_381_333_931], [123_456_789_012.5], [0.1 + 0.2], [1e-7], [-12.5], [1e21]]);
    expect((await blocksOf(workbook({ S: sheet }))).slice(2).map((row) => row.replace(/^.*: /, ""))).toEqual([
      "4006381333931",
      "123456789012.5",
      "0.3",
      "1e-7",
      "-12.5",
      "1e+21",
    ]);
  });

  it("writes a merged cell into the rows that it covers, and joins headers that stand above each other", async () => {
    const rows = [
      ["Region", "2022", "", "2023", ""],
      ["", "Q1", "Q2", "Q1", "Q2"],
      ["North", 1, 2, 3, 4],
      ["", 5, 6, 7, 8],
    ];
    const sheet = utils.aoa_to_sheet(rows);
    sheet["!merges"] = ["A1:A2", "B1:C1", "D1:E1", "A3:A4"].map((range) => utils.decode_range(range));
    expect((await blocksOf(workbook({ Q: sheet }))).slice(1)).toEqual([
      "Q!A3:E3: Region: North | 2022 Q1: 1 | 2022 Q2: 2 | 2023 Q1: 3 | 2023 Q2: 4",
      "Q!A4:E4: Region: North | 2022 Q1: 5 | 2022 Q2: 6 | 2023 Q1: 7 | 2023 Q2: 8",
    ]);
  });

  it("leaves out hidden sheets, rows and columns, pictures and formulas without a value, and says so", async () => {
    const sheet = utils.aoa_to_sheet([
      ["Year", "Dues", "Secret"],
      [2022, 1, "x"],
      [2023, 2, "y"],
      [2024, 3, "z"],
    ]);
    sheet["!rows"] = [{}, { hidden: true }];
    sheet["!cols"] = [{}, {}, { hidden: true }];
    const { text, incomplete } = await read(workbook({ Shown: sheet, 秘密: utils.aoa_to_sheet([["no"]]) }, ["秘密"]));
    expect(text.split(/\n+/)).toEqual(["Shown", "Year: 2023 | Dues: 2", "Year: 2024 | Dues: 3"]);
    expect(incomplete).toBe("Left out: hidden sheets “秘密” (1), hidden rows and columns (2).");
    const drawn = {
      ...unzipSync(workbook({ S: utils.aoa_to_sheet([["a"]]) })),
      "xl/drawings/drawing1.xml": strToU8("<d><pic/><pic/></d>"),
    };
    expect((await read(zipSync(drawn))).incomplete).toBe("Left out: pictures (2).");
    const uncalculated = officeWith({
      "xl/workbook.xml":
        '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels":
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      "xl/worksheets/sheet1.xml":
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>7</v></c><c r="B1"><f>A1*2</f><v></v></c></row></sheetData></worksheet>',
      "[Content_Types].xml":
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    });
    expect(await read(uncalculated)).toMatchObject({ text: "S\n\n7", incomplete: "Left out: formulas without a stored value (1)." });
  });

  it("is known by its media type, and by its name where the media type says nothing", async () => {
    const bytes = workbook({
      S: utils.aoa_to_sheet([
        ["a", "b"],
        [1, 2],
      ]),
    });
    expect((await read(bytes, "https://example.org/x")).text).toBe("S\n\na: 1 | b: 2");
    expect((await read(bytes, "https://example.org/%E8%B4%B9.xlsx", "application/octet-stream")).text).toBe("S\n\na: 1 | b: 2");
  });

  it("that is encrypted, cut off or no workbook is refused by name", async () => {
    const encrypted = Buffer.from("d0cf11e0a1b11ae1000000", "hex");
    await expect(read(encrypted)).rejects.toMatchObject({
      code: "blocked",
      message: expect.stringContaining("Save it as XLSX without a password"),
    });
    const bytes = workbook({ S: utils.aoa_to_sheet([["a"]]) });
    await expect(read(bytes.subarray(0, 600))).rejects.toMatchObject({ code: "unreadable" });
    await expect(read(officeWith({ "a.xml": "<a/>" }))).rejects.toMatchObject({ code: expect.stringMatching(/unreadable|empty/) });
  });

  it("that unpacks to far more than it has, or says it has a million rows, does no harm", async () => {
    const bomb = officeWith({ "xl/workbook.xml": Buffer.alloc(60_000_000, " ") });
    await expect(read(bomb)).rejects.toMatchObject({ code: "document_too_large" });
    const wide = utils.aoa_to_sheet([
      ["a", "b"],
      [1, 2],
    ]);
    utils.sheet_add_aoa(wide, [[8, 9]], { origin: "A1048576" });
    wide["!merges"] = [{ s: { r: 0, c: 0 }, e: { r: 1_048_575, c: 16_383 } }];
    const isolated = createIsolatedExtractor();
    const { text, incomplete } = await isolated.extract({ bytes: workbook({ W: wide }), mediaType: XLSX, url: "wide.xlsx" });
    expect([text, incomplete]).toEqual(["W\n\na: 1 | b: 2", "Left out: the rows after 20000 of long sheets (1)."]);
    await isolated.close();
  });
});

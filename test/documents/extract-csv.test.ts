import { expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";

const extractor = createExtractor();
const read = (text: string | Uint8Array, mediaType = "text/csv", url = "data.csv") =>
  extractor.extract({ bytes: Buffer.from(text as string), mediaType, url });

async function rowsOf(text: string): Promise<string[]> {
  const { text: read_, blocks } = await read(text);
  return blocks.map(({ kind, level, start, end }) => `${kind}${level}: ${read_.slice(start, end)}`);
}

it("each row names the header of each of its cells", async () => {
  expect(await rowsOf('Year,Revenue ($ billion),Note\n2022,24.1,\n2023,27.2,"with ""one"" sale,\nclosed"\n')).toEqual([
    "table-row1: Year: 2022 | Revenue ($ billion): 24.1",
    'table-row1: Year: 2023 | Revenue ($ billion): 27.2 | Note: with "one" sale, closed',
  ]);
});

it.each([
  ["semicolons", "年份;数额（亿元）\n2023;27,2\n"],
  ["tabs", "年份\t数额（亿元）\n2023\t27,2\n"],
  ["bars", "年份|数额（亿元）\n2023|27,2\n"],
])("finds out that %s separate the cells", async (_, text) => {
  expect((await rowsOf(text)).at(-1)).toBe("table-row1: 年份: 2023 | 数额（亿元）: 27,2");
});

it("reads the charset of Chinese spreadsheets, and a byte order mark", async () => {
  const gb = Buffer.from("c4eab7dd2cb8dfb6c80a313837342cc1f9cae5b8df0a".replace("c1f9cae5b8df", "cbc4caaec3d7"), "hex");
  expect((await read(gb)).text).toContain("年份: 1874 | 高度: 四十米");
  expect((await read(`\ufeff年份,高度\n1874,四十米\n`)).text).toBe("年份: 1874 | 高度: 四十米");
});

it("names cells without a header by their column, and reads short rows", async () => {
  expect(await rowsOf("A,,C\n1,2,3,4\n5\n")).toEqual(["table-row1: A: 1 | Column 2: 2 | C: 3 | Column 4: 4", "table-row1: A: 5"]);
});

it.each([
  ["a line that declares it", "sep=;\r\n年份;费用\r\n2023;3,1\r\n"],
  ["a line in quotes that declares it", '"sep=\t"\n年份\t费用\n2023\t3,1\n'],
  ["a byte order mark and such a line", "\ufeffsep=;\n年份;费用\n2023;3,1\n"],
  ["a title with commas", "Dues, fees, and tolls, in euros\n年份;费用\n2022;2,4\n2023;3,1\n"],
])("finds the delimiter by %s", async (_, text) => {
  expect((await rowsOf(text)).at(-1)).toBe("table-row1: 年份: 2023 | 费用: 3,1");
});

it("keeps what stands above and below a table as lines, and begins another table behind an empty row", async () => {
  const text =
    "Harbour dues\nStation;Aldermoor\n\nYear;Dues;Berths\n2022;2,4;14\n2023;3,1;15\nSource: harbour office\n\nName;Role\n奥黛丽;港长\n";
  expect(await rowsOf(text)).toEqual([
    "paragraph0: Harbour dues",
    "paragraph0: Station: Aldermoor",
    "table-row1: Year: 2022 | Dues: 2,4 | Berths: 14",
    "table-row1: Year: 2023 | Dues: 3,1 | Berths: 15",
    "paragraph0: Source: harbour office",
    "table-row1: Name: 奥黛丽 | Role: 港长",
  ]);
});

it("finds a header of years, and goes on under it behind an empty row", async () => {
  expect(await rowsOf("Item,2022,2023\nDues,1,2\n\nTolls,3,4\n")).toEqual([
    "table-row1: Item: Dues | 2022: 1 | 2023: 2",
    "table-row1: Item: Tolls | 2022: 3 | 2023: 4",
  ]);
});

it("makes no header of a row of numbers above numbers", async () => {
  expect(await rowsOf("房租,900\nPower,120\nTotal,1020\n")).toEqual([
    "paragraph0: 房租: 900",
    "paragraph0: Power: 120",
    "paragraph0: Total: 1020",
  ]);
  expect((await rowsOf("2026-01-05,12.50,Bus\n2026-01-06,9.80,Tram\n"))[0]).toBe("paragraph0: 2026-01-05 | 12.50 | Bus");
});

it("cuts huge cells and says so", async () => {
  const { text, incomplete } = await read(`Name,Text\none,${"a".repeat(2_000_000)}\ntwo,short\n`);
  expect(text.length).toBeLessThan(11_000);
  expect(text).toContain("Name: two | Text: short");
  expect(incomplete).toMatch(/10000 characters, were cut/);
});

it("stops where long headers would make the text longer than any other may be, and says after how many rows", async () => {
  const { text, incomplete } = await read(`${"h".repeat(5_000)},b\n${"1,2\n".repeat(200_000)}`);
  expect(text.length).toBeLessThan(5_200_000);
  expect(incomplete).toMatch(/only the first \d+ of 200000 rows were read/);
});

it("a table without an end of its quotes is unreadable, an empty one empty, and a picture no table", async () => {
  await expect(read('a,b\n"1,2\n3,4\n')).rejects.toMatchObject({ code: "unreadable" });
  await expect(read("\n\n")).rejects.toMatchObject({ code: "empty" });
  await expect(read(Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"))).rejects.toMatchObject({ code: "unreadable" });
});

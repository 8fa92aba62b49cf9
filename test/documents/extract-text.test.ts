import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { blockLines, expectSoundBlocks } from "./sound-blocks.ts";

async function lines(text: string | Uint8Array): Promise<string[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const document = await createExtractor().extract({ bytes, mediaType: "text/plain", url: "corpus:a.txt" });
  expectSoundBlocks(document);
  return blockLines(document);
}

describe("a plain text", () => {
  it("gives wrapped paragraphs as one block and lists line by line", async () => {
    const bytes = await readFile(new URL("../fixtures/corpus/guides/bakery-notes.txt", import.meta.url));
    expect(await lines(bytes)).toEqual([
      "heading1: Notes on the village bakery",
      "paragraph: The oven was built in 1911 from river stones and has been fired with beech ever since. It needs five hours to reach its heat and gives bread for two days.",
      "paragraph: Price list",
      "paragraph: Rye loaf 4.20",
      "paragraph: Poppy roll 0.90",
      "list-item1: * Rye flour comes from the mill at Tarn",
      "list-item1: * Salt is bought by the sack",
    ]);
  });

  it("keeps unwrapped lines apart", async () => {
    const long = "x ".repeat(100).trim();
    expect(await lines(`${long}\n${long}`)).toEqual([`paragraph: ${long}`, `paragraph: ${long}`]);
  });

  it("joins wrapped Chinese without a space", async () => {
    const line = "一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十";
    expect(await lines(`${line}\n${line}\n完。`)).toEqual([`paragraph: ${line}${line}完。`]);
  });

  it("may have the line ends of Windows and old Macs, too", async () => {
    expect(await lines("Go.\r\n\r\nStop.\r\rEnd.")).toEqual(["paragraph: Go.", "paragraph: Stop.", "paragraph: End."]);
  });

  it("keeps a character beyond the basic plane whole, with UTF-16 offsets", async () => {
    const bytes = new TextEncoder().encode("𠮷野家。\n\n二。");
    const document = await createExtractor().extract({ bytes, mediaType: "text/plain", url: "a.txt" });
    expect(document.blocks.map(({ start, end }) => [start, end])).toEqual([
      [0, 5],
      [7, 9],
    ]);
  });
});

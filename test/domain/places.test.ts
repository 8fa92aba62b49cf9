import { expect, it } from "vitest";
import { withPlaces } from "../../src/domain/citations.ts";
import type { Block, Place } from "../../src/domain/document.ts";

const block = (start: number, end: number, place?: Place): Block => ({ kind: "table-row", start, end, level: 1, ...(place && { place }) });
const cited = (contentHash: string, start: number, end: number) => ({ id: 1, sourceId: "S1", contentHash, start, end, quote: "年份" });

it("a citation gets the place of the block that it begins in; rows of one sheet are one range", () => {
  const sheet = [block(0, 10), block(12, 20, { sheet: "费用", range: "A4:D4" }), block(22, 30, { sheet: "费用", range: "B5" })];
  const slides = [block(0, 10, { slide: 1 }), block(10, 20, { slide: 1, notes: true })];
  const documents = [{ contentHash: "sheet", blocks: sheet }, { contentHash: "slides", blocks: slides }, { contentHash: "none" }];
  const passages = [cited("sheet", 13, 20), cited("sheet", 13, 30), cited("sheet", 0, 10), cited("slides", 10, 12), cited("none", 0, 5)];
  expect(withPlaces(passages, documents).map((one) => (one as { place?: Place }).place)).toEqual([
    { sheet: "费用", range: "A4:D4" },
    { sheet: "费用", range: "A4:B5" },
    undefined,
    { slide: 1, notes: true },
    undefined,
  ]);
});

import { expect, it } from "vitest";
import type { AnalyzedDocument } from "../../src/domain/analysis.ts";
import { contentHashOf } from "../../src/domain/document.ts";
import { analyzeText } from "../../src/ranking/analyze-text.ts";
import { findPassages } from "../../src/tools/documents/find-passages.ts";

function documentOf(title: string, text: string): AnalyzedDocument {
  const details = { title, url: `upload:${title}`, language: null, publishedAt: null, author: null, blocks: [] };
  return { ...details, text, contentHash: contentHashOf(text), analysis: analyzeText({ text, blocks: [] }) };
}

const filler = "The ferry sails at seven in the morning and returns in the evening. ".repeat(200);
const find = (query: string, documents: readonly AnalyzedDocument[]) =>
  findPassages(query, documents).map(({ document, snippet }) => [document.title, snippet] as const);

it("finds the passage in a long text, and begins with the document that has the best one", () => {
  const documents = [documentOf("ferry", filler), documentOf("lamp", `${filler}The lamp of Tolmere was first lit in 1874. ${filler}`)];
  const [first] = find("When was the lamp of Tolmere lit?", documents);
  expect(first?.[0]).toBe("lamp");
  expect(first?.[1]).toContain("The lamp of Tolmere was first lit in 1874.");
  expect(first?.[1].length).toBeLessThanOrEqual(300);
});

it("finds Chinese in either spelling", () => {
  const documents = [documentOf("一", "港口一月结冰。"), documentOf("二", "托爾米爾燈塔建於1874年，燈裡燒的是菜油。")];
  expect(find("灯塔建于哪一年？", documents)[0]).toEqual(["二", "托爾米爾燈塔建於1874年，燈裡燒的是菜油。"]);
});

it("counts a title, and gives documents without a word of the query last with their beginning", () => {
  const documents = [documentOf("nothing", "Alpha beta."), documentOf("Lease of the harbour", "Three months to the end of a quarter.")];
  expect(find("What notice does the lease have?", documents)).toEqual([
    ["Lease of the harbour", "Three months to the end of a quarter."],
    ["nothing", "Alpha beta."],
  ]);
  expect(find("Zebra?", documents).map(([title]) => title)).toEqual(["nothing", "Lease of the harbour"]);
  expect(find("Zebra?", [])).toEqual([]);
});

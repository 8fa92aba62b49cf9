import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import { supportOf } from "./support-of.ts";

const MARKDOWN = `# Report

| Grain | Revenue ($bn) | Margin, % |
|---|---|---|
| Wheat | 48.6 | 12.3 |
| Barley | 7.4 | 9.1 |

All numbers of this table are in millions of euros.

| Item | 2024 | 2023 |
|---|---|---|
| Rail | 5,120 | 4,870 |

| Country | Plants 2024 | Plants 2023 |
|---|---|---|
| Chile | 261 | 198 |

| € million | 2024 | 2023 |
|---|---|---|
| Nickel | 31.8 | 27.5 |

单位：亿元

| 项目 | 2024年 | 2023年 |
|---|---|---|
| 玉米 | 18.4 | 16.9 |
`;
const HTML = micromark(MARKDOWN, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });

/** The text that runs read, whose tables have no `|` at the beginning of a line. */
async function readAs(mediaType: string, body: string): Promise<string> {
  const file = { bytes: Buffer.from(body), mediaType, url: "https://example.org/report" };
  return (await createExtractor().extract(file, new AbortController().signal)).text;
}

describe.each([
  ["Markdown", await readAs("text/markdown", MARKDOWN)],
  ["HTML", await readAs("text/html", `<!doctype html><title>Report</title><article>${HTML}</article>`)],
])("a table of a document in %s", (_, document) => {
  const [WHEAT, RAIL, CHILE, NICKEL] = [
    "Wheat | 48.6 | 12.3",
    "Rail | 5,120 | 4,870",
    "Chile | 261 | 198",
    "Nickel | 31.8 | 27.5",
  ] as const;

  it.each([
    ["Wheat brought $48.6 billion.", WHEAT],
    ["The margin of wheat was 12.3%.", WHEAT],
    ["Chile went from 198 plants in 2023 to 261 in 2024.", CHILE],
    ["Nickel brought €31.8 million in 2024.", NICKEL],
  ])("gives the numbers of a row the units and years of their heads: %s", (text, quote) => {
    expect(supportOf(text, document, { quotes: [quote] })).toBe("paraphrased");
  });

  it("lets a writer calculate with the units, or without them", () => {
    const judge = (text: string, quotes: string[], expression: string) => supportOf(text, document, { quotes, expression });
    expect(judge("Rail rose by €250 million.", [RAIL], "5,120 - 4,870")).toBe("computed");
    expect(judge("Both brought $56 billion.", [WHEAT, "Barley | 7.4 | 9.1"], "$48.6 billion + $7.4 billion")).toBe("computed");
  });

  it.each([
    ["struck currency_contradicted", "Wheat brought €48.6 billion.", WHEAT],
    ["struck amount_contradicted", "Wheat brought $48.6 million.", WHEAT],
    ["struck amount_contradicted", "Rail cost €5,120.", RAIL],
  ])("says %s: %s", (reason, text, quote) => {
    expect(supportOf(text, document, { quotes: [quote] })).toBe(reason);
  });

  it("quotes a row below the head of its table", () => {
    const quotes = [CHILE];
    expect(supportOf(CHILE, document, { quotes, head: ["Country", "Plants 2024", "Plants 2023"] })).toBe("quoted");
    expect(supportOf(CHILE, document, { quotes, head: ["Country", "Plants 2023", "Plants 2024"] })).toBe("paraphrased");
  });
});

describe("a note that scales numbers", () => {
  const TABLE =
    "Figures in millions of euros\n\n|  | 2024 | Growth |\n| --- | --- | --- |\n| Revenue | 64.5 | 11.4% |\n| Founded | 1950 | |";
  const LINES = "(in millions of euros)\nRevenue 64.5 60.1\nThe company was founded in 1950 and has 350 shops.";
  it.each([
    ["Revenue was €64.5 million.", TABLE, "| Revenue | 64.5 | 11.4% |"],
    ["营收为2.8亿元。", "单位：万元\n\n| 项目 | 2024年 |\n| --- | --- |\n| 营收 | 28,000 |", "| 营收 | 28,000 |"],
    ["It has 350 shops.", LINES, "350 shops"],
  ])("scales the rows of figures: %s", (text, document, quote) => {
    expect(supportOf(text, document, { quotes: [quote] })).toMatch(/^(?:paraphrased|quoted)$/);
  });

  it.each([
    ["It has 350 million shops.", LINES, "350 shops"],
    ["It was founded by 1,950 million people.", TABLE, "| Founded | 1950 | |"],
    ["Revenue was €64.5.", TABLE, "| Revenue | 64.5 | 11.4% |"],
  ])("and nothing else: %s", (text, document, quote) => {
    expect(supportOf(text, document, { quotes: [quote] })).toMatch(/_not_in_quote|_contradicted/);
  });
});

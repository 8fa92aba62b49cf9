import { describe, expect, it } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import { extendQuote } from "../../../src/evidence/quote-extension.ts";
import { judgeClaim } from "../../../src/evidence/support/judge.ts";

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
const tableOf = (table: string): string => {
  const rows = table.split("\n").filter((line) => !line.startsWith("|--"));
  return `<table>${rows
    .map(
      (row) =>
        `<tr>${row
          .slice(1, -1)
          .split("|")
          .map((cell) => `<td>${cell.trim()}</td>`)
          .join("")}</tr>`,
    )
    .join("")}</table>`;
};
const HTML = `<!doctype html><title>Report</title><article>${MARKDOWN.split("\n\n")
  .slice(1)
  .map((part) => (part.startsWith("|") ? tableOf(part.trim()) : `<p>${part}</p>`))
  .join("")}</article>`;

/** The text that runs read, whose tables have no `|` at the beginning of a line. */
async function readAs(mediaType: string, body: string): Promise<string> {
  const file = { bytes: Buffer.from(body), mediaType, url: "https://example.org/report" };
  return (await createExtractor().extract(file, new AbortController().signal)).text;
}

describe.each([
  ["Markdown", await readAs("text/markdown", MARKDOWN)],
  ["HTML", await readAs("text/html", HTML)],
])("a table of a document in %s", (_, document) => {
  const judge = (text: string, quotes: readonly string[], { expressions = [], head }: { expressions?: string[]; head?: string[] } = {}) => {
    const places = quotes.map((quote) => {
      const start = document.indexOf(quote);
      expect(start).toBeGreaterThanOrEqual(0);
      const written = { start, end: start + quote.length };
      return { ...extendQuote(document, written), written, text: document, contentHash: "t" };
    });
    const { support, why } = judgeClaim({ text, expressions, head }, places, { names: [], addresses: [] });
    return why?.reason ?? support;
  };
  const [WHEAT, RAIL, CHILE, NICKEL, MAIZE] = [
    "Wheat | 48.6 | 12.3",
    "Rail | 5,120 | 4,870",
    "Chile | 261 | 198",
    "Nickel | 31.8 | 27.5",
    "玉米 | 18.4 | 16.9",
  ] as const;

  it.each([
    ["Wheat brought $48.6 billion.", WHEAT],
    ["The margin of wheat was 12.3%.", WHEAT],
    ["Rail cost €5.12 billion in 2024.", RAIL],
    ["Chile went from 198 plants in 2023 to 261 in 2024.", CHILE],
    ["Nickel brought €31.8 million in 2024.", NICKEL],
    ["玉米2024年为18.4亿元。", MAIZE],
  ])("gives the numbers of a row the units and years of their heads: %s", (text, quote) => {
    expect(judge(text, [quote])).toBe("paraphrased");
  });

  it("lets a writer calculate with the units, or without them", () => {
    expect(judge("Rail rose by €250 million.", [RAIL], { expressions: ["5,120 - 4,870"] })).toBe("computed");
    expect(judge("Both brought $56 billion.", [WHEAT, "Barley | 7.4 | 9.1"], { expressions: ["$48.6 billion + $7.4 billion"] })).toBe(
      "computed",
    );
  });

  it.each([
    ["currency_contradicted", "Wheat brought €48.6 billion.", WHEAT],
    ["amount_contradicted", "Wheat brought $48.6 million.", WHEAT],
    ["amount_not_in_quote", "Wheat brought $12.3 billion.", WHEAT],
    ["amount_contradicted", "Rail cost €5,120.", RAIL],
    ["date_contradicted", "Chile had 198 plants in 2024.", CHILE],
    ["date_contradicted", "玉米2024年为16.9亿元。", MAIZE],
    ["date_contradicted", "Rail cost €4.87 billion in 2024 and €5.12 billion in 2023.", RAIL],
    ["date_contradicted", "玉米2024年为16.9亿元，2023年为18.4亿元。", MAIZE],
  ])("says %s: %s", (reason, text, quote) => {
    expect(judge(text, [quote])).toBe(reason);
  });

  it("tells two swapped columns", () => {
    const head = ["Country", "Plants 2024", "Plants 2023"];
    expect(judge("Chile | 261 | 198", [CHILE], { head })).toBe("paraphrased");
    expect(judge("Chile | 198 | 261", [CHILE], { head })).toBe("amount_not_in_quote");
  });
});

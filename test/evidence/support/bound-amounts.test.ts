import { describe, expect, it } from "vitest";
import { readCitedText } from "../../../src/evidence/cited-text.ts";
import type { Evidence } from "../../../src/evidence/quote-location.ts";
import { findMisplaced } from "../../../src/evidence/support/other-places.ts";
import { finish } from "../../../src/util/turns.ts";

const misboundAmount = (sentence: string, quotes: readonly string[]): string | null =>
  findMisplaced(
    sentence,
    undefined,
    quotes.map((text) => ({ text, contentHash: "", start: 0, end: text.length })),
  )?.words ?? null;

const MARGIN = "The operating margin was 12.4% in 2024, compared with 13.9% in 2023.";
const INCOME = "Net income fell to $1.84 billion in 2024 from $2.10 billion in 2023.";
const RATE = "The interest rate was raised by 25 basis points to 4.75%.";
const CHINESE = "2024年公司营业收入为148.6亿元，2023年为132.3亿元。";

it.each([
  ["The margin was 12.4% in 2023.", MARGIN],
  ["The margin was 13.9% in 2024, compared with 12.4% in 2023.", MARGIN],
  ["Income fell to $2.10 billion in 2024 from $1.84 billion in 2023.", INCOME],
  ["Turnover was CHF 12.5 million in 2023.", "Turnover was CHF 12.5 million (2023: CHF 11.0 million)."],
  ["2024年收入为132.3亿元。", CHINESE],
  ["It made between 10 and 20 tons in 2024.", "It made between 10 and 20 tons in 2023 and 5 tons in 2024."],
  ["The rate was raised to 25 basis points.", RATE],
  ["The rate was raised by 4.75%.", RATE],
  ["Revenue rose by $27.2 billion.", "Revenue rose 3.5 percent to $27.2 billion."],
  ["Unemployment fell to 6.1%.", "Unemployment fell from 6.1% to 4.8%."],
  ["失业率降至6.1%。", "失业率由6.1%降至4.8%。"],
  ["利率上调至25个基点。", "利率上调25个基点至4.75%。"],
])("finds an amount that its quote has with another year or as another part of a change: %s", (sentence, quote) => {
  expect(misboundAmount(sentence, [quote])).not.toBeNull();
});

it.each([
  ["The margin was 12.4% in 2024.", MARGIN],
  ["In 2023 the margin had been 13.9%.", MARGIN],
  ["Income was $1.8 billion in 2024, and $2.10 billion in 2023.", INCOME],
  ["2024年收入为148.6亿元，上年为132.3亿元。", CHINESE],
  ["Turnover was CHF 12.5 million in 2024.", "Turnover was CHF 12.5 million (2023: CHF 11.0 million)."],
  ["The rate was raised to 4.75%, by 25 basis points.", RATE],
  ["The increase amounted to 25 basis points in 2024.", "The rate was raised by 25 basis points."],
  ["Unemployment fell to 4.8% from 6.1%.", "Unemployment fell from 6.1% to 4.8%."],
  ["Sales were $5 million in 2020.", "Founded in 1998, it had sales of $5 million in 2020 and of $6 million in 2021."],
  ["Sales were $5 million in 2021.", "In 2021 and 2022, sales were $5 million and $6 million."],
])("finds none otherwise: %s", (sentence, quote) => {
  expect(misboundAmount(sentence, [quote])).toBeNull();
});

describe("a sentence", () => {
  const judge = (sentence: string, document: string, expression = "") => {
    const evidence: Evidence = { id: "P1", sourceId: "S", contentHash: "d", text: document, start: 0, end: document.length };
    const quote = document.replace(/[.。]$/, "");
    const { claims, struck } = finish(readCitedText(`${sentence} [P1: "${quote}"]${expression}`, new Map([["P1", evidence]])));
    return claims[0]?.support ?? struck[0]?.reason;
  };

  it.each([
    ["Growth was 2.5% in 2024.", "Growth was -2.5% in 2024."],
    ["增长率为2.5%。", "增长率为-2.5%。"],
    ["Orion revenue was $5 million.", "Orion revenue was $5 million below forecast."],
    ["The vaccine was 95% effective.", "The vaccine was 95% effective in mice."],
    ["公司否认。", "公司否认亏损。"],
    ["Orion owns the whole farm.", "Orion owns the whole farm, doesn't it?"],
    ["Orion owns the whole farm.", "“Orion owns the whole farm” was never true."],
    ["猎户座公司拥有农场。", "猎户座公司拥有农场，是吗？"],
  ])("is not quoted without the minus, the end of its clause or what turns its sentence: %s", (sentence, document) => {
    expect(judge(sentence, document)).toBe("paraphrased");
  });

  it.each([
    ["Growth was -2.5% in 2024.", "Growth was -2.5% in 2024."],
    ["The margin widened to 11.4%.", "The margin widened to 11.4% from 9.8%."],
    ["Orion closed two plants.", "Orion closed two plants and opened one."],
  ])("is quoted with them, or before what it was before: %s", (sentence, document) => {
    expect(judge(sentence, document)).toBe("quoted");
  });

  it("may say that an amount doubled or halved if its amounts are about so", () => {
    const document = "Orion revenue was $5.1 million in 2023 and $10.3 million in 2024.";
    expect(judge("Orion revenue doubled to $10.3 million from $5.1 million.", document)).toBe("paraphrased");
    expect(judge("Orion revenue tripled to $10.3 million from $5.1 million.", document)).toBe("unverified");
  });

  it("may take an amount from the end of one quote if the next one begins with 每", () => {
    const text = "锂的收率为93.2%。每吨能耗由5.8兆瓦时降到4.1兆瓦时。";
    const evidence: Evidence = { id: "P1", sourceId: "S", contentHash: "d", text, start: 0, end: text.length };
    const written = "锂的收率为93.2%，能耗降到4.1兆瓦时。[P1: “锂的收率为93.2%”][P1: “每吨能耗由5.8兆瓦时降到4.1兆瓦时”]";
    expect(finish(readCitedText(written, new Map([["P1", evidence]]))).claims[0]?.support).toBe("paraphrased");
  });

  it("may divide a sum by the number of its terms, also if an amount has the same numeral", () => {
    const document = "Orion sold for $3m in Q1, for $4m in Q2, for $5m in Q3 and for $6m in Q4 of 2024.";
    expect(judge("Orion sold for $4.5m on average.", document, " [= ($3m + $4m + $5m + $6m) / 4]")).toBe("computed");
  });
});

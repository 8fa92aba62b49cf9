import { describe, expect, it } from "vitest";
import { supportOf } from "./support-of.ts";

const EARNINGS = `Kestrel's revenue rose 3.5 percent to $27.2 billion, compared with $26.28 billion a year earlier.
The margin, which analysts watch, widened to 11.4% from 9.9%, an increase of 150 basis points.
Revenue will grow by 8 to 10 percent. Capital spending is between $2.1 billion and $2.3 billion. At least 14 people came on Wednesday.`;
const CHINESE = "公司当季营业收入为128亿元,上年同期为96亿元。净利润14亿元。毛利率由19.6%升至22.1%,提高2.5个百分点。";
const MADE =
  "The plant made 1 prototype. It built 40 of them for 12 customers. Stocks were 120 in 2020 and 150 in 2021, after 40 and 40 in May.";

describe("a sentence is computed", () => {
  it.each([
    ["It gained $920 million.", EARNINGS, "$27.2 billion - $26.28 billion"],
    ["That is 1.5 percentage points more.", EARNINGS, "11.4% - 9.9%"],
    ["Stocks rose 25%.", MADE, "150 / 120 - 1"],
    ["It took 1 year.", MADE, "2021 - 2020"],
    ["Both have about 18,320 people.", "One has about 18,000 people and the other 320 people.", "18,000 people + 320 people"],
  ])("%s", (sentence, document, expression) => {
    expect(supportOf(sentence, document, { expression })).toBe("computed");
  });

  it.each([
    ["struck wrong_result", "It gained $1.92 billion.", EARNINGS, "$27.2 billion - $26.28 billion"],
    ["operand_not_in_quote", "It gained $2.2 billion.", EARNINGS, "$27.2 billion - $25 billion"],
    ["operand_not_in_quote", "Sales grow by $11 billion.", "Sales go from $20 billion to $29-31 billion.", "$31 billion - $20 billion"],
    ["expression_not_understood", "It gained $38.6 billion.", EARNINGS, "$27.2 billion less $26.28 billion"],
    ["amount_not_in_quote", "总额为52元。", MADE, "40 + 12"],
  ])("and otherwise %s: %s", (reason, sentence, document, expression) => {
    expect(supportOf(sentence, document, { expression })).toBe(reason);
  });
});

describe("a sentence is paraphrased if its amounts and dates stand whole in its quotes", () => {
  it.each([
    ["The margin widened to 11.4%.", EARNINGS],
    ["价格从每吨3000元上涨到3500元。", "价格由3000元/吨涨至3500元/吨"],
    ["More than 400,000 homes lost power.", "Between 410,000 and 450,000 homes lost power."],
    ["The margin gained 2.5 points.", "The margin rose by 2.5 percentage points."],
    ["Revenue fell by 3.5%.", EARNINGS],
  ])("%s", (sentence, document) => {
    expect(supportOf(sentence, document)).toBe("paraphrased");
  });

  it.each([
    ["Wind speed reached 120 km.", "Wind speed reached 120 km/h."],
    ["The dose was 5 mg.", "The dose was 5 mg/kg."],
    ["3,200 jobs will go.", "At least 3,200 jobs will go."],
    ["It has under 700 shops.", "It has over 700 shops."],
    ["It earned $1 per share.", "It earned $1.5 billion."],
    ["Halden's revenue tripled.", "Halden's revenue rose from $5.1 million to $10.3 million."],
  ])("and is not verified if they do not: %s", (sentence, document) => {
    expect(supportOf(sentence, document)).toBe("amount_not_in_quote");
  });

  it.each([
    ["Capex will be $3.6 billion.", "Capex will be between $3.1 billion and $3.6 billion."],
    ["资本开支或将达到25亿元。", "资本开支预计在20亿元至25亿元之间。"],
  ])("and is not verified with one end of a range: %s", (sentence, document) => {
    expect(supportOf(sentence, document)).toBe("end_of_range");
  });

  it("and is not verified with a date that they lack", () => {
    expect(supportOf("Revenue was $27.2 billion in 2025.", EARNINGS)).toBe("date_not_in_quote");
  });
});

describe("a sentence is struck if a quote contradicts it", () => {
  it.each([
    ["amount_contradicted", "Revenue was $27.2 million.", EARNINGS],
    ["amount_contradicted", "净利润14元。", CHINESE],
    ["unit_contradicted", "The margin rose by 150 percentage points.", EARNINGS],
    ["percent_for_points", "毛利率提高了2.5%。", CHINESE],
  ])("%s: %s", (reason, sentence, document) => {
    expect(supportOf(sentence, document)).toBe(`struck ${reason}`);
  });

  it("also if its quote ends inside the amount", () => {
    const quotes = ["rose 3.5 percent to $27.2"];
    expect(supportOf("Revenue rose 3.5 percent to $27.2.", EARNINGS, { quotes })).toBe("struck amount_contradicted");
    expect(supportOf("Spending is $2.3 billion.", EARNINGS, { quotes: ["and $2.3 billion"] })).toBe("end_of_range");
  });
});

it("a sentence of many numbers in words is judged", () => {
  expect(supportOf(`It has ${"nine, ".repeat(600)}nine.`, "It has eight parts.")).toBe("amount_not_in_quote");
});

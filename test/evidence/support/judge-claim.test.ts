import { describe, expect, it } from "vitest";
import { extendQuote } from "../../../src/evidence/quote-extension.ts";
import { judgeClaim, type Known } from "../../../src/evidence/support/judge.ts";
import { missingNames } from "../../../src/evidence/support/names.ts";
import type { QuotedPlace } from "../../../src/evidence/support/quote-texts.ts";

const ENGLISH = `Kestrel's revenue rose 3.5 percent to $27.2 billion, compared with $26.28 billion a year earlier. Costs fell by -$5 million.
Oduya said the company would not raise its prices before July. Marian Oduya is chief executive.
The margin, which analysts watch, widened to 11.4% from 9.9%, an increase of 150 basis points.
Revenue will grow by 8 to 10 percent. Capital spending is between $2.1 billion and $2.3 billion. At least 14 people came on Wednesday.

| Product | Sales ($ million) | Share (%) |
| --- | --- | --- |
| Oats | 92.4 | 62 |
| Yogurt | 37.5 | 25 |`;
const CHINESE = "公司当季营业收入为128亿元,上年同期为96亿元。公司没有放弃上市计划,净利润14亿元。毛利率由19.6%升至22.1%,提高2.5个百分点。";

function judge(text: string, quotes: readonly string[], { known = [], expressions = [], head }: Partial<Options> = {}) {
  const places = quotes.map((quote): QuotedPlace => {
    const document = ENGLISH.includes(quote) ? ENGLISH : CHINESE;
    const start = document.indexOf(quote);
    expect(start).toBeGreaterThanOrEqual(0);
    const written = { start, end: start + quote.length };
    return { ...extendQuote(document, written), written, text: document, contentHash: document.slice(0, 9) };
  });
  const names: Known = { names: known, addresses: [] };
  const { support, why } = judgeClaim({ text, expressions, head }, places, names);
  return why === null ? support : why.reason;
}

interface Options {
  readonly known: readonly string[];
  readonly expressions: readonly string[];
  readonly head: readonly string[];
}

it.each([
  ["The vaccine is 95% effective.", "The vaccine is 95% effective from 14 days after the second dose.", "paraphrased"],
  ["The margin widened to 11.4%.", "The margin widened to 11.4% from 9.9%.", "quoted"],
])("a sentence that leaves out from when on it holds is not quoted: %s", (text, document, support) => {
  const place = { text: document, contentHash: "", start: 0, end: document.length };
  expect(judgeClaim({ text }, [place], { names: [], addresses: [] })).toMatchObject({ support });
});

it.each([
  ["Sales of the Boeing 737 rose.", "Sales of the plane rose.", "What about the Boeing 737?"],
  ["空客 A320 和 Boeing 737 的销量上升。", "飞机销量上升。", "空客 A320 和 Boeing 737 怎么样？"],
])("a number belongs to a name of the question: %s", (text, document, question) => {
  const place = { text: document, contentHash: "", start: 0, end: document.length };
  expect(judgeClaim({ text }, [place], { names: [question], addresses: [] })).toMatchObject({ support: "paraphrased" });
  expect(judgeClaim({ text }, [place], { names: [], addresses: [] })).toMatchObject({ support: "unverified" });
});

describe("a sentence is quoted", () => {
  it.each([
    ["Kestrel's revenue rose 3.5% to $27.2 billion.", "Kestrel's revenue rose 3.5 percent to $27.2"],
    ["The Kestrel's revenue rose 3.5 per cent to $27.2bn.", "Kestrel's revenue rose 3.5 percent to $27.2 billion"],
    ["The margin widened to 11.4%.", "The margin, which analysts watch, widened to 11.4% from 9.9%"],
    ["At least 14 people came.", "At least 14 people came on Wednesday"],
    ["公司当季营业收入为128亿元。", "公司当季营业收入为128亿元,上年同期为96"],
    ["毛利率由19.6%升至22.1%。", "毛利率由19.6%升至22.1%,提高2.5个百分点"],
  ])("if its words stand in its quote: %s", (text, quote) => {
    expect(judge(text, [quote])).toBe("quoted");
  });

  it.each([
    [
      "if a negation is left out",
      "The company would raise its prices before July.",
      "said the company would not raise its prices before July",
    ],
    ["if the quote was cut behind a negation", "raise its prices before July", "raise its prices before July"],
    ["if the order differs", "The margin widened to 11.4%, which analysts watch.", "The margin, which analysts watch, widened to 11.4%"],
    ["if it is cut out of a clause", "The revenue rose 3.5 per cent to $27.2bn.", "revenue rose 3.5 percent to $27.2 billion"],
    ["if a preposition differs", "Revenue rose by 3.5% to $27.2 billion.", "revenue rose 3.5 percent to $27.2 billion"],
    ["if a negation is left out (Chinese)", "公司放弃上市计划。", "公司没有放弃上市计划"],
  ])("and only paraphrased %s", (_, text, quote) => {
    expect(judge(text, [quote])).toBe("paraphrased");
  });
});

describe("a sentence is computed", () => {
  it.each([
    ["It gained $920 million.", "$27.2 billion, compared with $26.28 billion", "$27.2 billion - $26.28 billion"],
    ["That is 1.5 percentage points more.", "11.4% from 9.9%", "11.4% - 9.9%"],
    ["Oats sold 2.5 times as much as yogurt.", "| Oats | 92.4 | 62 |\n| Yogurt | 37.5 | 25 |", "92.4 / 37.5"],
    ["Both sold $129.9 million.", "| Oats | 92.4 | 62 |\n| Yogurt | 37.5 | 25 |", "92.4 + 37.5"],
    ["The rest sold 38%.", "| Oats | 92.4 | 62 |", "100% - 62%"],
    ["收入增长33.3%。", "营业收入为128亿元,上年同期为96亿元", "(128亿元 - 96亿元) / 96亿元"],
    ["毛利率的平均值为20.85%。", "毛利率由19.6%升至22.1%", "(19.6% + 22.1%) / 2"],
  ])("%s", (text, quote, expression) => {
    expect(judge(text, [quote], { expressions: [expression] })).toBe("computed");
  });

  it.each([
    ["wrong_result", "It gained $1.92 billion.", "$27.2 billion - $26.28 billion"],
    ["wrong_result", "It gained 1.5 percent.", "11.4% - 9.9%"],
    ["operand_not_in_quote", "It gained $2.2 billion.", "$27.2 billion - $25 billion"],
    ["expression_not_understood", "It gained $38.6 billion.", "$27.2 billion + 11.4%"],
    ["expression_not_understood", "It gained $38.6 billion.", "$27.2 billion less $26.28 billion"],
    ["operand_not_in_quote", "It gained $38.6 billion.", "$27.2 billion / ($26.28 billion - $26.28 billion)"],
  ])("and otherwise %s: %s", (reason, text, expression) => {
    expect(judge(text, ["$27.2 billion, compared with $26.28 billion", "11.4% from 9.9%"], { expressions: [expression] })).toBe(reason);
  });
});

describe("a calculation", () => {
  const document =
    "The plant made 1 prototype. It built 40 of them for 12 customers. Stocks were 120 in 2020 and 150 in 2021, after 40 and 40 in May.";
  const judgeIn = (text: string, quote: string, expression: string) => {
    const start = document.indexOf(quote);
    const place = { text: document, contentHash: "c", start, end: start + quote.length };
    const { support, why } = judgeClaim({ text, expressions: [expression] }, [place], { names: [], addresses: [] });
    return why === null ? support : `${why.reason}: ${why.words}`;
  };
  const [built, stocks] = ["It built 40 of them for 12 customers", "Stocks were 120 in 2020 and 150 in 2021, after 40 and 40 in May"];

  it.each([
    ["It built $52 in all.", built, "40 + 12", "amount_not_in_quote: 52"],
    ["It emitted 52 tonnes.", built, "40 + 12", "amount_not_in_quote: 52 tonnes"],
    ["It built 52% of them.", built, "40 + 12", "amount_not_in_quote: 52%"],
    ["总额为52元。", built, "40 + 12", "amount_not_in_quote: 52元"],
  ])("gives no unit that its operands lack: %s", (text, quote, expression, reason) => {
    expect(judgeIn(text, quote, expression)).toBe(reason);
  });

  it.each([
    ["It made 2 prototypes.", "The plant made 1 prototype", "1 + 1", "operand_not_in_quote: 1"],
    ["It built 80 of them.", built, "40 + 40", "operand_not_in_quote: 40"],
    ["It had 13 customers.", built, "12 + 1", "operand_not_in_quote: 1"],
    ["It had 112 customers.", built, "100 + 12", "operand_not_in_quote: 100"],
  ])("adds an amount as often as the quotes have it: %s", (text, quote, expression, reason) => {
    expect(judgeIn(text, quote, expression)).toBe(reason);
  });

  it.each([
    ["Stocks rose 25%.", stocks, "(150 - 120) / 120"],
    ["Stocks rose 25%.", stocks, "150 / 120 - 1"],
    ["That is 30% of them.", built, "12 / 40"],
    ["Stocks were 80 then.", stocks, "40 + 40"],
  ])("may use an amount again in another term, or where the quotes have two: %s", (text, quote, expression) => {
    expect(judgeIn(text, quote, expression)).toBe("computed");
  });

  it("gives years as the difference of years", () => {
    expect(judgeIn("It took 1 year.", stocks, "2021 - 2020")).toBe("computed");
  });
});

describe("a sentence is paraphrased", () => {
  it.each([
    ["Marian Oduya promised stable prices until July.", "Oduya said the company would not raise its prices before July"],
    ["Kestrel 的收入为272亿美元。", "$27.2"],
    ["The company earned 12.8 billion yuan.", "公司当季营业收入为128"],
    ["Oats sold $92.4 million, 62 percent of all.", "| Oats | 92.4 | 62 |"],
    ["A growth of 8% to 10% is expected.", "10 percent"],
  ])("%s", (text, quote) => {
    expect(judge(text, [quote])).toBe("paraphrased");
  });

  it("also as a row of a table with the units in its head", () => {
    const options = { head: ["Product", "Sales (billion dollars)"] };
    expect(judge("Kestrel | 27.2", ["$27.2"], options)).toBe("paraphrased");
    expect(judge("Kestrel | 27.2", ["$27.2"], { head: ["Product", "Sales ($ million)"] })).toBe("amount_contradicted");
  });
});

describe("a row of a table", () => {
  const years = "| (million yuan) | 2023 | 2024 |\n| --- | --- | --- |\n| Oats | 92.4 | 62 |\n| Yogurt | 37.5 | 25 |";
  const judgeRow = (text: string, head: readonly string[], quote: string, document: string) => {
    const start = document.indexOf(quote);
    const place = { text: document, contentHash: "t", start, end: start + quote.length };
    const { support, why } = judgeClaim({ text, head }, [place], { names: ["Oats Yogurt Haver"], addresses: [] });
    return why === null ? support : `${why.reason}: ${why.words}`;
  };
  const oats = "| Oats | 92.4 | 62 |";
  const chinese = "| 项目 | 2023年 | 2024年 |\n| --- | --- | --- |\n| 营收（亿元） | 128 | 96 |";

  it.each([
    ["as in the document", "Oats | 92.4 | 62", ["", "2023", "2024"], oats, years],
    ["in another order", "Oats | 62 | 92.4", ["", "FY2024", "FY2023"], oats, years],
    ["with other heads", "Oats | 62 | 92.4", ["", "now", "before"], oats, years],
    ["turned around", "2024 | 62 | 25", ["Year", "Oats", "Yogurt"], years, years],
    ["in Chinese", "营收（亿元） | 96 | 128", ["项目", "2024年", "2023年"], "| 营收（亿元） | 128 | 96 |", chinese],
  ])("holds %s", (_, text, head, quote, document) => {
    expect(judgeRow(text, head, quote, document)).toMatch(/^(?:paraphrased|quoted)$/);
  });

  it.each([
    ["the years", "Oats | 62 | 92.4", ["", "2023", "2024"], oats, years, "62"],
    ["the years, turned around", "2024 | 25 | 62", ["Year", "Oats", "Yogurt"], years, years, "25"],
    ["the columns", "Oats | 62 | 92.4", ["Product", "Sales", "Share"], "| Oats | 92.4 | 62 |", ENGLISH, "62"],
    ["the years in Chinese", "营收（亿元） | 96 | 128", ["项目", "2023年", "2024年"], "| 营收（亿元） | 128 | 96 |", chinese, "96亿元"],
  ])("does not hold if it swaps %s", (_, text, head, quote, document, cell) => {
    expect(judgeRow(text, head, quote, document)).toBe(`amount_not_in_quote: ${cell}`);
  });
});

it.each([
  ["amount_contradicted", "Revenue rose 3.5 percent to $27.2.", "rose 3.5 percent to $27.2"],
  ["amount_contradicted", "Revenue was $27.2 million.", "$27.2 billion"],
  ["amount_contradicted", "净利润14元。", "净利润14"],
  ["amount_contradicted", "Oats sold $92.4.", "| Oats | 92.4 | 62 |"],
  ["amount_not_in_quote", "At most 14 people came.", "At least 14 people came"],
  ["currency_contradicted", "收入为128亿美元。", "128亿元"],
  ["unit_contradicted", "The margin rose by 150 percentage points.", "150 basis points"],
  ["percent_for_points", "毛利率提高了2.5%。", "提高2.5个百分点"],
  ["end_of_range", "Revenue will grow by 10 percent.", "grow by 8 to 10 percent"],
  ["end_of_range", "Spending is $2.3 billion.", "$2.3 billion"],
  ["amount_not_in_quote", "Kestrel has 412 aircraft.", "$27.2 billion"],
  ["date_not_in_quote", "Revenue was $27.2 billion in 2025.", "$27.2 billion"],
  ["name_not_in_source", "Pavel Lindqvist named $27.2 billion.", "$27.2 billion"],
  ["name_not_in_source", "Nokia earned $27.2 billion.", "$27.2 billion"],
  ["unknown_address", "See evil.example for $27.2 billion.", "$27.2 billion"],
])("%s: %s", (reason, text, quote) => {
  expect(judge(text, [quote])).toBe(reason);
});

it("takes no currency and no unit for a name", () => {
  expect(judge("Kestrel earned 12.8 billion RMB, or RMB 12.8 billion.", ["公司当季营业收入为128"], { known: ["Kestrel"] })).toBe(
    "paraphrased",
  );
  expect(missingNames("It cost 5 million SEK, PKR 3 billion or 5 kWh at SEK.", []).map(({ word }) => word)).toEqual(["SEK"]);
});

it("takes names from the question and titles", () => {
  expect(judge("Nokia earned $27.2 billion.", ["$27.2 billion"], { known: ["What did Nokia earn?"] })).toBe("paraphrased");
});

import { describe, expect, it } from "vitest";
import { isFalse, judgeClaim } from "../../../src/evidence/support/judge.ts";

function judge(text: string, document: string, { expressions, head }: { expressions?: string[]; head?: string[] } = {}) {
  const place = { text: document, contentHash: "", start: 0, end: document.length };
  const { support, why } = judgeClaim({ text, expressions: expressions ?? [], head }, [place], { names: [], addresses: [] });
  return why === null ? support : `${isFalse(why) ? "struck" : "unverified"} ${why.reason}`;
}

const REVENUE = "Revenue of Northwind rose 3.5 percent to $27.2 billion in 2024, from $26.3 billion in 2023.";
const MARGIN = "The operating margin was 12.4% in 2024, compared with 13.9% in 2023.";
const INCOME = "Net income fell to $1.84 billion in 2024 from $2.10 billion in 2023.";
const SAID = "The firm said in 2024 that it had earned $5 billion in 2023 and expected $6 billion in 2024.";
const CHINESE = "2024年公司营业收入为148.6亿元，2023年为132.3亿元。";

describe("an amount of one year", () => {
  it.each([
    ["Northwind had revenue of $26.3 billion in 2024.", REVENUE],
    ["Revenue of Northwind was $27.2 billion in 2023.", REVENUE],
    ["The operating margin was 12.4% in 2023.", MARGIN],
    ["The operating margin was 13.9% in 2024, compared with 12.4% in 2023.", MARGIN],
    ["公司营业收入在2023年为148.6亿元。", "公司营业收入2024年为148.6亿元，2023年为132.3亿元。"],
  ])("is false as that of another, of which the quote has another amount: %s", (text, document) => {
    expect(judge(text, document)).toBe("struck date_contradicted");
  });

  it.each([
    ["It repaid the $5 billion in 2025.", "It raised $5 billion in 2023, and repaid it in 2025."],
    ["The $5 billion plan opens in 2025.", "The plan of $5 billion in 2023 opens in 2025."],
    ["2024年开工的项目投资132.3亿元。", "2023年的132.3亿元项目于2024年开工。"],
    ["2024年公司营业收入为132.3亿元。", CHINESE],
    ["2023年的营业收入是148.6亿元。", CHINESE],
    ["The firm said in 2024 that it had earned $5 billion.", SAID],
    ["公司2024年称已盈利50亿元。", "公司2024年称，2023年50亿元已盈利，2024年60亿元。"],
    [
      "The plan targeted sales of $10 billion in 2024.",
      "The 2023 plan targeted sales of $10 billion the following year; sales were $9.1 billion in 2024.",
    ],
  ])("is not verified beside another year of the quote: %s", (text, document) => {
    expect(judge(text, document)).toBe("unverified date_contradicted");
  });

  it.each([
    ["Northwind's revenue was $27.2 billion in 2024, up from $26.3 billion in 2023.", REVENUE],
    ["Revenue of Northwind rose 3.5% to $27.2 billion in 2024 from $26.3 billion.", REVENUE],
    ["In 2024 the operating margin was lower than 13.9%.", MARGIN],
    ["In 2024, Northwind earned $27.2 billion.", REVENUE],
    ["公司2024年收入148.6亿元，上年132.3亿元。", CHINESE],
    ["2024年收入比132.3亿元增加。", CHINESE],
    ["It opened in 2024 and cost $5 billion.", "It cost $5 billion. It was planned in 2023 and opened in 2024."],
    ["2023年和2024年分别收入132.3亿元和148.6亿元。", "2024年和2023年分别收入148.6亿元和132.3亿元。"],
  ])("holds: %s", (text, document) => {
    expect(judge(text, document)).toMatch(/quoted|paraphrased/);
  });

  it("may be that of no other year in a table that cites prose", () => {
    const head = ["", "2023", "2024"];
    expect(judge("Net income | $2.10 billion | $1.84 billion", INCOME, { head })).toBe("paraphrased");
    expect(judge("Net income | $1.84 billion | $2.10 billion", INCOME, { head })).toBe("struck date_contradicted");
    expect(judge("2024 | $27.2 billion", REVENUE, { head: ["Year", "Revenue"] })).toBe("paraphrased");
    expect(judge("2023 | $27.2 billion", REVENUE, { head: ["Year", "Revenue"] })).toBe("struck date_contradicted");
    expect(judge("2023年 | 148.6亿元", "2024年148.6亿元，2023年132.3亿元。", { head: ["年份", "收入"] })).toBe("struck date_contradicted");
  });

  it.each([
    ["The net margin was 6.8% in 2023.", "unverified date_contradicted"],
    ["The net margin was 6.8% in 2024.", "computed"],
    ["The net margin was 6.8%.", "computed"],
  ])("is an operand of its year: %s", (text, outcome) => {
    expect(judge(text, `${REVENUE} ${INCOME}`, { expressions: ["$1.84 billion / $27.2 billion"] })).toBe(outcome);
  });
});

describe("an amount of a change", () => {
  const RATE = "The interest rate was raised by 25 basis points to 4.75%.";
  it.each([
    ["The interest rate was raised to 25 basis points.", RATE],
    ["The interest rate was raised by 4.75%.", RATE],
    ["Revenue of Northwind rose by $27.2 billion.", REVENUE],
    ["Unemployment fell to 6.1%.", "Unemployment fell from 6.1% to 4.8%."],
    ["营业收入增长了148亿元。", "营业收入增长12%，增至148亿元。"],
    ["失业率降至6.1%。", "失业率由6.1%降至4.8%。"],
  ])("is not verified in another role: %s", (text, document) => {
    expect(judge(text, document)).toBe("unverified amount_not_in_quote");
  });

  it.each([
    ["The rate rose by a quarter of a point, 25 basis points, to 4.75%.", RATE],
    ["A raise of 25 basis points brought the rate to 4.75%.", RATE],
    ["Unemployment was 4.8%, compared to 6.1% before.", "Unemployment fell from 6.1% to 4.8%."],
    ["营业收入达到148亿元。", "营业收入增长12%，增至148亿元。"],
    ["公司投入了25亿元。", "投资增至25亿元。"],
    ["失业率从6.1%降到4.8%。", "失业率由6.1%降至4.8%。"],
  ])("holds in the same role or in other words: %s", (text, document) => {
    expect(judge(text, document)).toMatch(/quoted|paraphrased/);
  });
});

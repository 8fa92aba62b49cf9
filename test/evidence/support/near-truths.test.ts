import { describe, expect, it } from "vitest";
import { judgeClaim } from "../../../src/evidence/support/judge.ts";

/** Judges a sentence by a document that is quoted from `quote` on, or as a whole. */
function judge(text: string, document: string, { quote = document, expression }: { quote?: string; expression?: string } = {}) {
  const start = document.indexOf(quote);
  expect(start).toBeGreaterThanOrEqual(0);
  const place = { text: document, contentHash: "", start, end: start + quote.length };
  const expressions = expression === undefined ? [] : [expression];
  const { support, why } = judgeClaim({ text, expressions }, [place], { names: [], addresses: [] });
  return why?.reason ?? support;
}

describe("a rate is a part of the unit", () => {
  it.each([
    ["Wind speed reached 120 km.", "Wind speed reached 120 km/h."],
    ["Sound travels at 343 m.", "Sound travels at 343 m/s."],
    ["The dose was 5 mg.", "The dose was 5 mg/kg."],
    ["Gold costs $2,300.", "Gold costs $2,300 per ounce."],
    ["Prices rose 5%.", "Prices rose 5% a year."],
    ["It charges $30.", "It charges $30 per widget."],
    ["It charges $30 per order.", "It charges $30 per widget."],
    ["公司派发现金红利7.33元。", "公司每10股派发现金红利7.33元。"],
  ])("that no sentence may leave out: %s", (text, document) => {
    expect(judge(text, document)).toBe("amount_not_in_quote");
  });

  it.each([
    ["The wind reached 120 kilometres per hour.", "Wind speed reached 120 km/h."],
    ["价格从每吨3000元上涨到3500元。", "价格由3000元/吨涨至3500元/吨"],
    ["每10股派7.33元现金。", "每10股派发现金红利7.33元。"],
    ["It earned $30 in fees.", "A monthly fee of $30 is due."],
  ])("that may be told in other words: %s", (text, document) => {
    expect(judge(text, document)).toBe("paraphrased");
  });
});

it("contradicts a rate by another one", () => {
  expect(judge("每股派发现金红利7.33元。", "每10股派发现金红利7.33元。")).toBe("unit_contradicted");
});

describe("a bound", () => {
  it.each([
    ["3,200 jobs will go.", "At least 3,200 jobs will go."],
    ["200 people came.", "Fewer than 200 people came."],
    ["23人死亡。", "至少23人死亡。"],
    ["It has 700 shops.", "It has more than 700 shops."],
    ["It has under 900 shops.", "It has over 800 shops."],
    ["It is worth under $27 billion.", "It is worth $27.2 billion."],
    ["It is worth over $27.2 billion.", "It is worth $27.2 billion."],
    ["It exceeded $27.2 billion.", "It is worth $27.2 billion."],
    ["At least 450,000 homes lost power.", "Between 410,000 and 450,000 homes lost power."],
    ["At most 410,000 homes lost power.", "Between 410,000 and 450,000 homes lost power."],
    ["It has more than 3,000 shops.", "It has 4,200 shops."],
    ["It has more than 700 shops.", "It has over 600 shops."],
  ])("is not kept: %s", (text, document) => {
    expect(judge(text, document)).toBe("amount_not_in_quote");
  });

  it.each([
    ["Prices may rise 30%.", "Prices may rise up to 30%.", "end_of_range"],
    ["It has under 700 shops.", "It has over 700 shops.", "amount_not_in_quote"],
  ])("is not the figure: %s", (text, document, reason) => {
    expect(judge(text, document)).toBe(reason);
  });

  it.each([
    ["100人到场。", "近百人到场。"],
    ["400 people came.", "About 400 people came."],
    ["It has more than 3,000 shops.", "It has 3,200 shops."],
    ["It has more than 700 shops.", "It has over 700 shops."],
    ["More than 400,000 homes lost power.", "Between 410,000 and 450,000 homes lost power."],
    ["The limit is 30%.", "Prices may rise up to 30%."],
    ["Over 5 years sales grew.", "Sales grew for 5 years."],
  ])("is kept or may be left out: %s", (text, document) => {
    expect(judge(text, document)).toBe("paraphrased");
  });
});

describe("a sentence with all words is only paraphrased", () => {
  it.each([
    ["In 2023 sales rose 40%.", "Between 2019 and 2023 sales rose 40%."],
    ["2024年净利润12亿元。", "2024年上半年净利润12亿元。"],
    ["2024年净利润12亿元。", "2024年上半年，净利润12亿元。"],
    ["国内生产总值29.6万亿元。", "一季度国内生产总值29.6万亿元。"],
    ["Sales rose 40%.", "Sales rose 40% in the first quarter."],
    ["Sales rose 40%.", "Sales rose 40% in 2023."],
    ["Sales rose 40%.", "In the first half of 2024, sales rose 40%."],
    ["Sales rose 40%.", "Sales, in the first half of 2024, rose 40%."],
    ["Sales rose 40%.", "Sales rose 40% in the first quarter.", "Sales rose 40%"],
  ])("if a date is left out or cut: %s", (text, document, quote = document) => {
    expect(judge(text, document, { quote })).toBe("paraphrased");
  });

  it.each([
    ["Acme polluted 5 rivers.", "The court rejected the claim that Acme polluted 5 rivers."],
    ["Acme polluted 5 rivers.", "The court rejected the claim that Acme polluted 5 rivers.", "Acme polluted 5 rivers"],
    ["Wind speed reached 120 km.", "Wind speed reached 120 km/h.", "Wind speed reached 120 km"],
    ["3,200 jobs will go.", "At least 3,200 jobs will go.", "3,200 jobs will go"],
    ["5 rivers were polluted.", "It is false - 5 rivers were polluted."],
    ["10 mines are open.", "Only 3 of 10 mines are open."],
    ["All 27 states signed.", "Except for Norway, all 27 states signed."],
    ["All 27 states signed.", "Except for Norway, all 27 states signed.", "all 27 states signed"],
    ["All 27 states signed.", "All 27 states signed, unless the record is wrong."],
    ["Acme polluted 5 rivers.", "Myth: Acme polluted 5 rivers. Fact: it polluted none."],
    ["Acme polluted 5 rivers.", "According to its rival, Acme polluted 5 rivers."],
    ["Acme polluted 5 rivers.", "Costs fell; Acme polluted 5 rivers."],
    ["公司裁员2,000人。", "有消息称，公司裁员2,000人。"],
    ["公司裁员2,000人。", "公司裁员2,000人吗？没有。", "公司裁员2,000人"],
  ])("if it is cut out of its frame: %s", (text, document, quote = document) => {
    expect(judge(text, document, { quote })).toBe("paraphrased");
  });

  it.each([
    ["The wind reached 120 km/h.", "Wind rose. The wind reached 120 km/h, and trees fell."],
    ["In 2023 sales rose 40%.", "Costs fell. In 2023, the sales rose 40%, and prices fell."],
    ["2024年上半年净利润12亿元。", "营收增长。2024年上半年净利润12亿元，同比增长。"],
    ["At least 3,200 jobs will go.", "At least 3,200 jobs will go."],
    ["At least 3,200 jobs will go.", "At least 3,200 jobs will go on Wednesday."],
  ])("and otherwise quoted: %s", (text, document) => {
    expect(judge(text, document)).toBe("quoted");
  });
});

describe("a unit", () => {
  it.each([
    ["Headcount was €64,500.", "Headcount was 64,500."],
    ["公司为8,231元。", "公司员工8,231。"],
    ["It used 31,000 kWh.", "It sold 31,000 vehicles."],
  ])("may not be added: %s", (text, document) => {
    expect(judge(text, document)).toBe("amount_not_in_quote");
  });

  it.each([
    ["员工有8,231人。", "公司员工8,231。"],
    ["The headcount was 64,500.", "It employs 64,500 people."],
  ])("may stand elsewhere in the quotes: %s", (text, document) => {
    expect(judge(text, document)).toBe("paraphrased");
  });
});

describe("a note that scales numbers", () => {
  const TABLE =
    "Figures in millions of euros\n\n|  | 2024 | Growth |\n| --- | --- | --- |\n| Revenue | 64.5 | 11.4% |\n| Founded | 1950 | |";
  const LINES = "(in millions of euros)\nRevenue 64.5 60.1\nThe company was founded in 1950 and has 350 shops.";
  it.each([
    ["Revenue was €64.5 million.", TABLE, "| Revenue | 64.5 | 11.4% |"],
    ["Revenue was €64.5 million.", LINES, "Revenue 64.5 60.1"],
    ["收入为6450万欧元。", LINES, "Revenue 64.5 60.1"],
    ["营收为2.8亿元。", "单位：万元\n\n| 项目 | 2024年 |\n| --- | --- |\n| 营收 | 28,000 |", "| 营收 | 28,000 |"],
    ["It grew by 11.4%.", TABLE, "| Revenue | 64.5 | 11.4% |"],
    ["It was founded in 1950.", TABLE, "| Founded | 1950 | |"],
    ["It has 350 shops.", LINES, "350 shops"],
  ])("scales the rows of figures: %s", (text, document, quote) => {
    expect(judge(text, document, { quote })).toMatch(/^(?:paraphrased|quoted)$/);
  });

  it.each([
    ["It has 350 million shops.", LINES, "350 shops"],
    ["It was founded by 1,950 million people.", LINES, "founded in 1950"],
    ["It was founded by 1,950 million people.", TABLE, "| Founded | 1950 | |"],
    ["It grew by €11.4 million.", TABLE, "| Revenue | 64.5 | 11.4% |"],
    ["Revenue was €64.5.", TABLE, "| Revenue | 64.5 | 11.4% |"],
  ])("and nothing else: %s", (text, document, quote) => {
    expect(judge(text, document, { quote })).toMatch(/_not_in_quote|_contradicted/);
  });
});

describe("a range", () => {
  const RANGE = "Revenue will be $29bn-$31bn.";
  it.each([RANGE, "Revenue will be $29 billion-$31 billion."])("may repeat its currency: %s", (document) => {
    expect(judge("It will be $31 billion.", document)).toBe("end_of_range");
    expect(judge("It will be $29 billion to $31 billion.", document)).toBe("paraphrased");
  });

  it.each([
    "The upper end is $31 billion.",
    "It will be as much as $31 billion.",
    "At the top of the range, it is $31 billion.",
    "It has a floor of $29 billion.",
    "The lower end is $29 billion.",
    "收入上限为310亿美元。",
    "收入下限为290亿美元。",
  ])("may have its end named as an end: %s", (text) => {
    expect(judge(text, RANGE)).toBe("paraphrased");
  });

  it.each([
    "It will invest $31 billion.",
    "It lowered its forecast to $29 billion.",
    "The lower end is $31 billion.",
    "The upper end is $29 billion.",
    "收入上限为290亿美元。",
  ])("has two ends: %s", (text) => {
    expect(judge(text, RANGE)).toBe("end_of_range");
  });
});

describe("points", () => {
  it.each([
    ["The margin gained 2.5 points.", "The margin rose by 2.5 percentage points."],
    ["The margin gained 2.5 percentage points.", "The margin rose by 2.5 points."],
    ["He scored 30.", "He won 30 points."],
    ["The index gained 50 points.", "The index rose 50 points to 3,000."],
  ])("are percentage points: %s", (text, document) => {
    expect(judge(text, document)).toBe("paraphrased");
  });
});

describe("an expression", () => {
  it.each([
    ["Sales grew 15.5%.", "Sales were $6.7 billion after $5.8 billion.", "($6.7 billion - $5.8 billion) × 100 / $5.8 billion"],
    ["Sales grew 15.5%.", "Sales were $6.7 billion after $5.8 billion.", "($6.7 billion - $5.8 billion) / $5.8 billion * 100%"],
    ["Sales grew 15.5%.", "Sales were $6.7 billion after $5.8 billion.", "($6.7 billion / $5.8 billion - 1) * 100"],
    ["The midpoint is $30 billion.", "Sales will be $29 billion to $31 billion.", "($29 billion + $31 billion) / 2"],
    ["上年营收为781亿元。", "营收844.92亿元，增长8.12%。", "844.92亿元 / (1 + 8.12%)"],
  ])("computes: %s", (text, document, expression) => {
    expect(judge(text, document, { expression })).toBe("computed");
  });

  it("does not compute with one end of a range", () => {
    const document = "Sales will be $29 billion to $31 billion after $20 billion.";
    expect(judge("Sales grow by $11 billion.", document, { expression: "$31 billion - $20 billion" })).toBe("operand_not_in_quote");
  });
});

describe("other spellings", () => {
  it.each([
    ["A third of users have left.", "1/3 of users left."],
    ["20% of users have left.", "One in five users left."],
    ["2024年资产为3亿元。", "2024年末资产为3亿元。"],
    ["The loss is $45 million.", "The loss was $(45) million."],
  ])("are understood: %s", (text, document) => {
    expect(judge(text, document)).toBe("paraphrased");
  });
});

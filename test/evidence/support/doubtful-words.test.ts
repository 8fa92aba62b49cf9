import { describe, expect, it } from "vitest";
import { isFalse, judgeClaim } from "../../../src/evidence/support/judge.ts";
import { findMisplaced } from "../../../src/evidence/support/other-places.ts";

function judge(text: string, document: string, expressions: readonly string[] = []) {
  const place = { text: document, contentHash: "", start: 0, end: document.length };
  const { support, why } = judgeClaim({ text, expressions }, [place], { names: [], addresses: [] });
  return why === null ? support : `${isFalse(why) ? "struck" : "unverified"} ${why.reason}`;
}

const BUYBACKS = "The board authorized up to $5 billion of buybacks.";
const CAPEX = "Capex will be between $3.1 billion and $3.6 billion.";
const CHINESE = "资本开支预计在20亿元至25亿元之间。";

describe("one end of a range or the limit of a bound", () => {
  it.each([
    ["The board authorized $5 billion of buybacks.", BUYBACKS],
    ["Capex will be $3.6 billion.", CAPEX],
    ["资本开支预计为25亿元。", CHINESE],
  ])("is false if the sentence adds no word: %s", (text, document) => {
    expect(judge(text, document)).toBe("struck end_of_range");
  });

  it.each([
    ["Buybacks can reach $5 billion.", BUYBACKS],
    ["The buyback programme is capped at $5 billion.", BUYBACKS],
    ["Northwind may buy back $5 billion of its shares.", `Northwind: ${BUYBACKS}`],
    ["Capex may even reach $3.6 billion.", CAPEX],
    ["A half-life of nine hours is possible.", "The half-life was 7 to 9 hours."],
    ["资本开支或将达到25亿元。", CHINESE],
  ])("is not verified if its words may tell it as that: %s", (text, document) => {
    expect(judge(text, document)).toBe("unverified end_of_range");
  });

  it.each([
    ["Buybacks must not exceed $5 billion.", BUYBACKS],
    ["Capex will not fall below $3.1 billion.", CAPEX],
    ["资本开支不会超过25亿元。", CHINESE],
  ])("is contradicted by no bound in other words: %s", (text, document) => {
    expect(judge(text, document)).toMatch(/^(?:unverified|paraphrased)/);
  });
});

const METALS = "Duo Metals profits were $1.0m in spring, $3m in summer and $9m in autumn.";
const QUARTERS = "Sales were $3m in Q1, $4m in Q2, $5m in Q3 and $6m in Q4 of 2024.";

describe("a bare number of an expression", () => {
  it.each([
    ["Duo's average profit was $4.33m.", METALS, "($1.0m + $3m + $9m) / 3"],
    ["The average quarter had sales of $4.5m.", QUARTERS, "($3m + $4m + $5m + $6m) / 4"],
    ["It moved 6.5 tonnes on average.", "It moved 5 tonnes, 2 tonnes and 8 tonnes.", "(5 tonnes + 8 tonnes) / 2"],
    ["The fee is 3% per year.", "The fee is 0.25%, and 12 members pay it per year.", "0.25% * 12"],
    ["平均季度收入为4亿元。", "一季度收入2亿元，二季度6亿元，门店增加2家。", "(2亿元 + 6亿元) / 2"],
  ])("may be a constant although the quote has it: %s", (text, document, expression) => {
    expect(judge(text, document, [expression])).toBe("computed");
  });

  it("is false if no reading gives the value", () => {
    expect(judge("Duo's average profit was $5.33m.", METALS, ["($1.0m + $3m + $9m) / 3"])).toBe("struck wrong_result");
  });
});

describe("what is calculated from a number that is about right", () => {
  it.each([
    ["两家合计员工18320人。", "员工总数约1.8万人，另一家320人。", "1.8万人 + 320"],
    ["Both have 18,320 people.", "One has about 18,000 people and the other 320 people.", "18,000 people + 320 people"],
  ])("is not exact: %s", (text, document, expression) => {
    expect(judge(text, document, [expression])).toMatch(/^unverified/);
    expect(judge(text.replace("员工18", "员工约18").replace("have", "have about"), document, [expression])).toBe("computed");
  });
});

describe("a number with another unit", () => {
  it.each([
    ["净利润为14元。", "净利润为14亿元。"],
    ["2024年公司营业收入为148元。", "2024年公司营业收入为148亿元。"],
    ["The interest rate was raised by 25%.", "The interest rate was raised by 25 basis points."],
    ["利率上调25%。", "利率上调25个基点。"],
  ])("is false: %s", (text, document) => {
    expect(judge(text, document)).toMatch(/^struck/);
  });
});

it.each([
  ["The bank was fined $5 million by the regulator.", "In a year in which it earned $5.2 billion, the bank was fined by the regulator."],
  ["It earned $1 per share.", "It earned $1.5 billion."],
  ["公司被罚款5万元。", "当年盈利5.2亿元的公司被罚款。"],
])("a number that only begins like one of another scale is not false: %s", (text, document) => {
  expect(judge(text, document)).toMatch(/^unverified/);
});

describe("a multiple in words", () => {
  const REVENUE = "Halden's revenue fell from $10.3 million to $5.1 million.";
  const GREW = "Halden's revenue rose from $5.1 million in 2023 to $10.3 million in 2024.";
  it.each([
    ["Halden's revenue halved to $5.1 million from $10.3 million.", REVENUE],
    ["Halden's revenue doubled from $5.1 million to $10.3 million.", GREW],
    ["海尔登的收入翻了一番，由510万元增至1030万元。", "收入由510万元增至1030万元。"],
  ])("holds if two quoted amounts have that ratio: %s", (text, document) => {
    expect(judge(text, document)).toBe("paraphrased");
  });

  it.each([
    ["Halden's revenue tripled from $5.1 million to $10.3 million.", GREW],
    ["Halden's revenue doubled to $5.1 million.", "Halden's revenue fell from $7.3 million to $5.1 million."],
    ["Halden's revenue grew 50% from $5.1 million to $10.3 million.", GREW],
    ["收入翻了一番，增至1030万元。", "收入由710万元增至1030万元。"],
    ["Three plants closed and sales rose from $5 million to $15 million.", "Two plants closed; sales rose from $5 million to $15 million."],
    ["三家工厂关闭，收入由500万元增至1500万元。", "两家工厂关闭，收入由500万元增至1500万元。"],
  ])("is not verified if they have not: %s", (text, document) => {
    expect(judge(text, document)).toBe("unverified amount_not_in_quote");
  });
});

it("a sentence of many numbers in words is judged, and they are no ratios", () => {
  const text = `It doubled ${"nine, ".repeat(600)}nine.`;
  expect(judge(text, "It has eight parts.")).toMatch(/^unverified/);
});

describe("dollars", () => {
  it.each([
    ["It earned A$1.0m.", "It earned $1.0m.", "unverified amount_not_in_quote"],
    ["它盈利100万加元。", "It earned $1.0m.", "unverified amount_not_in_quote"],
    ["It earned A$1.0m.", "It earned A$1.0m.", "quoted"],
    ["它盈利100万美元。", "It earned $1.0m.", "paraphrased"],
  ])("are of no country that the quote does not name: %s", (text, document, outcome) => {
    expect(judge(text, document)).toBe(outcome);
  });
});

describe("an amount of another row of a table", () => {
  const TABLE = "| Segment | Revenue ($ million) | Margin (%) |\n|---|---|---|\n| Turbines | 11,240 | 18.5 |\n| Cables | 8,022 | 9.1 |";
  const WIND = "| Unit | Revenue ($ million) |\n|---|---|\n| Wind turbines | 12 |\n| Sea cables | 8 |\n| IT | 5 |\n| Men | 3 |";
  const AREAS = "| 地区 | 收入（亿元） |\n|---|---|\n| 华南地区 | 52.4 |\n| 海外地区 | 38.2 |";
  const REGIONS = "| 地区 | 收入（亿元） |\n|---|---|\n| 华南 | 52.4 |\n| 海外 | 38.2 |";
  const rows = (text: string, table: string, ...labels: string[]) => {
    const places = labels.map((label) => {
      const start = table.indexOf(`| ${label}`);
      return { text: table, contentHash: "", start, end: `${table}\n`.indexOf("\n", start) };
    });
    const { support, why } = judgeClaim({ text }, places, { names: [], addresses: [] });
    return why?.reason ?? support;
  };

  it.each([
    ["Turbines had a revenue of $8,022 million.", TABLE, "Turbines", "Cables"],
    ["Cables had a margin of 18.5%.", TABLE, "Turbines", "Cables"],
    ["Cables earned $11,240 million.", TABLE, "Turbines"],
    ["华南收入为38.2亿元。", REGIONS, "华南", "海外"],
    ["Sea cables brought $12 million.", WIND, "Wind turbines"],
    ["The IT unit brought $12 million.", WIND, "Wind turbines"],
    ["华南地区收入为38.2亿元。", AREAS, "海外地区"],
  ])("is not verified: %s", (text, table, ...labels) => {
    expect(rows(text, table, ...labels)).toBe("amount_not_in_quote");
  });

  it.each([
    ["Turbines had a revenue of $11,240 million.", TABLE, "Turbines", "Cables"],
    ["Turbines earned more than the cable business with its $8,022 million.", TABLE, "Turbines", "Cables"],
    ["The wind unit earned $11,240 million.", TABLE, "Turbines"],
    ["The maker of the best towers told of its $12 million.", WIND, "Wind turbines"],
    ["It is worth a mention that it made $12 million there.", WIND, "Wind turbines"],
    ["Turbines brought $12 million, and sea cables $8 million.", WIND, "Wind turbines", "Sea cables"],
    ["华南收入为52.4亿元，海外地区为38.2亿元。", AREAS, "华南地区", "海外地区"],
    ["海外收入为38.2亿元，低于华南的52.4亿元。", REGIONS, "华南", "海外"],
  ])("holds for its own: %s", (text, table, ...labels) => {
    expect(rows(text, table, ...labels)).toBe("paraphrased");
  });

  it("is not searched in a very long table", () => {
    const long = `${TABLE}\n${Array.from({ length: 3_000 }, (_, i) => `| Part | ${i} | 1 |`).join("\n")}`;
    const place = { text: long, contentHash: "", start: long.indexOf("| Turbines"), end: long.length };
    const text = `Cables had ${Array.from({ length: 90 }, (_, i) => `$${i + 100} million`).join(", ")}.`;
    expect(findMisplaced(`In 2024 ${text}`, undefined, [place])).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { missingFigures } from "../../../src/evidence/figures/check-figures.ts";

const reasons = (sentence: string, quote: string) => missingFigures(sentence, [quote], []).map(({ reason }) => reason);

describe("a range", () => {
  it.each([
    ["The forecast was cut to between 118,000 and 124,000 tonnes.", "cut its forecast to between 118,000 and 124,000 tonnes"],
    ["It expects from 300 schools to 400 schools.", "参与学校将增至300所至400所"],
    ["到2030年参与学校至多400所。", "到2030年,参与学校将增至300所至400所"],
    ["Wages rise by up to 6 percent.", "wages rise by 4 to 6 percent"],
    ["产量增至12万吨。", "产量由10万吨增至12万吨"],
    ["A team has one to eight children.", "A team has one to eight children"],
    ["It takes 1200 to 3000 tonnes.", "1,200 to 3,000 tonnes"],
    ["The price starts from 40 euros.", "The price is 40 to 60 euros"],
    ["The two sites have 30 wells and 40 wells.", "one has 30 wells and 40 wells are at the other"],
  ])("is stated by %s", (sentence, quote) => {
    expect(reasons(sentence, quote)).toEqual([]);
  });

  it.each([
    ["Varga cut its forecast for 2025 to 118,000 tonnes.", "its forecast for 2025 to between 118,000 and 124,000 tonnes", "end_of_range"],
    ["参与学校将增至400所。", "参与学校将增至300所至400所", "amount_not_in_quote"],
    ["Attendance will rise to 400 pupils.", "Attendance will be 300 pupils to 400 pupils", "amount_not_in_quote"],
    ["库存降至3万吨。", "库存在3万吨到5万吨之间", "end_of_range"],
    ["They sold 20,000 boats.", "They sold 20 boats and 4 thousand boats", "amount_not_in_quote"],
  ])("is not stated by one end: %s", (sentence, quote, reason) => {
    expect(reasons(sentence, quote)).toEqual([reason]);
  });
});

describe("a duration in Chinese", () => {
  it.each([
    ["疫苗可保存六个月。", "The vaccine keeps for six months"],
    ["合同为期3年。", "The contract runs for three years"],
    ["他在那里工作了二十年。", "He worked there for two decades"],
    ["The licence lasts 18 months.", "许可证有效期为1.5年"],
    ["患者为65岁以上。", "Patients aged 65 or older"],
    ["最小的孩子6周岁。", "the youngest child, 6 years old"],
    ["这是90年代的事。", "in the 1990s"],
  ])("has its unit: %s", (sentence, quote) => {
    expect(reasons(sentence, quote)).toEqual([]);
  });

  it.each([
    ["疫苗可保存六年。", "The vaccine keeps for six months", "unit_contradicted"],
    ["合同为期3年。", "The contract runs for three weeks", "unit_contradicted"],
    ["庆祝成立10周年。", "ten weeks after it was founded", "unit_contradicted"],
  ])("is not another: %s", (sentence, quote, reason) => {
    expect(reasons(sentence, quote)).toEqual([reason]);
  });
});

describe("a currency sign with several meanings", () => {
  it.each([
    ["共节省42亿元。", "saved HK$4.2 billion"],
    ["It saved $4.2 billion.", "节省42亿美元"],
    ["It cost 30 million kroner.", "kostet 30 million kronor"],
  ])("agrees with another where the usual currency of one is among the meanings of the other: %s", (sentence, quote) => {
    expect(reasons(sentence, quote)).toEqual([]);
  });

  it("is not that of another country", () => {
    expect(reasons("共节省42亿元。", "saved $4.23 billion")).toEqual(["amount_not_in_quote"]);
  });
});

import { describe, expect, it } from "vitest";
import { supportOf } from "./support-of.ts";

const EARNINGS = `Kestrel's revenue rose 3.5 percent to $27.2 billion, compared with $26.28 billion a year earlier.
The margin widened to 11.4% from 9.9%. Growth was -2.5% in 2024; Haver lost 12 shops.`;
const CHINESE = "公司当季营业收入为128亿元,上年同期为96亿元。毛利率由19.6%升至22.1%,提高2.5个百分点。";

describe("a sentence is quoted if its words stand together in a quote", () => {
  it.each([
    ["Kestrel's revenue rose 3.5% to $27.2 billion.", EARNINGS],
    ["Kestrel’s REVENUE rose 3.5 per cent to $27.2bn.", EARNINGS],
    ["Growth was -2.5% in 2024.", EARNINGS],
    ["公司当季营业收入为128亿元。", CHINESE],
    ["Orion closed two plants.", "Costs fell. Orion closed 2 plants."],
    ["Orion closed two plants.", "- Orion closed two plants\n- Orion opened one"],
    ["Orion closed two plants at first.", "Orion closed two plants at first."],
    ["“Orion closed two plants,” said Kowarski.", "“Orion closed two plants,” said Kowarski."],
  ])("%s", (sentence, document) => {
    expect(supportOf(sentence, document)).toBe("quoted");
  });

  it.each([
    ["a word is left out", "Kestrel's revenue rose to $27.2 billion.", EARNINGS],
    ["a word is added", "The Kestrel's revenue rose 3.5% to $27.2 billion.", EARNINGS],
    ["a minus is left out", "Growth was 2.5% in 2024.", EARNINGS],
    ["a rate is left out", "Wind speed was high.", "Wind speed was high at 120 km/h."],
    ["a period is left out", "国内生产总值29.6万亿元。", "一季度国内生产总值29.6万亿元。"],
    ["a period is left out", "Sales rose 40%.", "In the first half of 2024, sales rose 40%."],
  ])("and otherwise paraphrased: %s", (_, sentence, document) => {
    expect(supportOf(sentence, document)).toBe("paraphrased");
  });

  it("is not quoted if the quote lacks one of them", () => {
    const quotes = ["revenue rose 3.5 percent to $27.2 billion"];
    expect(supportOf("Kestrel's revenue rose 3.5% to $27.2 billion.", EARNINGS, { quotes })).toBe("paraphrased");
  });
});

describe("a sentence cut out of what denies or limits it is not quoted", () => {
  const [POLLUTED, CURED, CHEATS] = ["Acme polluted 5 rivers.", "Norvelin cures the disease.", "极光公司伪造了数据。"];
  it.each([
    [POLLUTED, "Myth: Acme polluted 5 rivers. Fact: it polluted none."],
    [POLLUTED, "The court rejected the claim that Acme polluted 5 rivers."],
    [POLLUTED, "It is false - Acme polluted 5 rivers."],
    [POLLUTED, "The court rejected these claims:\n\n- Acme polluted 5 rivers.\n- Acme lied."],
    [POLLUTED, "This is a rumour:\n\nAcme polluted 5 rivers."],
    [POLLUTED, "“Acme polluted 5 rivers” was never true."],
    [POLLUTED, "Acme polluted 5 rivers in a film."],
    [POLLUTED, "Acme polluted 5 rivers (in a film)."],
    [POLLUTED, "Acme polluted 5 rivers, didn't it? No."],
    [CURED, "Norvelin cures the disease in mice."],
    [CURED, "Nobody has shown that Norvelin cures the disease."],
    [CURED, "It is not true that Norvelin cures the disease."],
    [CHEATS, "并非极光公司伪造了数据。"],
    [CHEATS, "法院驳回了极光公司伪造了数据的说法。"],
    [CHEATS, "极光公司伪造了数据的传闻不实。"],
    [CHEATS, "极光公司伪造了数据吗？没有。"],
    [CHEATS, "“极光公司伪造了数据”是假消息。"],
  ])("%s of %s", (sentence, document) => {
    const [part] = sentence.split(/[.。]$/);
    expect(supportOf(sentence, document, { quotes: [part ?? ""] })).toMatch(/^(?:paraphrased|unverified|quote_too_short)$/);
    expect(supportOf(sentence, document, { quotes: [document.split("\n").at(-1) ?? ""] })).toMatch(/^paraphrased|_not_in_/);
  });
});

describe("a row of a table", () => {
  const TABLE = "| Grain | Sales ($ million) | Share (%) |\n| --- | --- | --- |\n| Oats | 92.4 | 62 |\n| Wheat | 37.5 | 25 |";
  const HEAD = ["Grain", "Sales ($ million)", "Share (%)"];
  const quotes = ["| Oats | 92.4 | 62 |"];

  it("is quoted as a whole, under the head of its table", () => {
    expect(supportOf("Oats | 92.4 | 62", TABLE, { quotes, head: HEAD })).toBe("quoted");
    expect(supportOf("Oats | 92.4 | 62", TABLE, { quotes })).toBe("quoted");
  });

  it.each([
    ["under other heads", "Oats | 92.4 | 62", ["Grain", "Sales", "Last year"]],
    ["with its columns swapped", "Oats | 62 | 92.4", ["Grain", "Share", "Sales"]],
  ])("is paraphrased %s", (_, sentence, head) => {
    expect(supportOf(sentence, TABLE, { quotes, head })).toBe("paraphrased");
  });

  it.each([
    ["A cell may claim more than its row.", "| Claim | Verdict |\n| --- | --- |\n| A cell may claim more than its row | false |"],
    ["A cell may claim more than its row.", "| Verdict | Claim |\n| --- | --- |\n| False | A cell may claim more than its row |"],
    ["公司没有裁员。", "| 说法 | 结论 |\n| --- | --- |\n| 公司没有裁员 | 不实 |"],
  ])("does not say what one of its cells says: %s", (sentence, document) => {
    const [row] = document.split("\n").slice(-1);
    expect(supportOf(sentence, document, { quotes: [row ?? ""] })).toBe("paraphrased");
  });
});

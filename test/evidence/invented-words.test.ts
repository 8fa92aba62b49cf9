import { describe, expect, it } from "vitest";
import { type ReadOptions, readCitedText } from "../../src/evidence/cited-text.ts";
import { passages } from "./evidence-of.ts";

const METALS =
  "Trio Metals profits were $1.0m in spring, $2.6m in summer and $9m in autumn. Duo Metals earned $1.0m too. " +
  "The chief executive, Maria Lindqvist, said that demand for turbines remained strong.";
const CHINESE = "三和公司春季利润为100万元，夏季260万元。董事长李明表示市场需求依然旺盛。";

const EVIDENCE = passages(METALS, CHINESE);

function read(text: string, options: ReadOptions = {}) {
  const { claims, struck } = readCitedText(text, EVIDENCE, options);
  return {
    shown: claims.map(({ text: words, support, reason }) => `${words} ${(reason ?? support ?? "").split(":", 1)[0]}`),
    struck: struck.map(({ text: words, reason }) => `${words} ${reason.split(":", 1)[0]}`),
    claims,
  };
}

describe("an uncited sentence behind one that is taken out", () => {
  const GOOD = 'Trio Metals profits were $1.0m in spring. [P1: "Trio Metals profits were $1.0m in spring"]';
  const BAD = 'Siemens went bankrupt. [P99: "went bankrupt last year"]';

  it("is not verified, and neither are the uncited ones behind it", () => {
    const { shown, struck } = read(`${GOOD} ${BAD} It owes its suppliers money. Its boss is in jail. ${GOOD} It did well.`);
    expect(struck).toEqual(["Siemens went bankrupt. unknown_source"]);
    expect(shown.slice(1, 3)).toEqual([
      "It owes its suppliers money. sentence_before_struck",
      "Its boss is in jail. sentence_before_struck",
    ]);
    expect(shown[4]).toBe("It did well. summary");
  });

  it("may sum up if it stands in another paragraph or item", () => {
    expect(read(`${GOOD} ${BAD}\n\nIt did well.`).shown[1]).toBe("It did well. summary");
    expect(read(`- ${GOOD} ${BAD}\n- It did well.`).shown[1]).toBe("It did well. summary");
    expect(read(`- ${GOOD}\n- ${BAD} It did badly.`).shown[1]).toBe("It did badly. sentence_before_struck");
  });

  it("may sum up if nothing is taken out", () => {
    const { shown } = read(`${GOOD} ${BAD} It did well.`, { showInvented: true });
    expect(shown[2]).toBe("It did well. summary");
  });
});

it.each([
  ["https://example.org/wiki/Mercury_(planet)", "https://example.org/wiki/Mercury_(planet)"],
  ["https://example.org/水星_(行星)", "https://example.org/水星_(行星)"],
  ["https://example.org/x_(y)", "<https://example.org/x_(y)>"],
])("a link to a known address with brackets or entities is not struck: %s", (address, written) => {
  const text = `Trio Metals profits were $1.0m in [spring](${written}). [P1: "Trio Metals profits were $1.0m in spring"]`;
  expect(read(text, { addresses: [address] })).toMatchObject({ struck: [], shown: ["Trio Metals profits were $1.0m in spring. quoted"] });
  expect(read(text).struck).toHaveLength(1);
});

describe("a quote", () => {
  it.each(["$1.0m", "Duo", "260", "利润"])("that is too short but stands in the document is not invented: %s", (quote) => {
    const { shown, struck } = read(`It grew. [${/利|6/.test(quote) ? "P2" : "P1"}: "${quote}"]`);
    expect(struck).toEqual([]);
    expect(shown[0]).toMatch(/quote_too_short|paraphrased/);
  });

  it("that is too short does not count beside another one", () => {
    const { shown } = read('Trio Metals profits were $1.0m in spring. [P1: "Trio Metals profits were $1.0m in spring", "$1.0m"]');
    expect(shown[0]).toMatch(/ quoted$/);
  });

  it.each(['[P1: "Duo"] [P1: "words that nobody ever wrote"]', '[P1: "Duo", "words that nobody ever wrote"]'])(
    "that is too short hides no invented one behind it: %s",
    (markers) => {
      expect(read(`It grew. ${markers}`).struck).toEqual(["It grew. quote_not_found"]);
    },
  );

  it("that the document does not have is invented, even if it is short", () => {
    expect(read('It grew. [P1: "$7.7m"]').struck).toEqual(["It grew. quote_not_found"]);
  });

  it.each([
    ['[P1: "Trio Metals profits were $1.0m in spring" "Duo Metals earned $1.0m too"]', 2],
    ["[P2: “春季利润为100万元”“市场需求依然旺盛”]", 2],
  ])("may stand beside another without a comma: %s", (marker, count) => {
    const [claim] = read(`It grew. ${marker}`).claims;
    expect(claim?.citations).toHaveLength(count);
  });

  it("may have quotation marks inside", () => {
    const text = 'They called it the "big" "bad" wolf of the market.';
    const { claims, citations } = readCitedText('It was feared. [P1: "the "big" "bad" wolf of the market"]', passages(text));
    expect(citations.map(({ quote }) => quote)).toEqual(['the "big" "bad" wolf of the market']);
    expect(claims[0]?.support).toBe("paraphrased");
  });
});

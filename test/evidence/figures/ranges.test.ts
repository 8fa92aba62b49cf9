import { describe, expect, it } from "vitest";
import { missingFigures } from "../../../src/evidence/figures/check-figures.ts";

const reasons = (sentence: string, quote: string) => missingFigures(sentence, [quote], []).map(({ reason }) => reason);

describe("a range", () => {
  it.each([
    ["The forecast was cut to between 118,000 and 124,000 tonnes.", "cut its forecast to between 118,000 and 124,000 tonnes"],
    ["It expects from 300 schools to 400 schools.", "参与学校将增至300所至400所"],
    ["Wages rise by up to 6 percent.", "wages rise by 4 to 6 percent"],
    ["产量增至12万吨。", "产量由10万吨增至12万吨"],
    ["A team has one to eight children.", "A team has one to eight children"],
    ["The price starts from 40 euros.", "The price is 40 to 60 euros"],
  ])("is stated by %s", (sentence, quote) => {
    expect(reasons(sentence, quote)).toEqual([]);
  });

  it.each([
    ["Varga cut its forecast for 2025 to 118,000 tonnes.", "its forecast for 2025 to between 118,000 and 124,000 tonnes", "end_of_range"],
    ["参与学校将增至400所。", "参与学校将增至300所至400所", "amount_not_in_quote"],
    ["Attendance will rise to 400 pupils.", "Attendance will be 300 pupils to 400 pupils", "amount_not_in_quote"],
    ["They sold 20,000 boats.", "They sold 20 boats and 4 thousand boats", "amount_not_in_quote"],
  ])("is not stated by one end: %s", (sentence, quote, reason) => {
    expect(reasons(sentence, quote)).toEqual([reason]);
  });
});

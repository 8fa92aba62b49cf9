import { describe, expect, it } from "vitest";
import { readQuestion } from "../../src/quoting/question.ts";

describe("the words of a question", () => {
  it.each([
    ["Hindi", "मासिक किराया?", ["मासिक", "किराया"]],
    ["Bengali", "মাসিক ভাড়া?", ["মাসিক", "ভাড়া"]],
    ["Tamil", "மாத வாடகை?", ["மாத", "வாடகை"]],
    ["Thai", "ค่าเช่า?", ["ค่าเช่า"]],
    ["decomposed Vietnamese", "Thuê nhà?".normalize("NFD"), ["Thuê", "nhà"]],
  ])("of %s keep the marks at their ends", (_, question, words) => {
    expect(readQuestion(question).terms.map(({ surface }) => surface)).toEqual(words);
  });
});

import { describe, expect, it } from "vitest";
import { allThenAny, englishWords, queryWords, questionLine } from "../../../src/tools/shared/query.ts";

describe("questionLine", () => {
  it("keeps whole words up to the limit, and cuts a text without spaces", () => {
    expect(questionLine("  Who built\n the lighthouse? ", 15)).toBe("Who built the");
    expect(questionLine("灯塔".repeat(300), 400)).toBe("灯塔".repeat(200));
    expect(questionLine(" \n ", 400)).toBe("");
  });
});

describe("the search words of a question", () => {
  it("for an English index are the Latin words, or all if there are none", () => {
    expect(englishWords("BERT 与 GPT-4 的区别是什么？")).toEqual(["BERT", "GPT-4"]);
    expect(englishWords("2024年的鲸油灯塔")).not.toContain("2024");
    expect(englishWords("鲸油灯塔的历史").join(" ")).toMatch(/鲸油.*历史/);
    expect(englishWords("2024?")).toEqual(["2024"]);
    expect(englishWords(Array.from({ length: 40 }, (_, i) => `lamp${i}`).join(" "))).toHaveLength(16);
  });

  it("fit into a URL", () => {
    expect(queryWords("灯".repeat(5_000)).join("")).toHaveLength(300);
    expect(queryWords(Array.from({ length: 9 }, (_, i) => `${i}${"x".repeat(99)}`).join(" "))).toHaveLength(3);
  });

  it("are not searched if there are none", () => {
    expect(() => queryWords("？？")).toThrow("the question contains no word");
    expect(() => englishWords(" ")).toThrow("the question contains no word");
  });

  it("are searched together first, and a single word only once", async () => {
    const asked: string[] = [];
    const look = async (operator: string): Promise<string[]> => {
      asked.push(operator);
      return [];
    };
    await allThenAny(["a", "b"], look);
    await allThenAny(["a"], look);
    expect(asked).toEqual(["AND", "OR", "AND"]);
  });
});

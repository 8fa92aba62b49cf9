import { describe, expect, it } from "vitest";
import type { Hit } from "../../../src/domain/hit.ts";
import {
  allThenAny,
  englishWords,
  keywordLine,
  queryWords,
  questionLine,
  searchWords,
  withinDates,
} from "../../../src/tools/shared/query.ts";

describe("questionLine", () => {
  it("keeps whole words up to the limit, and cuts a text without spaces", () => {
    expect(questionLine("  Who built\n the lighthouse? ", 15)).toBe("Who built the");
    expect(questionLine("灯塔".repeat(300), 400)).toBe("灯塔".repeat(200));
    expect(questionLine(" \n ", 400)).toBe("");
  });
});

describe("questionLine of a request", () => {
  it("has the words of its subject, because it is no question for a search engine", () => {
    expect(questionLine("Write a detailed report comparing windmills and watermills.", 400)).toBe("windmills watermills");
    expect(questionLine("请写一份关于水车的详细报告", 400)).toBe("水车");
    expect(questionLine("How do windmills compare with watermills?", 400, { written: true })).toContain("compare");
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

describe("the search words of a written query", () => {
  it.each([
    ["what is the half-life of C#", ["what", "is", "the", "half-life", "of", "C#"]],
    ['"whale oil" and “oil lamp”', ['"whale oil"', "and", '"oil lamp"']],
    ["《红楼梦》 作者「曹雪芹」『脂砚斋』", ['"红楼梦"', "作者", '"曹雪芹"', '"脂砚斋"']],
    ["＂鲸油　灯塔＂的历史", ['"鲸油 灯塔"', "的历史"]],
    ["(perovskite OR silicon) AND NOT tandem", ["perovskite", "silicon", "tandem"]],
    ['"trial AND error"', ['"trial AND error"']],
    ['5" pipe and 6" valve', ["5", "pipe", "and", "6", "valve"]],
    ['"an open quotation', ["an", "open", "quotation"]],
    ['"" “?” lamp', ["lamp"]],
    [`"${"oil ".repeat(60)}" lamp`, [...Array<string>(60).fill("oil"), "lamp"]],
  ])("are all its words in order, and its phrases: %s", (text, words) => {
    expect(searchWords(text, true)).toEqual(words);
  });

  it("fit into the limits of a question, and no phrase is cut", () => {
    expect(queryWords("lamp ".repeat(40), true)).toHaveLength(16);
    expect(queryWords(`"${"oil ".repeat(45)}" "${"wax ".repeat(45)}"`, true)).toHaveLength(1);
    expect(keywordLine(`lamp "${"oil ".repeat(45)}"`, 150, true)).toBe("lamp");
    expect(() => queryWords("“ ” AND", true)).toThrow("no word");
  });

  it("for an English index are the Latin words and phrases", () => {
    expect(englishWords("“self attention” 的复杂度 Transformer", true)).toEqual(['"self attention"', "Transformer"]);
    expect(englishWords("《鲸油灯塔》 历史", true)).toEqual(['"鲸油灯塔"', "历史"]);
  });

  it("take linear time", () => {
    for (const piece of ['"', "“", "《", '"a', "「a"]) expect(searchWords(piece.repeat(400_000), true)).toBeDefined();
  });
});

it("leaves out hits that are known to be from other days, months or years", () => {
  const dates = ["2020-03-04", "2020-03-05T23:00:00Z", "2020-03", "2020", "2021-01-01", "2021", "2019", "2 days ago", null];
  const hits = dates.map((publishedAt) => ({ publishedAt }) as Hit);
  const left = (range: { from?: string; to?: string }) => withinDates(hits, range).map(({ publishedAt }) => publishedAt);
  const unknown = ["2 days ago", null];
  expect(left({})).toEqual(dates);
  expect(left({ from: "2020-03-05", to: "2020-12-31" })).toEqual(["2020-03-05T23:00:00Z", "2020-03", "2020", ...unknown]);
  expect(left({ to: "2020-03-04" })).toEqual(["2020-03-04", "2020-03", "2020", "2019", ...unknown]);
  expect(left({ from: "2020-04-01" })).toEqual(["2020", "2021-01-01", "2021", ...unknown]);
});

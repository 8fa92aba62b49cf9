import { expect, test } from "vitest";
import { shingles } from "../../src/ranking/hashed-sets.ts";
import { detectLanguage, resolveLanguage, searchLanguage } from "../../src/ranking/language.ts";
import { chooseDiverse, countTerms, inverseDocumentFrequency, scoreDocuments } from "../../src/ranking/scoring.ts";

const field = (text: string, weight = 1) => ({ terms: countTerms(text.split(" ")), weight });

test("a rare term counts more than a common one, and no term less than zero", () => {
  expect(inverseDocumentFrequency(10, 0)).toBeCloseTo(3.091, 4);
  expect(inverseDocumentFrequency(10, 10)).toBeCloseTo(0.0465, 4);
});

test("documents with rarer and more terms of the query score higher; without any they score 0", () => {
  const scores = scoreDocuments(["loop", "end"], [[field("the loop is a loop")], [field("the loop has an end")], [field("nothing here")]]);
  expect(scores[1]).toBeGreaterThan(scores[0] ?? 0);
  expect(scores[2]).toBe(0);
  expect(scoreDocuments(["loop"], [])).toEqual([]);
});

test("scores are those of BM25 with k1 1.2 and b 0.75", () => {
  const [short, long] = scoreDocuments(["loop"], [[field("loop end")], [field("loop loop a b c d")]]);
  expect(short).toBeCloseTo(0.2292, 4);
  expect(long).toBeCloseTo(0.2198, 4);
});

test("a term in a heavier field counts more", () => {
  const [title, body] = scoreDocuments(
    ["循环"],
    [
      [field("循环", 2), field("文字")],
      [field("文字", 2), field("循环")],
    ],
  );
  expect(title).toBeGreaterThan(body ?? 0);
});

test("the selection prefers new content and breaks ties by order", () => {
  const candidate = (name: string, score: number, text: string) => ({ name, score, shingles: shingles(text.split(" ")) });
  const chosen = chooseDiverse(
    [
      candidate("best", 1, "the loop ends with a cap"),
      candidate("copy", 0.99, "the loop ends with a cap"),
      candidate("near", 0.9, "the loop ends with a budget of tokens"),
      candidate("other", 0.8, "downloads are counted by the guard"),
      candidate("later", 0.8, "figures come from another tool entirely"),
    ],
    { limit: 3, lambda: 0.7 },
  );
  expect(chosen.map(({ name }) => name)).toEqual(["best", "other", "later"]);
  expect(chooseDiverse([], { limit: 3, lambda: 0.7 })).toEqual([]);
});

test("the script of a question determines its language", () => {
  expect(detectLanguage("How does the loop end?")).toBe("en");
  expect(detectLanguage("LangGraph 的循环怎么结束？")).toBe("zh");
  expect(detectLanguage("東京タワーはどこですか")).toBe("ja");
  expect(detectLanguage("한국의 수도는 어디입니까")).toBe("ko");
  expect(detectLanguage("ما هي عاصمة فرنسا؟")).toBe("ar");
  expect(detectLanguage("Какая столица Франции?")).toBe("ru");
  expect(detectLanguage("What does 循环 mean in LangGraph documents?")).toBe("en");
  expect(detectLanguage("对比 LangGraph 和 LlamaIndex")).toBe("zh");
  expect(detectLanguage("Transformer Attention Mechanism 是什么？")).toBe("zh");
  expect(detectLanguage("Who is 是枝裕和, the director?")).toBe("en");
  expect(detectLanguage("GDP 2020 北京")).toBe("zh");
  expect(detectLanguage("Kubernetes 集群 deployment")).toBe("zh");
  expect(detectLanguage("Wie lang ist die Kündigungsfrist?")).toBe("de");
  expect(detectLanguage("Quel est le délai de préavis ?")).toBe("fr");
  expect(detectLanguage("die cast aluminium process")).toBe("en");
  expect(detectLanguage("")).toBe("en");
});

test("a requested language takes precedence over the script", () => {
  expect(resolveLanguage("fr", "What?")).toBe("fr");
  expect(resolveLanguage("auto", "什么？")).toBe("zh");
});

test("sources are asked in the requested language, unless the text is clearly in another", () => {
  expect(searchLanguage("auto", "谁建造了灯塔？")).toBe("zh");
  expect(searchLanguage("fr", "Qui a construit le phare ?")).toBe("fr");
  expect(searchLanguage("zh-TW", "誰建造了燈塔？")).toBe("zh-TW");
  expect(searchLanguage("zh", "Who built the lighthouse?")).toBe("en");
  expect(searchLanguage("en", "谁建造了灯塔？")).toBe("zh");
  expect(searchLanguage("ja", "東京都庁舎")).toBe("ja");
  expect(searchLanguage("zh", "1990–2000")).toBe("zh");
});

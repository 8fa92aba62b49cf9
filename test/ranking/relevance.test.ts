import { describe, expect, it } from "vitest";
import type { Hit, RankedHit } from "../../src/domain/hit.ts";
import { languageOrScript, mayShareWords } from "../../src/ranking/language.ts";
import { fuseSemantic, rankHits } from "../../src/ranking/rank-hits.ts";
import { cutIrrelevant, judgeRelevance, queriesOf, relevanceOfScores } from "../../src/ranking/relevance.ts";
import { countTerms } from "../../src/ranking/scoring.ts";
import { tokenize } from "../../src/ranking/tokenize.ts";
import { foundPage } from "../helpers/page-source.ts";

const field = (text: string, weight = 1) => ({ terms: countTerms(tokenize(text)), weight });
const judge = (queries: readonly string[], texts: readonly string[]) => {
  const relevance = judgeRelevance(
    queries,
    texts.map((text) => [field(text)]),
  );
  return relevance.map((value) => Number(value.toFixed(2)));
};

function hit(title: string, snippet: string, more: Partial<Hit> = {}): Hit {
  return { ...foundPage("web", `https://example.com/${encodeURIComponent(title + snippet)}`), title, snippet, ...more };
}

const QUESTION = "How many WeWork employees will be laid off?";
const ABOUT = [
  hit("WeWork layoffs", "More than 4,000 WeWork employees will be laid off this week, people who know the plans say in New York."),
  hit("WeWork inquiry", "The attorney general investigates WeWork, which employees and owners of the company learned from a letter."),
];
const OTHER = Array.from({ length: 5 }, (_, i) =>
  hit(`Recipe ${i}`, `Bread number ${i} is baked with salt, water and flour in a hot oven until its crust is brown and sounds hollow.`),
);
const titles = (hits: readonly RankedHit[]) => hits.map(({ title }) => title).sort();
const rank = (hits: readonly Hit[], relevantTo: readonly string[] = [QUESTION], question = relevantTo.join("\n")) =>
  titles(rankHits({ question, keep: 12, relevantTo }, hits));

describe("the relevance of a text", () => {
  it("is the share of the query's terms in it, of which rare ones count more", () => {
    const [both = 0, rare = 0, common = 0, other] = judge(
      ["granite tower"],
      ["granite tower", "granite wall", "tower", "a tower of tea", "tea"],
    );
    expect(both).toBe(1);
    expect(rare).toBeGreaterThan(common);
    expect([common > 0, other]).toEqual([true, common]);
  });

  it("is that for the query that fits best", () => {
    expect(
      judge(["灯塔有多高？", "height of the lighthouse tower"], ["The lighthouse tower has a height of 90 metres.", "Bread."]),
    ).toEqual([1, 0]);
  });

  it("is judged in Chinese, in either script", () => {
    expect(judge(["美樹營地的聯絡電話？"], ["美树营地联络电话：03-584-7231", "谷歌收购的公司开发出计算机"])).toEqual([1, 0]);
  });

  it("does not suffer from terms that no text contains", () => {
    expect(judge(["zyzzyva granite"], ["granite", "bread"])).toEqual([1, 0]);
    expect(judge(["zyzzyva"], ["granite"])).toEqual([0]);
    expect(judge([], ["granite"])).toEqual([0]);
  });

  it("counts a term in a light field as much as the field", () => {
    const texts = [[field("It has 90 metres."), field("granite", 0.5)], [field("granite", 2)]];
    expect(judgeRelevance(["granite"], texts)).toEqual([0.5, 1]);
  });

  it("takes time in proportion to the texts", () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => `Passage ${i} tells of gulls, of granite and of the weather.`);
    expect(judge([QUESTION, "granite"], texts)).toHaveLength(20_000);
  });
});

describe("hits", () => {
  it("below the cut are left out", () => {
    expect(rank([...ABOUT, ...OTHER])).toEqual(["WeWork inquiry", "WeWork layoffs"]);
    const all = rankHits({ question: QUESTION, keep: 12 }, [...ABOUT, ...OTHER]);
    expect(all).toHaveLength(7);
  });

  it("are kept if one query of several fits", () => {
    expect(rank([...ABOUT, ...OTHER], ["有多少人被裁员？", "WeWork layoffs employees"])).toEqual(["WeWork inquiry", "WeWork layoffs"]);
  });

  it("with little text are judged by what is there", () => {
    const short = hit("WeWork", "");
    const blank = hit("", "");
    const off = hit("Sourdough bread", "");
    expect(rank([...ABOUT, ...OTHER, short, blank, off])).toEqual(["", "WeWork", "WeWork inquiry", "WeWork layoffs"]);
  });

  it("are none if none is relevant", () => {
    expect(rank(OTHER)).toEqual([]);
  });

  it.each([
    ["another script", "谁在2019年被裁员？"],
    ["another language of the same script", "Qui est licencié par le groupe et quand ?"],
    ["words of one character, which no text has alone", "狗和鱼？"],
  ])("are the best three if none is relevant and words cannot judge them: a question with %s", (_, question) => {
    const ranked = rankHits({ question, keep: 12, relevantTo: [question] }, OTHER);
    expect(ranked.map(({ isUnjudged }) => isUnjudged)).toEqual([true, true, true]);
    const judged = rankHits({ question, keep: 12, relevantTo: [question, "WeWork layoffs"] }, OTHER);
    expect(judged).toEqual([]);
  });

  it("that a tool delivered with their text are kept, whatever the others are", () => {
    const delivered = hit("Filing", "Revenue and costs of a company in the last three quarters of the year, by segment and region.", {
      contentHash: "a".repeat(64),
    });
    expect(rank([...ABOUT, ...OTHER, delivered])).toEqual(["Filing", "WeWork inquiry", "WeWork layoffs"]);
    expect(rank([...OTHER, delivered])).toEqual(["Filing"]);
  });

  it("are cut by their semantic scores instead, if there are any", () => {
    const ranked = [...ABOUT, ...OTHER].map((one): RankedHit => ({ ...one, score: 1, origin: one.id, alternatives: [] }));
    const scores = [0.01, 0.02, 0.9, 0.8, 0.05, 0.3, 0.1];
    expect(titles(fuseSemantic(ranked, scores, 12, true))).toEqual(["Recipe 0", "Recipe 1", "Recipe 3"]);
    expect(fuseSemantic(ranked, scores, 12)).toHaveLength(7);
  });
});

it("semantic scores are compared with the best, and with the lowest if it is negative", () => {
  expect(relevanceOfScores([0.5, 0.25, 0])).toEqual([1, 0.5, 0]);
  expect(relevanceOfScores([6, 1, -4])).toEqual([1, 0.5, 0]);
  expect(relevanceOfScores([-1, -1])).toEqual([0, 0]);
  expect(relevanceOfScores([])).toEqual([]);
});

it("the cut keeps the order, what is exempt, and as many as asked of what is not judged if none is relevant", () => {
  const isJudged = () => true;
  expect(cutIrrelevant([0.1, 0.9, 0.2, 0.19], (value) => value, { isJudged })).toEqual([0.9, 0.2]);
  expect(cutIrrelevant([0.15, 0.1, 0], (value) => value, { isJudged })).toEqual([]);
  expect(cutIrrelevant([0.15, 0.1, 0], (value) => value, { isJudged: (value) => value > 0.1, unjudged: 1 })).toEqual([0.1]);
  expect(cutIrrelevant(["a", "b", "c"], () => 0, { isJudged: () => false, unjudged: 1, isExempt: (one) => one === "c" })).toEqual([
    "a",
    "c",
  ]);
});

it.each([
  ["Quel est le délai de préavis du bail ?", "fr"],
  ["What is the notice period?", "en"],
  ["notice period lease", "und-Latn"],
  ["奥尔德穆尔灯塔的灯里烧什么？", "zh"],
  ["犬はなぜ肉を川に落としてしまいましたか？", "ja"],
  ["ค่าเช่าเท่าไร", "th"],
  ["Wie lange ist die Frist?", "de"],
  ["1931–1942", null],
])("the language of %s is %s", (text, language) => {
  expect(languageOrScript(text)).toBe(language);
});

it("texts may share words in one language, or in one script if only one language is known", () => {
  expect([mayShareWords("en", "en"), mayShareWords("en", "und-Latn"), mayShareWords("und-Latn", "und-Latn")]).toEqual([true, true, true]);
  expect([mayShareWords("en", "fr"), mayShareWords("zh", "und-Latn"), mayShareWords(null, null)]).toEqual([false, false, false]);
});

it("a run asks its question, the earlier ones, both together, and the written queries", () => {
  expect(queriesOf("Q", "", ["w", "Q"]).all).toEqual(["Q", "w"]);
  expect(queriesOf("And its height?", "Where is the tower?", []).all).toEqual([
    "And its height?",
    "Where is the tower?",
    "Where is the tower? And its height?",
  ]);
});

it.each([
  ["And its height?", ["tower height"], ["tower height"]],
  ["And its height?", [], ["And its height?"]],
  ["What is it?", [], ["Where is the tower? What is it?"]],
  ["那它有多高？", ["塔 高度"], ["塔 高度"]],
  ["是什么？", [], ["Where is the tower? 是什么？"]],
])("what %s asks now, with the written queries %j, is %j", (question, written, own) => {
  expect(queriesOf(question, "Where is the tower?", written).own).toEqual(own);
});

import { expect, test } from "vitest";
import { contentWords, keywords, queryTerms } from "../../src/ranking/query-terms.ts";
import { tokenize, toSimplified } from "../../src/ranking/tokenize.ts";

test("words are lower-cased, stemmed and freed of Latin diacritics", () => {
  expect(tokenize("The Loops were ENDING in Cafés, naïvely")).toEqual(["the", "loop", "were", "end", "in", "cafe", "naiv"]);
});

test("full-width letters and ligatures are read as plain letters", () => {
  expect(tokenize("ＡＰＩ ﬁle")).toEqual(["api", "file"]);
});

test("the spellings of an identifier share one term and keep their parts", () => {
  for (const spelling of ["Last-Event-ID", "last_event_id"]) expect(tokenize(spelling)).toEqual(["lasteventid", "last", "event", "id"]);
  expect(tokenize("lastEventId")).toEqual(["lasteventid", "last", "event", "id"]);
  expect(tokenize("finish_task")).toEqual(["finishtask", "finish", "task"]);
});

test("a capitalized name of two words is one word of prose, and identifiers are still split into their parts", () => {
  expect(tokenize("LangGraph's GitHub OpenAI")).toEqual(["langgraph", "github", "openai"]);
  expect(tokenize("optionalTool runService")).toEqual(["optionaltool", "option", "tool", "runservic", "run", "servic"]);
  expect(tokenize("TooManyRequests")).toEqual(["toomanyrequest", "too", "mani", "request"]);
});

test('"found" and "founded" are different terms', () => {
  expect(tokenize("find finds found finding")).toEqual(["find", "find", "find", "find"]);
  expect(tokenize("founded founders")).toEqual(["found", "founder"]);
});

test("versions, decimals, percentages and options stay whole", () => {
  expect(tokenize("v1.4.18")).toContain("1.4.18");
  expect(tokenize("3.5% of 1,234.5")).toEqual(["3.5%", "3.5", "of", "1234.5"]);
  expect(tokenize("2022-11-21")).toEqual(["2022-11-21", "2022", "11", "21"]);
  expect(tokenize("run kill -9 now")).toEqual(["run", "kill", "-9", "9", "now"]);
  expect(tokenize("C++ and C#")).toEqual(["c++", "and", "c#"]);
});

test("contractions are one word, elisions two", () => {
  expect(tokenize("the user’s l'homme")).toEqual(["the", "user", "l", "homm"]);
});

test("Chinese, Japanese and Korean runs become overlapping pairs, a lone character itself", () => {
  expect(tokenize("循环结束。猫")).toEqual(["循环", "环结", "结束", "猫"]);
  expect(tokenize("みずうみ")).toEqual(["みず", "ずう", "うみ"]);
  expect(tokenize("문장")).toEqual(["문장"]);
  expect(tokenize("用GPT4写")).toEqual(["用", "gpt4", "写"]);
});

test.each([
  ["繁體中文", "繁体中文"],
  ["臺灣的頭髮", "台湾的头发"],
  ["這裡 這裏", "这里 这里"],
  ["因為 因爲", "因为 因为"],
  ["衞生說明 衛生説明", "卫生说明 卫生说明"],
  ["東京タワーの高さ", "东京タワーの高さ"],
])("Traditional and Simplified Chinese give the same terms: %s", (traditional, simplified) => {
  expect(tokenize(traditional)).toEqual(tokenize(simplified));
  expect(queryTerms(traditional)).toEqual(queryTerms(simplified));
});

test("Simplified text keeps its characters, also those that are variants in Taiwan", () => {
  expect(toSimplified("著名的什么")).toBe("著名的什么");
});

test("a text converted to Simplified characters keeps its length, so that offsets stay true", () => {
  const text = "😀 The 繁體 𠮷野家 ｶﾞ text — 臺灣、裏面 \ud840 㗲";
  expect(toSimplified(text)).toBe("😀 The 繁体 𠮷野家 ｶﾞ text — 台湾、里面 \ud840 㗲");
  expect(toSimplified(text)).toHaveLength(text.length);
  expect(toSimplified("No ideographs.")).toBe("No ideographs.");
});

test("Russian and Arabic words are stemmed by their own rules", () => {
  expect(tokenize("книги книга")).toEqual(["книг", "книг"]);
  expect(tokenize("كِتَاب")).toEqual(tokenize("كتاب"));
});

test("emoji, lone surrogates and emptiness give no terms", () => {
  expect(tokenize("")).toEqual([]);
  expect(tokenize("😀👨‍👩‍👧 \ud800 \udc00 …")).toEqual([]);
});
test("only the content words of a question remain", () => {
  expect(queryTerms("How does the optional-tool loop end?")).toEqual(["optionaltool", "option", "tool", "loop", "end"]);
  expect(queryTerms("What happens after kill -9?")).toEqual(["happen", "kill", "-9", "9"]);
});

test("Chinese question words are removed before pairs are made, so that no pair contains a part of one", () => {
  expect(queryTerms("循环是怎么结束的？")).toEqual(["循环", "结束"]);
  expect(queryTerms("法国的首都是哪里？")).toEqual(["法国", "首都"]);
  expect(queryTerms("東京の人口は何ですか")).toEqual(["东京", "人口"]);
});

test("a question of nothing but stop words keeps them all", () => {
  expect(queryTerms("the who")).toEqual(["the", "who"]);
  expect(queryTerms("什么是什么")).toEqual(["什么", "么是", "是什"]);
  expect(queryTerms("?!")).toEqual([]);
});

test.each([
  ["Wie lang ist die Kündigungsfrist?", ["kundigungsfrist"]],
  ["Quel est le délai de préavis ?", ["delai", "preavi"]],
  ["Hoe lang is de opzegtermijn?", ["lang", "opzegtermijn"]],
  ["What is die casting?", ["die", "cast"]],
])("the question's own language decides what its stop words are: %s", (question, terms) => {
  expect(queryTerms(question)).toEqual(terms);
});

test("question words of traditional Chinese are removed, too", () => {
  expect(queryTerms("楓葉什麼時候變紅？")).toEqual(["枫叶", "变红"]);
  expect(queryTerms("博物館何時開放？")).toEqual(["博物", "物馆", "开放"]);
  expect(queryTerms("車票在哪兒？")).toEqual(["车票"]);
  for (const word of ["為甚麼", "哪裏", "哪個", "怎麼樣", "這裡", "誰"]) expect(queryTerms(`${word}車票？`)).toEqual(["车票"]);
});

test("a character that links two words is not a part of the one before it, but can be a part of a name", () => {
  expect(contentWords("新电脑用什么学习")).toEqual(["新电脑", "学习"]);
  expect(contentWords("电脑比手机快")).toEqual(["电脑", "手机快"]);
  expect(contentWords("电脑用来做什么")).toEqual(["电脑"]);
  expect(contentWords("李向阳是谁")).toEqual(["李向阳"]);
  expect(contentWords("比特币")).toEqual(["比特币"]);
});

test("content words keep the spelling of the question", () => {
  expect(contentWords("楓葉什麼時候變紅")).toEqual(["楓葉", "變紅"]);
  expect(contentWords("電腦用什麼學習")).toEqual(["電腦", "學習"]);
  expect(keywords("楓葉什麼時候變紅？")).toEqual(["楓葉", "變紅"]);
});

test.each([
  ["谁是吴应龙？", ["吴应", "应龙"]],
  ["張能武是誰", ["张能", "能武"]],
  ["刘能是谁", ["刘能"]],
  ["那英", ["那英"]],
  ["于谦是怎样的人", ["于谦"]],
])("a character that is a stop word and a piece of names is searched for: %s", (question, terms) => {
  expect(queryTerms(question)).toEqual(expect.arrayContaining(terms));
});

test.each([
  ["谁是吴应龙", ["吴应龙"]],
  ["那英唱过什么歌", ["那英唱"]],
  ["云溪县有多少人口", ["云溪县", "人口"]],
  ["雾川江有多长", ["雾川江"]],
  ["张裔从吴国回来了吗", ["张裔", "吴国"]],
  ["马会游泳吗", ["游泳"]],
  ["博物馆何时开放", ["博物馆", "开放"]],
  ["从北京到上海要多久", ["北京", "上海"]],
  ["那时候有电视吗", ["电视"]],
  ["老师和学生会来吗", ["老师", "学生"]],
  ["哪些颜色最多", ["颜色"]],
])("such a character is content only between lone characters: %s", (question, words) => {
  expect(contentWords(question)).toEqual(expect.arrayContaining(words));
});

test("a word of half a million apostrophes is read", () => {
  expect(tokenize(`d${"'e".repeat(500_000)}`)).toHaveLength(500_001);
});

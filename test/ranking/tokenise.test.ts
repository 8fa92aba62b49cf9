import { expect, test } from "vitest";
import { contentWords, queryTerms } from "../../src/ranking/query-terms.ts";
import { tokenise } from "../../src/ranking/tokenise.ts";

test("words are lower-cased, stemmed and freed of Latin diacritics", () => {
  expect(tokenise("The Loops were ENDING in Cafés, naïvely")).toEqual(["the", "loop", "were", "end", "in", "cafe", "naiv"]);
});

test("full-width letters and ligatures are read as their plain forms", () => {
  expect(tokenise("ＡＰＩ ﬁle")).toEqual(["api", "file"]);
});

test("the spellings of an identifier meet in one term and keep their parts", () => {
  for (const spelling of ["Last-Event-ID", "last_event_id"]) expect(tokenise(spelling)).toEqual(["lasteventid", "last", "event", "id"]);
  expect(tokenise("lastEventId")).toEqual(["lasteventid", "last", "event", "id"]);
  expect(tokenise("finish_task")).toEqual(["finishtask", "finish", "task"]);
});

test("a name of two words with capitals is one word of prose, and identifiers still fall into their parts", () => {
  expect(tokenise("LangGraph's GitHub OpenAI")).toEqual(["langgraph", "github", "openai"]);
  expect(tokenise("optionalTool runService")).toEqual(["optionaltool", "option", "tool", "runservic", "run", "servic"]);
  expect(tokenise("TooManyRequests")).toEqual(["toomanyrequest", "too", "mani", "request"]);
});

test("what was found is not what was founded", () => {
  expect(tokenise("find finds found finding")).toEqual(["find", "find", "find", "find"]);
  expect(tokenise("founded founders")).toEqual(["found", "founder"]);
});

test("versions, decimals, percentages and options stay whole", () => {
  expect(tokenise("v1.4.18")).toContain("1.4.18");
  expect(tokenise("3.5% of 1,234.5")).toEqual(["3.5%", "3.5", "of", "1234.5"]);
  expect(tokenise("2022-11-21")).toEqual(["2022-11-21", "2022", "11", "21"]);
  expect(tokenise("run kill -9 now")).toEqual(["run", "kill", "-9", "9", "now"]);
  expect(tokenise("C++ and C#")).toEqual(["c++", "and", "c#"]);
});

test("contractions are one word, elisions two", () => {
  expect(tokenise("the user’s l'homme")).toEqual(["the", "user", "l", "homm"]);
});

test("Chinese, Japanese and Korean runs become overlapping pairs, a lone character itself", () => {
  expect(tokenise("循环结束。猫")).toEqual(["循环", "环结", "结束", "猫"]);
  expect(tokenise("東京タワー")).toEqual(["東京", "京タ", "タワ", "ワー"]);
  expect(tokenise("문장")).toEqual(["문장"]);
  expect(tokenise("用GPT4写")).toEqual(["用", "gpt4", "写"]);
});

test("Russian and Arabic words are stemmed by their own rules", () => {
  expect(tokenise("книги книга")).toEqual(["книг", "книг"]);
  expect(tokenise("كِتَاب")).toEqual(tokenise("كتاب"));
});

test("emoji, lone surrogates and emptiness give no terms", () => {
  expect(tokenise("")).toEqual([]);
  expect(tokenise("😀👨‍👩‍👧 \ud800 \udc00 …")).toEqual([]);
});

test("a megabyte of anything is cut in bounded time", () => {
  const started = performance.now();
  for (const piece of ["a", "a-", "é", "中", "-", "'", "1,", " ", "A"]) tokenise(piece.repeat(1_000_000 / piece.length));
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("a question keeps its content words only", () => {
  expect(queryTerms("How does the optional-tool loop end?")).toEqual(["optionaltool", "option", "tool", "loop", "end"]);
  expect(queryTerms("What happens after kill -9?")).toEqual(["happen", "kill", "-9", "9"]);
});

test("Chinese question words are taken out before pairs are made, so that none reaches into its neighbour", () => {
  expect(queryTerms("请问循环是怎么结束的？")).toEqual(["循环", "结束"]);
  expect(queryTerms("法国的首都是哪里？")).toEqual(["法国", "首都"]);
  expect(queryTerms("東京の人口は何ですか")).toEqual(["東京", "人口"]);
});

test("a question of nothing but stop words keeps them all", () => {
  expect(queryTerms("the who")).toEqual(["the", "who"]);
  expect(queryTerms("什么是什么")).toEqual(["什么", "么是", "是什"]);
  expect(queryTerms("?!")).toEqual([]);
});

test("question words of traditional Chinese are no content either", () => {
  expect(queryTerms("楓葉什麼時候變紅？")).toEqual(["楓葉", "變紅"]);
  expect(queryTerms("博物館何時開放？")).toEqual(["博物", "物館", "開放"]);
  expect(queryTerms("車票在哪兒？")).toEqual(["車票"]);
  for (const word of ["為甚麼", "哪裏", "哪個", "幾點", "怎麼樣", "這裡", "誰"]) expect(queryTerms(`${word}車票？`)).toEqual(["車票"]);
});

test("a character that links two words is no part of the one before it, but is of a name", () => {
  expect(contentWords("新电脑用什么学习")).toEqual(["新电脑", "学习"]);
  expect(contentWords("电脑比手机快")).toEqual(["电脑", "手机快"]);
  expect(contentWords("电脑用来做什么")).toEqual(["电脑"]);
  expect(contentWords("李向阳是谁")).toEqual(["李向阳"]);
  expect(contentWords("比特币")).toEqual(["比特币"]);
});

test.each([
  ["谁是吴应龙？", ["吴应", "应龙"]],
  ["張能武是誰", ["張能", "能武"]],
  ["请问陈该之的诗叫什么", ["陈该", "该之"]],
  ["郭有才有几个孩子", ["郭有", "有才", "孩子"]],
  ["何时希哪年出生", ["何时", "时希"]],
  ["那英", ["那英"]],
  ["刘能是谁", ["刘能"]],
  ["诗人马应龙写过什么", ["诗人", "马应", "应龙"]],
  ["司马会龙死于哪年", ["司马", "马会", "会龙"]],
  ["于谦是怎样的人", ["于谦"]],
])("a name with stop words in it stays whole: %s", (question, terms) => {
  expect(queryTerms(question)).toEqual(expect.arrayContaining(terms));
});

test.each([
  ["马应龙写了几首诗", ["马应龙", "写", "几首诗"]],
  ["那英唱过什么歌", ["那英"]],
])("nothing is joined to such a name: %s", (question, words) => {
  expect(contentWords(question)).toEqual(expect.arrayContaining(words));
});

test.each([
  ["云溪县有多少人口", ["云溪县", "人口"]],
  ["雾川江有多长", ["雾川江"]],
  ["高不高有什么关系", ["关系"]],
  ["张裔从吴国回来了吗", ["张裔", "吴国"]],
  ["金能导电吗", ["导电"]],
  ["马会游泳吗", ["游泳"]],
  ["博物馆何时开放", ["博物馆", "开放"]],
  ["从北京到上海要多久", ["北京", "上海"]],
  ["那时候有电视吗", ["电视"]],
  ["老师和学生会来吗", ["老师", "学生"]],
])("a stop word between other words is none of a name: %s", (question, words) => {
  expect(contentWords(question)).toEqual(expect.arrayContaining(words));
});

import { expect, test } from "vitest";
import type { Hit } from "../../src/domain/hit.ts";
import { rankHits } from "../../src/ranking/rank-hits.ts";

const hit = (id: string, over: Partial<Hit> = {}): Hit => ({
  id,
  kind: "web",
  title: "",
  url: `https://example.com/${id}`,
  publishedAt: null,
  foundBy: "web",
  contentHash: null,
  snippet: "",
  ...over,
});
const ids = (hits: readonly Hit[]): string[] => hits.map(({ id }) => id);
const query = (question: string, keep = 10) => ({ question, language: "auto", keep });

test("a hit that matches the question rises above one that its source ranked first", () => {
  const ranked = rankHits(query("How does the loop end?"), [
    hit("a", { title: "Cooking", snippet: "Rice and water." }),
    hit("b", { title: "Loops", snippet: "The loop ends when nothing new was found." }),
  ]);
  expect(ids(ranked)).toEqual(["b", "a"]);
});

test("Chinese questions are matched by pairs of characters", () => {
  const ranked = rankHits(query("循环怎么结束？"), [
    hit("a", { title: "天气", snippet: "今天下雨。" }),
    hit("b", { title: "循环", snippet: "循环在三轮之后结束。" }),
  ]);
  expect(ids(ranked)).toEqual(["b", "a"]);
});

test("the order of the sources is kept, interleaved, if there are no words to compare", () => {
  const ranked = rankHits(query("?"), [
    hit("a1", { foundBy: "a" }),
    hit("a2", { foundBy: "a" }),
    hit("b1", { foundBy: "b" }),
    hit("b2", { foundBy: "b" }),
  ]);
  expect(ids(ranked)).toEqual(["a1", "b1", "a2", "b2"]);
});

test("one address is kept once, with its content, and gains from every source that found it", () => {
  const ranked = rankHits(query("x"), [
    hit("a", { foundBy: "one" }),
    hit("b", { foundBy: "one", url: "https://example.com/same?utm_source=x" }),
    hit("c", { foundBy: "two", url: "http://www.example.com/same/", contentHash: "f".repeat(64) }),
  ]);
  expect(ids(ranked)).toEqual(["c", "a"]);
});

test("two texts that came from one address are both kept", () => {
  const url = "https://example.com/figures";
  const part = (id: string): Hit => hit(id, { url: `${url}#${id}`, contentHash: id.repeat(64) });
  expect(ids(rankHits(query("x"), [part("a"), part("b"), hit("c", { url })]))).toEqual(["a", "b"]);
});

test("the same text at another address is kept once, but equal titles without a text are not treated as copies", () => {
  const snippet = "The loop ends when two rounds in a row have brought nothing new.";
  expect(ids(rankHits(query("loop"), [hit("a", { snippet }), hit("b", { snippet })]))).toEqual(["a"]);
  expect(ids(rankHits(query("report"), [hit("a", { title: "Annual report" }), hit("b", { title: "Annual report" })]))).toEqual(["a", "b"]);
});

test("at most the number asked for is kept, best first, with scores from 0 to 1", () => {
  const many = Array.from({ length: 30 }, (_, i) => hit(`h${i}`, { title: `Loop ${i}` }));
  const ranked = rankHits(query("loop", 5), many);
  expect(ranked).toHaveLength(5);
  const scores = ranked.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  expect(Math.min(...scores)).toBeGreaterThan(0);
});

test("equal input gives equal output, and no hits give an empty list", () => {
  const hits = [hit("b"), hit("a"), hit("c", { foundBy: "z", snippet: "\ud800😀" })];
  expect(rankHits(query("a"), hits)).toEqual(rankHits(query("a"), hits));
  expect(rankHits(query("a"), [])).toEqual([]);
  expect(rankHits(query("a", 0), hits)).toEqual([]);
});

test("one work under several addresses is one hit with the longest snippet, a complete title and the votes of all sources that found it", () => {
  const ranked = rankHits(query("?"), [
    hit("a1", { foundBy: "a" }),
    hit("a2", { foundBy: "a", url: "https://arxiv.org/abs/1706.03762v1", title: "Attention is all …", snippet: "Short." }),
    hit("b1", {
      foundBy: "b",
      url: "https://doi.org/10.48550/arXiv.1706.03762",
      title: "Attention Is All You Need",
      publishedAt: "2017-06-12",
    }),
    hit("c1", { foundBy: "c", url: "https://ar5iv.org/abs/1706.03762", title: "ar5iv", snippet: "The longest snippet of all." }),
  ]);
  expect(ids(ranked)).toEqual(["a2", "a1"]);
  expect(ranked[0]).toMatchObject({
    title: "Attention Is All You Need",
    snippet: "The longest snippet of all.",
    url: "https://arxiv.org/abs/1706.03762v1",
    publishedAt: "2017-06-12",
    origin: "a2",
    alternatives: ["b1", "c1"],
  });
  expect(ranked[1]).toMatchObject({ origin: "a1", alternatives: [] });
});

test("of copies on several sites the best one represents all, and the others take no places", () => {
  const snippet = "The loop ends when two rounds in a row have brought nothing new to the analyst.";
  const copies = Array.from({ length: 30 }, (_, i) => hit(`copy${i}`, { url: `https://site${i}.example/`, title: "Loop", snippet }));
  const ranked = rankHits(query("How does the loop end?", 12), [
    ...copies,
    hit("own", { foundBy: "other", title: "Loops", snippet: "A loop comes to its end by a cap." }),
    hit("none", { foundBy: "other", title: "Cooking" }),
  ]);
  expect(ids(ranked)).toEqual(["own", "copy0", "none"]);
  expect(ranked[1]?.alternatives).toHaveLength(29);
  expect(ranked[1]?.score).toBeCloseTo((2 / 62 + 1 / 61) / (4 / 61));
});

test("reports whose titles differ by a number only are all kept", () => {
  const snippet = "本报告介绍公司的经营情况、财务状况和董事会报告，并附会计师事务所出具的标准无保留意见的审计报告。";
  const years = [2021, 2022, 2023, 2024].map((year) => hit(`y${year}`, { title: `示例公司${year}年年度报告`, snippet }));
  expect(ids(rankHits(query("示例公司年度报告"), years))).toHaveLength(4);
});

test("the order in which other sources answered does not matter", () => {
  const of = (source: string): Hit[] =>
    Array.from({ length: 20 }, (_, i) =>
      hit(`${source}${i}`, {
        foundBy: source,
        url: `https://site${i % 7}.example/${i % 11}`,
        title: `Loop ${i % 5}`,
        snippet: `loop ${source}`,
      }),
    );
  const [a, b, c] = [of("a"), of("b"), of("c")];
  const scored = (hits: readonly Hit[]) => rankHits(query("loop"), hits).map(({ url, score }) => ({ url, score }));
  expect(scored([...c, ...a, ...b])).toEqual(scored([...a, ...b, ...c]));
});

test.each(["filing", "scholar"] as const)("a %s comes before another source of nearly the same relevance", (kind) => {
  const said = { title: "Harbour revenue", snippet: "The harbour of Aldermoor had revenue of 27 million." };
  const ranked = rankHits(query("revenue of the harbour of Aldermoor"), [
    hit("a", { ...said, foundBy: "web", snippet: `${said.snippet} So writes a newspaper of the coast.` }),
    hit("b", { ...said, foundBy: "primary", kind, snippet: `${said.snippet} It is the audited account of the year.` }),
    hit("c", { title: "Cooking", snippet: "Rice and water.", foundBy: "web" }),
  ]);
  expect(ids(ranked)).toEqual(["b", "a", "c"]);
});

test("a primary source does not come before a much more relevant one", () => {
  const ranked = rankHits(query("revenue of the harbour of Aldermoor"), [
    hit("a", { title: "Revenue of the harbour of Aldermoor", snippet: "It was 27 million.", foundBy: "web" }),
    hit("b", { title: "Fish", snippet: "The herring of the coast.", foundBy: "web" }),
    hit("c", { title: "Stones", snippet: "Granite in walls.", foundBy: "scholar", kind: "scholar" }),
  ]);
  expect(ids(ranked)[0]).toBe("a");
});

test("of copies the primary one represents all", () => {
  const same = {
    title: "The annual accounts of the harbour of Aldermoor for last year",
    snippet: "The harbour of Aldermoor had revenue of 27 million last year, of which nine came from the fish market by the old quay.",
  };
  const ranked = rankHits(query("harbour of Aldermoor revenue"), [
    hit("a", { ...same, foundBy: "web", url: "https://news.example/a" }),
    hit("b", { ...same, foundBy: "filings", kind: "filing", url: "https://filings.example/b" }),
  ]);
  expect(ranked.map(({ id, alternatives }) => [id, alternatives])).toEqual([["b", ["a"]]]);
});

test("the organization's own pages are primary, by the website that a service tells", () => {
  const said = { title: "Harbour revenue", foundBy: "web" };
  const pages = [
    hit("a", {
      ...said,
      url: "https://news.example/a",
      snippet: "The harbour had revenue of 27 million. So writes a newspaper of the coast.",
    }),
    hit("b", {
      ...said,
      url: "https://ir.harbour.example/b",
      snippet: "The harbour had revenue of 27 million. It is our result of the year.",
    }),
  ];
  const profile = hit("p", { kind: "market", foundBy: "profile", title: "Profile", snippet: "A company." });
  const first = (site?: string) => {
    const told = site === undefined ? profile : { ...profile, site };
    return ids(rankHits(query("revenue of the harbour"), [...pages, told])).filter((id) => id !== "p");
  };
  expect(first("www.harbour.example")).toEqual(["b", "a"]);
  expect(first("http://harbour.example/en")).toEqual(["b", "a"]);
  expect(first("bour.example")).toEqual(["a", "b"]);
  expect(first()).toEqual(["a", "b"]);
});

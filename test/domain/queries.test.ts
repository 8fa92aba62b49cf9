import { expect, it } from "vitest";
import { z } from "zod";
import { kindsOf, MAX_QUERIES, readQueries, SearchCallSchema, searchArguments } from "../../src/domain/queries.ts";

const QUERY = { text: "solid-state battery", kinds: [], language: null, from: null, to: null };

it.each<[given: unknown, read: object[]]>([
  [{ queries: [{ text: "solid-state battery" }] }, [QUERY]],
  [{ query: "solid-state  battery\n" }, [QUERY]],
  [{ query: "solid-state battery", kinds: "web" }, [{ ...QUERY, kinds: ["web"] }]],
  [{ queries: ["solid-state battery", "固态电池"] }, [QUERY, { ...QUERY, text: "固态电池" }]],
  ['{"queries": [{"text": "solid-state battery"}]}', [QUERY]],
  [{ queries: '[{"text": "solid-state battery"}]' }, [QUERY]],
  [{ queries: ['{"text": "solid-state battery"}'] }, [QUERY]],
  [{ queries: "solid-state battery" }, [QUERY]],
  [{ query: "[MASK] 固态电池" }, [{ ...QUERY, text: "[MASK] 固态电池" }]],
  // What is no JSON is no query.
  ["solid-state battery", []],
  ['"solid-state battery"', []],
  ['{"queries": [{text: solid-state', []],
  ['{"queries": [{"text": "固态电池"}, {"te', []],
  [{ queries: '[{"text": "固态电池"}, {"te' }, []],
  [{ queries: ['{"text": "固态'] }, []],
  [
    { queries: [{ query: "solid-state battery", kinds: ["blog", "scholar", "web"], language: "ZH-hans" }] },
    [{ ...QUERY, kinds: ["web", "scholar"], language: "zh", unused: ["blog"] }],
  ],
  [{ queries: [{ text: "solid-state battery", from: "2024", to: "2025-02" }] }, [{ ...QUERY, from: "2024-01-01", to: "2025-02-28" }]],
  [
    { queries: [{ text: "solid-state battery", from: 2024, to: "2024-03-05T10:00:00Z" }] },
    [{ ...QUERY, from: "2024-01-01", to: "2024-03-05" }],
  ],
  [
    { queries: [{ text: "solid-state battery", from: "last year", to: "2024-13-01", language: "no language" }] },
    [{ ...QUERY, language: "und", unused: ["no language", "last year", "2024-13-01"] }],
  ],
  [{ query: "solid-state battery", from: "2025-06-01", to: "2025-05-01" }, [{ ...QUERY, unused: ["2025-06-01", "2025-05-01"] }]],
  [{ query: "solid-state battery", from: "2025-02-30" }, [{ ...QUERY, unused: ["2025-02-30"] }]],
  [{ query: "solid-state battery", from: 20250101, to: "2025/1/9" }, [{ ...QUERY, from: "2025-01-01", to: "2025-01-09" }]],
  [{ query: "solid-state battery", from: "2024年", to: "2025年2月28日" }, [{ ...QUERY, from: "2024-01-01", to: "2025-02-28" }]],
  [
    { query: "固态电池", from: "2025 年 6 月", to: "2025 年 6 月 30 日" },
    [{ ...QUERY, text: "固态电池", from: "2025-06-01", to: "2025-06-30" }],
  ],
  [
    { query: "固态电池", from: "2025年6月30日 10:00", to: "2025年6月30日10时" },
    [{ ...QUERY, text: "固态电池", from: "2025-06-30", to: "2025-06-30" }],
  ],
  [
    { query: "固态电池", from: "2025. 6. 30.", to: "2025年上半年" },
    [{ ...QUERY, text: "固态电池", from: "2025-06-30", unused: ["2025年上半年"] }],
  ],
  [{ query: "solid-state battery", from: "2025 Q3", to: "2025-06 or later" }, [{ ...QUERY, unused: ["2025 Q3", "2025-06 or later"] }]],
  [
    {
      queries: [
        { text: "固态电池", kinds: ["filing"] },
        { text: "固态电池 ", kinds: "patents" },
      ],
    },
    [
      { ...QUERY, text: "固态电池", kinds: ["filing"] },
      { ...QUERY, text: "固态电池", ofOtherKind: true, unused: ["patents"] },
    ],
  ],
  [{ queries: [{ text: " … " }, { text: "solid-state battery" }, { text: "solid-state battery" }] }, [QUERY]],
  [{ queries: [{}, null, 7, []] }, []],
  [{}, []],
  [null, []],
])("reads %j", (given, read) => {
  expect(readQueries(given)).toEqual(read);
});

it.each([
  ["en", "en"],
  ["zh-Hant-TW", "zh"],
  ["EN-us", "en"],
  [" de ", "de"],
  ["yue", "yue"],
  ["English", "en"],
  ["french", "fr"],
  ["Deutsch", "de"],
  ["Chinese", "zh"],
  ["Simplified Chinese", "zh"],
  ["中文", "zh"],
  ["法语", "fr"],
  ["日文", "ja"],
  ["日本語", "ja"],
  ["ger", "de"],
  ["de_DE", "de"],
  ["und", "und"],
  ["mul", "und"],
  ["", null],
  [null, null],
])("of the language %j takes the primary subtag %j", (language, primary) => {
  expect(readQueries({ query: "电池", language })[0]?.language).toBe(primary);
});

it.each(["Klingon", "克林贡语", "xyz", "English and German", ["en"]])("names the language %j, which is none that is known", (language) => {
  const unused = [typeof language === "string" ? language : JSON.stringify(language)];
  expect(readQueries({ query: "电池", language })).toEqual([{ ...QUERY, text: "电池", language: "und", unused }]);
});

it("of too many queries uses the first six, and names others", () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => ({ text: `苹果 q${i}` }));
  const read = readQueries({ queries: texts });
  expect(read.map(({ text }) => text)).toEqual(texts.slice(0, 6).map(({ text }) => text));
  expect(read.map(({ unused }) => unused?.slice(0, 2))).toEqual([...Array(5).fill(undefined), ["苹果 q6", "苹果 q7"]]);
});

it("reads one query beside others too", () => {
  const read = readQueries({ queries: ["basalt"], query: "玄武岩", kinds: ["web"] });
  expect(read).toEqual([
    { ...QUERY, text: "basalt" },
    { ...QUERY, text: "玄武岩", kinds: ["web"] },
  ]);
});

it.each<[given: string, text: string, unused?: readonly string[]]>([
  ['"whale oil" -coal site:example.com', '"whale oil"', ["-coal", "site:example.com"]],
  [
    'site:sec.gov "annual report" -draft OR filing after:2024-01-01 filetype:pdf',
    '"annual report" filing',
    ["site:sec.gov", "-draft", "OR", "after:2024-01-01", "filetype:pdf"],
  ],
  ['intitle:lighthouse inurl:press -"gas lamp" wick', "lighthouse wick", ["intitle:", "inurl:press", '-"gas lamp"']],
  ['intitle:"annual report" before:2020', '"annual report"', ["intitle:", "before:2020"]],
  ["oil NOT (coal AND wood) lamp", "oil lamp", ["NOT (coal AND wood)"]],
  ['oil AND NOT "gas light" lamp', "oil lamp", ["AND", 'NOT "gas light"']],
  ["固态电池 -特斯拉 site:gov.cn 成本", "固态电池 成本", ["-特斯拉", "site:gov.cn"]],
  ["（固态电池 OR 锂电池） NOT 特斯拉", "（固态电池 锂电池）", ["OR", "NOT 特斯拉"]],
  ["“鲸油 灯” －“煤气 灯” site：gov.cn", "“鲸油 灯”", ["－“煤气 灯”", "site：gov.cn"]],
  ['lamp[ti] AND "whale oil"[Title/Abstract]', 'lamp "whale oil"', ["[ti]", "AND", "[Title/Abstract]"]],
  ["state-of-the-art lamp - a review", "state-of-the-art lamp - a review"],
  ["git commit --amend std::vector 16:9 Mg(OH)2 not or", "git commit --amend std::vector 16:9 Mg(OH)2 not or"],
])("leaves out operators, and what they exclude: %s", (given, text, unused) => {
  expect(readQueries({ query: given })).toEqual([{ ...QUERY, text, ...(unused && { unused }) }]);
  expect(readQueries({ queries: readQueries({ query: given }) })).toEqual(readQueries({ query: given }));
});

it("names the operators of a query that has nothing else beside another query, and asks for words if there is none", () => {
  expect(readQueries({ queries: ["site:gov.cn -草案", "年报"] })).toEqual([{ ...QUERY, text: "年报", unused: ["site:gov.cn", "-草案"] }]);
  expect(SearchCallSchema.safeParse({ query: "site:gov.cn -草案" }).error?.issues[0]?.message).toMatch(/operators such as site:/);
});

it("keeps a query once, in whatever case it is written", () => {
  const texts = ["Basalt fibre 强度", "basalt  FIBRE 强度", "basalt"];
  expect(readQueries({ queries: texts }).map(({ text }) => text)).toEqual(["Basalt fibre 强度", "basalt"]);
});

it("keeps at most six queries, each of at most 500 characters", () => {
  const read = readQueries({ queries: Array.from({ length: 9 }, (_, i) => `${i} ${"long ".repeat(200)}`) });
  expect(read).toHaveLength(MAX_QUERIES);
  expect(Math.max(...read.map(({ text }) => text.length))).toBe(500);
});

it("accepts what it can read as a call, and says what is missing from another", () => {
  expect(SearchCallSchema.parse({ query: "固态电池" })).toEqual({ queries: [{ text: "固态电池", kinds: [] }] });
  expect(SearchCallSchema.safeParse({ topic: "x" }).error?.issues.map(({ path }) => path)).toEqual([["queries"]]);
});

it("offers a model the kinds of the run's sources and no others", () => {
  const offered = (kinds: readonly string[]): object => {
    const sources = Object.fromEntries(kinds.map((kind) => [`own-${kind}`, { kind }]));
    return z.toJSONSchema(searchArguments(kindsOf(sources)));
  };
  const kinds = { kinds: { items: { enum: ["web", "corpus"] } } };
  expect(offered(["corpus", "web", "upload"])).toMatchObject({ properties: { queries: { items: { properties: kinds } } } });
  expect(JSON.stringify(offered(["upload"]))).not.toContain("kinds");
});

it("asks for words in plain words", () => {
  expect(SearchCallSchema.safeParse({ queries: [] }).error?.issues[0]?.message).toMatch(/^at least one query with words to search for/);
});

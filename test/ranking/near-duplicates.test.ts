import { expect, test } from "vitest";
import { clusterNearDuplicates, termsOfHit } from "../../src/ranking/near-duplicates.ts";
import { numbersIn } from "../../src/ranking/tokenize.ts";

type Shown = readonly [site: string, title: string, snippet: string];

const QUAKE =
  "At least twelve people were killed and hundreds injured when a strong earthquake struck the coast of northern Chile late on Tuesday, officials said.";
const TRANSFORMER =
  "The dominant sequence transduction models are based on complex recurrent or convolutional neural networks. We propose a new simple network architecture, the Transformer, based solely on attention mechanisms.";
const TRANSFORMER_EDITED =
  "Dominant sequence transduction models are based on complex recurrent or convolutional neural networks. We propose a new, simple network architecture, the Transformer, which is based solely on attention mechanisms.";
const RATES_ZH = "中国人民银行授权全国银行间同业拆借中心公布，本次贷款市场报价利率较上月下降十个基点，降低实体经济融资成本。";
const REPORT =
  "The annual report presents the consolidated financial statements of the group, the report of the board and the auditor's opinion.";
const REPORT_ZH = "本报告介绍公司的经营情况、财务状况和董事会报告，并附会计师事务所出具的标准无保留意见的审计报告。";

const COPIES: Readonly<Record<string, readonly [Shown, Shown]>> = {
  "a mirrored page": [
    ["a.example", "How the loop ends", "The loop ends when two rounds in a row have brought nothing new to the analyst."],
    ["b.example", "How the loop ends", "The loop ends when two rounds in a row have brought nothing new to the analyst."],
  ],
  "one page under two addresses of a site": [
    ["a.example", "How the loop ends", "The loop ends when two rounds in a row have brought nothing new to the analyst."],
    ["a.example", "How the loop ends | Manual", "The loop ends when two rounds in a row have brought nothing new to the analyst ..."],
  ],
  "syndicated news under another headline": [
    ["a.example", "Strong earthquake hits northern Chile, twelve dead", QUAKE],
    ["b.example", "Northern Chile: twelve dead in strong quake", `3 hours ago — ${QUAKE}`],
  ],
  "syndicated news with a dateline, cut short": [
    ["a.example", "Strong earthquake hits northern Chile", `SANTIAGO, Nov 3 (Reuters) - ${QUAKE}`],
    ["b.example", "Strong earthquake hits northern Chile - The Example", QUAKE.slice(0, 110)],
  ],
  "a preprint and its journal version": [
    ["arxiv.org", "[1706.03762] Attention Is All You Need for Translation", TRANSFORMER],
    ["journal.example", "Attention is all you need for translation", TRANSFORMER_EDITED],
  ],
  "a mirrored page in the other Chinese script": [
    ["a.example", "贷款市场报价利率下降两个基点", RATES_ZH],
    [
      "b.example",
      "貸款市場報價利率下降兩個基點",
      "中國人民銀行授權全國銀行間同業拆借中心公佈，本次貸款市場報價利率較上月下降十個基點，降低實體經濟融資成本。",
    ],
  ],
  "a long title of which one side shows no text": [
    ["arxiv.org", "Residual connections stabilise training of very deep graph convolutional networks on molecules", TRANSFORMER],
    ["journal.example", "Residual Connections Stabilise Training of Very Deep Graph Convolutional Networks on Molecules", ""],
  ],
  "Chinese news on two sites": [
    ["a.example", "贷款市场报价利率下降十个基点", RATES_ZH],
    ["b.example", "贷款市场报价利率下降十个基点_财经频道", `2024年10月21日 — ${RATES_ZH}`],
  ],
  "Chinese news under another headline": [
    ["a.example", "央行公布贷款市场报价利率下调", RATES_ZH],
    ["b.example", "贷款市场报价利率迎来下调，房贷族月供将减少", RATES_ZH],
  ],
  "full-width and half-width characters": [
    ["a.example", "２０２３年年度报告（摘要）", REPORT_ZH],
    ["b.example", "2023年年度报告(摘要)", REPORT_ZH],
  ],
};

const OTHERS: Readonly<Record<string, readonly [Shown, Shown]>> = {
  "reports of two years": [
    ["a.example", "Annual report 2023", REPORT],
    ["a.example", "Annual report 2024", REPORT],
  ],
  "reports of two years on two sites": [
    ["a.example", "Annual report 2023", REPORT],
    ["b.example", "Annual report 2024", REPORT],
  ],
  "a report with a year and one without": [
    ["a.example", "Annual report 2023", REPORT],
    ["b.example", "Annual report", REPORT],
  ],
  "two parts": [
    ["a.example", "The loop explained, part 1", QUAKE],
    ["b.example", "The loop explained, part 2", QUAKE],
  ],
  "two parts in words": [
    ["a.example", "The loop explained: part one", QUAKE],
    ["b.example", "The loop explained: part two", QUAKE],
  ],
  "two parts in Roman numbers": [
    ["a.example", "The loop explained, Part I", QUAKE],
    ["b.example", "The loop explained, Part II", QUAKE],
  ],
  "two parts in letters": [
    ["a.example", "The loop explained, part a", QUAKE],
    ["b.example", "The loop explained, part b", QUAKE],
  ],
  "two versions": [
    ["a.example", "Release notes of LangGraph 1.4.18", REPORT],
    ["a.example", "Release notes of LangGraph 1.4.2", REPORT],
  ],
  "two models": [
    ["a.example", "Specifications of the A320neo", REPORT],
    ["b.example", "Specifications of the A321neo", REPORT],
  ],
  "two quarters": [
    ["a.example", "Results for H1 2024", REPORT],
    ["b.example", "Results for H2 2024", REPORT],
  ],
  "two months": [
    ["a.example", "Monetary bulletin, March 2024", REPORT],
    ["b.example", "Monetary bulletin, April 2024", REPORT],
  ],
  "two forms": [
    ["a.example", "Form 10-K of the Example Company", REPORT],
    ["b.example", "Form 10-Q of the Example Company", REPORT],
  ],
  "two figures in the wording": [
    [
      "a.example",
      "Monthly statement on consumer prices and wages",
      "Prices rose by 2.1 percent over the year, the statistical office said in its statement on consumer prices.",
    ],
    [
      "b.example",
      "Monthly statement on consumer prices and wages",
      "Prices rose by 2.4 percent over the year, the statistical office said in its statement on consumer prices.",
    ],
  ],
  "pages of one template": [
    [
      "a.example",
      "Weather in Berlin",
      "Current weather in Berlin with hourly forecast, radar, rain and wind for the next days from our own stations.",
    ],
    [
      "a.example",
      "Weather in Hamburg",
      "Current weather in Hamburg with hourly forecast, radar, rain and wind for the next days from our own stations.",
    ],
  ],
  "pages of one template with one title": [
    [
      "a.example",
      "Weather forecast for the coming days",
      "Current weather in Berlin with hourly forecast, radar, rain and wind for the next days from our own stations.",
    ],
    [
      "a.example",
      "Weather forecast for the coming days",
      "Current weather in Hamburg with hourly forecast, radar, rain and wind for the next days from our own stations.",
    ],
  ],
  "pages of one site with one description": [
    ["a.example", "Opening hours", "The Example Company is the leading provider of loops and endings for customers all over the world."],
    ["a.example", "Press contacts", "The Example Company is the leading provider of loops and endings for customers all over the world."],
  ],
  "pages of two sites with one boilerplate": [
    ["a.example", "Opening hours", "Please enable cookies to continue, this site uses cookies to give you the best experience possible."],
    [
      "b.example",
      "Earthquake in Chile",
      "Please enable cookies to continue, this site uses cookies to give you the best experience possible.",
    ],
  ],
  "bare equal titles": [
    ["a.example", "Annual report", ""],
    ["b.example", "Annual report", ""],
  ],
  "one title over two texts": [
    ["a.example", "Attention is all you need for translation", TRANSFORMER],
    ["b.example", "Attention is all you need for translation", QUAKE],
  ],
  "Chinese reports of two years": [
    ["a.example", "示例公司2023年年度报告", REPORT_ZH],
    ["b.example", "示例公司2024年年度报告", REPORT_ZH],
  ],
  "Chinese reports of two years in numerals": [
    ["a.example", "示例公司二〇二三年年度报告", REPORT_ZH],
    ["b.example", "示例公司二〇二四年年度报告", REPORT_ZH],
  ],
  "Chinese quarters": [
    ["a.example", "第一季度货币政策执行报告", REPORT_ZH],
    ["b.example", "第三季度货币政策执行报告", REPORT_ZH],
  ],
  "Chinese parts": [
    ["a.example", "循环的结束（上）", REPORT_ZH],
    ["b.example", "循环的结束（下）", REPORT_ZH],
  ],
  "Chinese volumes": [
    ["a.example", "三国演义上册", REPORT_ZH],
    ["b.example", "三国演义下册", REPORT_ZH],
  ],
  "volumes in Japanese and in traditional characters": [
    ["a.example", "灯台の物語 上巻", REPORT_ZH],
    ["b.example", "灯台の物語 下巻", REPORT_ZH],
  ],
  "quarters in a language whose number words are not known": [
    ["a.example", "Note de conjoncture, premier trimestre", REPORT],
    ["b.example", "Note de conjoncture, deuxième trimestre", REPORT],
  ],
  "parts in Russian": [
    ["a.example", "История маяка, первая часть", REPORT],
    ["b.example", "История маяка, вторая часть", REPORT],
  ],
  "half a year and a whole one": [
    ["a.example", "示例公司2023年半年度报告", REPORT_ZH],
    ["b.example", "示例公司2023年年度报告", REPORT_ZH],
  ],
  "Chinese pages of one template": [
    ["a.example", "天气预报", "为您提供北京的天气预报、实时气温、空气质量、生活指数和未来几天的降雨与风力信息。"],
    ["a.example", "天气预报", "为您提供上海的天气预报、实时气温、空气质量、生活指数和未来几天的降雨与风力信息。"],
  ],
};

const leadersOf = (shown: readonly Shown[]): number[] =>
  clusterNearDuplicates(shown.map(([site, title, snippet], i) => termsOfHit({ url: `https://${site}/${i}`, title, snippet })));

test.each(Object.entries(COPIES))("copies: %s", (_, [a, b]) => {
  expect(leadersOf([a, b])).toEqual([0, 0]);
  expect(leadersOf([b, a])).toEqual([0, 0]);
});

test.each(Object.entries(OTHERS))("no copies: %s", (_, [a, b]) => {
  expect(leadersOf([a, b])).toEqual([0, 1]);
  expect(leadersOf([b, a])).toEqual([0, 1]);
});

test.each([
  ["Release 1.4.18 of v2, Part II", ["1.4.18", "v2", "ii"]],
  ["1,234 boats in H1 2024, 5% more", ["1234", "h1", "2024", "5"]],
  ["Hepatitis B: the first two of May", ["b"]],
  ["A loop I know", []],
  ["第十二届大会（下）", ["十二"]],
  ["２０２４年上半年", ["2024"]],
  ["中国的上海", []],
])("the numbers of %s", (title, numbers) => {
  expect(numbersIn(title)).toEqual(numbers);
});

test("among hundreds of texts with the sentences of one template every copy finds its original", () => {
  const page = (site: string, i: number): Shown => [
    site,
    `Opening hours of branch ${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}x`,
    `Welcome to branch ${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}x, where our friendly staff is glad to serve you on every day of the week.`,
  ];
  const pages = Array.from({ length: 400 }, (_, i) => page("a.example", i));
  const mirrored = pages.map(([, title, snippet]): Shown => ["b.example", title, snippet]);
  const ownIndex = pages.map((_, i) => i);
  expect(leadersOf([...pages, ...mirrored])).toEqual([...ownIndex, ...ownIndex]);
});

test("clusters do not chain: a text that is only like a copy is not like the original", () => {
  const words = "one sentence follows another here and says what the page before it had left open for its readers".split(" ");
  const shown = (from: number, to: number): Shown => ["a.example", "", words.slice(from, to).join(" ")];
  expect(leadersOf([shown(0, 11), shown(0, 18), shown(8, 18)])).toEqual([0, 0, 2]);
});

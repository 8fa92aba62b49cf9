import type { ReportedRun } from "../../src/domain/ports/run-service.ts";
import type { Citation, Claim, LedgerEntry, Source } from "../../src/domain/report.ts";
import { NO_BLOCKS, QUOTED, UNVERIFIED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";

const ENGLISH = [
  "Revenue of the group rose by 12.4 % to 402.5 million euros, while “other income” fell",
  "The café in Ústí nad Labem was run by Antonín Dvořák's niece, who kept a well-known ledger",
  "Line 3 | 1,204 | 1,377 | +14.4 % | see note (b)",
  "Don't confuse the quick brown fox with a lazy dog: both live near the river bank, and neither reads the report",
];
const CHINESE = [
  "二〇二四年公司实现营业收入四百零二亿五千万元，同比增长百分之十二点四，“其他收益”有所下降",
  "中国人民银行公布的数据显示，广义货币（M2）余额为 313.53 万亿元，同比增长 7.3%",
  "标点符号不应出现在行首：逗号，句号。以及《书名号》、“引号”与English words混排的情形",
  "項目三｜一千二百零四｜一千三百七十七｜增長百分之十四點四（參見附註乙）",
];

const HASH = "c0ffee0123456789".repeat(4);

/** A report with 40 citations of 12 sources in English and Chinese, with an unsupported claim and a retracted work. */
export function sampleRun(question = "营业收入增长了多少（revenue）？"): ReportedRun {
  const citations = Array.from({ length: 40 }, (_, index) => citation(index + 1));
  const claims = [
    ...citations.map(claim),
    {
      text: "Nobody has said this so far; 没有人这样说过。",
      citations: [],
      ...UNVERIFIED,
      section: "Open questions 未决问题",
      origins: 0,
    },
  ];
  return {
    id: "run-2026-08-01",
    threadId: "run-2026-08-01",
    graph: "executor",
    question,
    status: "succeeded",
    createdAt: "2026-08-01T10:00:00.000Z",
    startedAt: "2026-08-01T10:00:01.500Z",
    endedAt: "2026-08-01T10:02:03.000Z",
    termination: { reason: "completed", node: "summarize", detail: null },
    pending: [],
    usage: {
      modelCalls: 7,
      inputTokens: 41_234,
      outputTokens: 5_678,
      toolCalls: 2,
      sourceRequests: 9,
      downloads: 12,
      costUsd: 0.0421,
      models: [{ model: "small-model", calls: 7, inputTokens: 41_234, outputTokens: 5_678, costUsd: 0.0421, estimated: 1 }],
    },
    report: {
      ...NO_BLOCKS,
      markdown: "",
      claims,
      citations,
      closest: [],
      sources: Array.from({ length: 12 }, (_, index) => source(index + 1)),
      coverage: coverage(40, 1),
      ledger: ledger(),
    },
    todos: null,
    children: null,
    error: null,
    metadata: {},
    language: "auto",
    links: {},
  };
}

function citation(id: number): Citation {
  const words = id % 2 === 0 ? CHINESE : ENGLISH;
  const quote = `${words[Math.floor(id / 2) % 4]}, ${id}/40.`;
  return { id, sourceId: `S${((id - 1) % 12) + 1}`, contentHash: HASH, start: id * 100, end: id * 100 + quote.length, quote };
}

/** Every fifth sentence cites the quote before it as well. */
function claim({ id }: Citation): Claim {
  const text =
    id % 2 === 0
      ? `第${id}条：收入比上年增长了 ${id}.5%，而成本下降（见引文）。`
      : `Finding ${id}: revenue grew by ${id}.5 % over the year before, and costs fell.`;
  return {
    text,
    citations: id % 5 === 0 ? [id - 1, id] : [id],
    ...QUOTED,
    section: id <= 20 ? "Revenue 营业收入" : "成本 Costs",
    origins: 1,
  };
}

function source(number: number): Source {
  const found = {
    id: `S${number}`,
    foundBy: "corpus",
    publishedAt: "2024-05-06",
    score: 1,
    contentHash: HASH,
    status: "read",
    failure: null,
  } as const;
  if (number % 4 === 0)
    return { ...found, kind: "corpus", title: `年度报告 ${number} [draft]`, url: `corpus:zh/%E6%8A%A5%E5%91%8A-${number}.md` };
  if (number % 4 === 1)
    return {
      ...found,
      kind: "web",
      title: `Annual Report ${number} — Überblick`,
      url: `https://example.org/reports/${number}?a=1&b=2#top`,
    };
  const publication = {
    authors: ["Ana Núñez", "Li Wei", "王小明", "Jo Smith"],
    doi: `10.1000/sample.${number}`,
    arxivId: number === 2 ? "2101.00001" : null,
    pmid: null,
    venue: "Journal of Samples & Tests",
    licence: null,
    retracted: number === 3,
    fullTextUrl: null,
  };
  return {
    ...found,
    kind: "scholar",
    title: `On Growth_${number}: 100% of {Costs}`,
    url: `https://doi.org/10.1000/sample.${number}`,
    publication,
  };
}

function ledger(): LedgerEntry[] {
  const entry = { target: "revenue growth", results: 3, failure: null, detail: null, ms: 12.4 } as const;
  return [
    { ...entry, what: "search", source: "corpus", outcome: "found" },
    { ...entry, what: "search", source: "wikipedia", outcome: "nothing", results: 0 },
    { ...entry, what: "tool", source: "sec_edgar_search", target: '{"company":"Example"}', outcome: "reused" },
    {
      ...entry,
      what: "download",
      source: "web",
      target: `https://example.org/${"a-very-long-path/".repeat(8)}`,
      outcome: "failed",
      results: 0,
      failure: "blocked",
      detail: "403",
    },
    {
      ...entry,
      what: "download",
      source: "web",
      target: "https://example.org/%E6%8A%A5%E5%91%8A",
      outcome: "found",
      results: 1,
      ms: 1234.5,
    },
  ];
}

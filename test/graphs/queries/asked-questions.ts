import type { LoopEnding } from "../../../src/domain/events.ts";
import type { PlannedQuery } from "../../../src/domain/queries.ts";
import type { ResearchRequest } from "../../../src/domain/request.ts";
import type { ScriptedCall } from "../../fakes/model-server/behavior.ts";

type Query = Partial<PlannedQuery> & { readonly text: string };

/** What a scripted model answers in one round: queries beside calls of tools, or plain text. */
export interface Round {
  readonly queries?: readonly Query[];
  readonly calls?: readonly ScriptedCall[];
  readonly says?: string;
}

export interface AskedQuestion {
  readonly question: string;
  readonly request?: Partial<ResearchRequest>;
  readonly rounds: readonly Round[];
  readonly ending: LoopEnding;
  /** What each service must be sent, in any order: all that it is asked, and nothing if it is not named. */
  readonly asked: Readonly<Record<string, readonly string[]>>;
}

const edgar: ScriptedCall = {
  name: "sec_edgar_search",
  arguments: { what: "facts", company: "AAPL", concepts: ["revenue"], years: [2023] },
};
const fullText: ScriptedCall = { name: "sec_edgar_search", arguments: { what: "search", query: '"supply chain"', years: [2023] } };
const shares: ScriptedCall = { name: "akshare_search", arguments: { action: "quote", name: "贵州茅台" } };

/** The run's day is 2026-11-20. */
export const ASKED_QUESTIONS: readonly AskedQuestion[] = [
  {
    question: "固态电池为什么还没有量产？",
    rounds: [
      {
        queries: [
          { text: '"solid-state battery" mass production obstacles', kinds: ["web", "scholar"], language: "en" },
          { text: "固态电池 量产", kinds: ["web"], language: "zh" },
        ],
      },
    ],
    ending: "no_tools",
    asked: {
      web: ['"solid-state battery" mass production obstacles', "固态电池 量产"],
      scholar: ['"solid-state battery" mass production obstacles'],
    },
  },
  {
    question: "What was written on whale oil lamps between 2020 and November 2021?",
    rounds: [{ queries: [{ text: "history of “whale oil”", kinds: ["scholar"], from: "2020", to: "2021-11" }] }],
    ending: "no_tools",
    asked: { scholar: ['history of "whale oil" | from_publication_date:2020-01-01,to_publication_date:2021-11-30'] },
  },
  {
    question: "Which papers on coral bleaching came out this year?",
    rounds: [{ queries: [{ text: "coral bleaching", kinds: ["scholar", "web"], from: "2026-01-01" }] }],
    ending: "no_tools",
    asked: { scholar: ["coral bleaching | from_publication_date:2026-01-01"], web: ["coral bleaching | year"] },
  },
  {
    question: "What happened at the port of Tolmere this week?",
    rounds: [{ queries: [{ text: "port of Tolmere", kinds: ["web"], from: "2026-11-15", to: "2026-11-20" }] }],
    ending: "no_tools",
    asked: { web: ["port of Tolmere | week"] },
  },
  {
    question: "秦始皇陵是什么时候发现的？",
    rounds: [{ queries: [{ text: "秦始皇陵 发现", kinds: ["encyclopedia"], language: "zh" }] }],
    ending: "no_tools",
    asked: { encyclopedia: ["秦始皇陵 发现 | zh"] },
  },
  {
    question: "What do my own documents say about the keeper of the lighthouse?",
    rounds: [{ queries: [{ text: "keeper lighthouse steps", kinds: ["corpus"] }] }],
    ending: "no_tools",
    asked: {},
  },
  {
    question: "What did Apple earn in 2023, and what do commentators say?",
    rounds: [{ calls: [edgar] }, { queries: [{ text: "Apple 2023 revenue commentary", kinds: ["web"], from: "2023", to: "2024" }] }],
    ending: "sufficient",
    asked: {
      edgar: ["/www.sec.gov/files/company_tickers.json", "/data.sec.gov/api/xbrl/companyfacts/CIK0000320193.json"],
      web: ["Apple 2023 revenue commentary"],
    },
  },
  {
    question: "Which filings of 2023 mention the supply chain?",
    rounds: [
      { calls: [fullText], queries: [{ text: "supply chain risk", kinds: ["filing"], from: "2023", to: "2023" }] },
      { says: "Enough." },
    ],
    ending: "sufficient",
    asked: {
      edgar: ['/efts.sec.gov/LATEST/search-index?q="supply chain"&dateRange=custom&startdt=2023-01-01&enddt=2023-12-31'],
      filing: ["supply chain risk | 2023-01-01 | 2023-12-31"],
    },
  },
  {
    question: "贵州茅台的股价是多少，分析师怎么看？",
    rounds: [
      { calls: [shares], queries: [{ text: "贵州茅台 分析师 评级", kinds: ["market", "web"], language: "zh" }] },
      { says: "够了。" },
    ],
    ending: "sufficient",
    asked: {
      eastmoney: ["/searchapi.eastmoney.com/api/suggest/get", "/push2.eastmoney.com/api/qt/stock/get"],
      market: ["贵州茅台 分析师 评级"],
      web: ["贵州茅台 分析师 评级"],
    },
  },
  {
    question: "How strong is the gulf stream today?",
    request: { limits: { modelCalls: 3 } },
    rounds: [{ calls: [shares], queries: [{ text: "gulf stream strength", kinds: ["encyclopedia"] }] }],
    ending: "budget",
    asked: {
      eastmoney: ["/searchapi.eastmoney.com/api/suggest/get", "/push2.eastmoney.com/api/qt/stock/get"],
      encyclopedia: ["gulf stream strength | en"],
    },
  },
  {
    question: "Write a detailed report comparing windmills and watermills.",
    rounds: [{ says: "I will look for both." }],
    ending: "no_tools",
    asked: {
      web: ["windmills watermills"],
      scholar: ["windmills watermills"],
      encyclopedia: ["windmills watermills | en"],
      filing: ["windmills watermills"],
      market: ["windmills watermills"],
    },
  },
  {
    question: "请写一份关于水车的详细报告",
    rounds: [{ queries: [{ text: "？！" }] }],
    ending: "no_tools",
    asked: {
      web: ["水车"],
      scholar: ["水车"],
      encyclopedia: ["水车 | zh"],
      filing: ["水车"],
      market: ["水车"],
    },
  },
];

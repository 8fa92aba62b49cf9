import { expect, test } from "vitest";
import { citationHolds } from "../../src/domain/citations.ts";
import type { Run } from "../../src/domain/run.ts";
import type { GivenCalls } from "../../src/domain/tool.ts";
import { startEastmoney } from "../fakes/eastmoney.ts";
import { EASTMONEY_DATA } from "../fixtures/services/eastmoney.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { type Instead, startEdgar } from "../tools/sec-edgar/edgar-server.ts";

interface Asked {
  readonly run: Run;
  readonly rounds: number | undefined;
  readonly quotes: readonly string[];
  readonly dossier: TestDossier;
}

type Arguments = GivenCalls[number]["arguments"];
const edgar = (args: Arguments) => ({ tool: "sec_edgar_search", arguments: args });
const akshare = (args: Arguments) => ({ tool: "akshare_search", arguments: args });

/** Asks the whole program without a model, with loopback services. */
async function ask(question: string, calls: GivenCalls, { instead }: { instead?: Instead } = {}): Promise<Asked> {
  const environment = {
    SOURCES: "corpus,sec_edgar_search,akshare_search",
    SEC_EDGAR_BASE_URL: (await startEdgar(instead)).url,
    EASTMONEY_BASE_URL: (await startEastmoney(EASTMONEY_DATA)).url,
  };
  const dossier = await openDossier({ environment });
  const run = await dossier.finish((await dossier.start({ question, calls })).id);
  const rounds = (await dossier.events(run.id)).find((event) => event.type === "loop-ended")?.rounds;
  return { run, rounds, quotes: run.report?.citations.map(({ quote }) => quote) ?? [], dossier };
}

const netIncome = edgar({ what: "facts", company: "Apple", concepts: ["net income"], years: [2023] });
const figures2023 = akshare({ action: "financials", name: "贵州茅台", start_date: "2023-01-01", end_date: "2023-12-31" });

test("a figure is in the report with its origin, and cites its row", async () => {
  const { run, rounds, quotes, dossier } = await ask("What was Apple's net income in 2023?", [netIncome]);
  expect(rounds).toBe(1);
  expect(quotes).toEqual([
    "Apple Inc. (AAPL), net income, fiscal year 2023 (2022-09-25 to 2023-09-30): 96,995,000,000 USD (us-gaap:NetIncomeLoss, 10-K, accession 0000320193-23-000106, filed 2023-11-03)",
  ]);
  expect(run.termination?.reason).toBe("completed");
  expect(run.report?.sources.find(({ foundBy }) => foundBy === "sec_edgar_search")).toMatchObject({ kind: "filing", status: "read" });
  for (const citation of run.report?.citations ?? []) {
    expect(citationHolds(citation, (await dossier.runs.document(TENANT, run.id, citation.contentHash)).text)).toBe(true);
  }
});

test("a question in Chinese is answered by the rows in English that have the figure", async () => {
  const { quotes } = await ask("苹果公司2023年的净利润是多少？", [netIncome]);
  expect(quotes).toEqual([
    "Apple Inc. (AAPL), net income, fiscal year 2023 (2022-09-25 to 2023-09-30): 96,995,000,000 USD (us-gaap:NetIncomeLoss, 10-K, accession 0000320193-23-000106, filed 2023-11-03)",
  ]);
});

test.each([
  ["贵州茅台的基本情况", { action: "profile", name: "贵州茅台" }, /主营业务 \(main business\): 茅台酒及系列酒的生产与销售/],
  ["What is the latest price of Kweichow Moutai?", { action: "quote", symbol: "600519" }, /最新价 \(latest price\): 1,215 元/],
  ["贵州茅台2023年的营业总收入是多少？", figures2023.arguments, /^贵州茅台.*营业总收入 .*150,560,330,316\.45 元/],
  // The company's rows are quoted even if the requested figure is not among them.
  ["贵州茅台2023年的毛利率", figures2023.arguments, /150,560,330,316\.45 元/],
])("%s is answered in one round", async (question, args, row) => {
  const { run, rounds, quotes } = await ask(question, [akshare(args)]);
  expect([run.termination?.reason, rounds]).toEqual(["completed", 1]);
  expect(quotes.join("\n")).toMatch(row);
});

test("a comparison quotes the rows of both companies, and nothing else", async () => {
  const call = edgar({ what: "facts", company: "Apple", concepts: ["营业收入"], years: [2023] });
  const { run, rounds, quotes } = await ask("比较苹果公司和贵州茅台2023年的营业收入", [call, figures2023]);
  expect([run.termination?.reason, rounds]).toEqual(["completed", 1]);
  expect(quotes.join("\n")).toMatch(/Apple Inc\..*fiscal year 2023.*383,285,000,000 USD.*accession 0000320193-23-000106/);
  expect(quotes.join("\n")).toMatch(/贵州茅台.*2023.*150,560,330,316\.45 元/);
  expect(quotes.join("\n")).not.toMatch(/费用|operating profit/);
});

test("a refusal fails the call and not the run, and the ledger names the setting to change", async () => {
  const instead: Instead = () => ({ status: 403, file: "undeclared.html" });
  const { run, rounds } = await ask("What was Apple's net income in 2023?", [netIncome], { instead });
  expect([run.status, rounds]).toEqual(["succeeded", 1]);
  expect(run.report?.ledger.find(({ what }) => what === "tool")).toMatchObject({
    source: "sec_edgar_search",
    outcome: "failed",
    failure: "blocked",
    detail: expect.stringContaining("set CONTACT_EMAIL"),
  });
});

test("a company that is not listed was looked for and not found, and the run searches", async () => {
  const { run } = await ask("深度求索公司的基本情况", [akshare({ query: "深度求索公司" })]);
  const [looked, searched] = run.report?.ledger ?? [];
  expect(looked).toMatchObject({ what: "tool", source: "akshare_search", outcome: "nothing", results: 0, failure: null });
  expect(searched).toMatchObject({ what: "search", source: "corpus" });
});

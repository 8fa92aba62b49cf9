import { expect, test } from "vitest";
import { citationHolds } from "../../src/domain/citations.ts";
import type { Run } from "../../src/domain/run.ts";
import { startEastmoney } from "../fakes/eastmoney.ts";
import { EASTMONEY_DATA } from "../fixtures/services/eastmoney.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { type EdgarServer, type Instead, startEdgar } from "../tools/sec-edgar/edgar-server.ts";

interface Asked {
  readonly run: Run;
  readonly rounds: number | undefined;
  readonly quotes: readonly string[];
  readonly dossier: TestDossier;
  readonly edgar: EdgarServer;
}

async function ask(question: string, instead?: Instead): Promise<Asked> {
  const edgar = await startEdgar(instead);
  const dossier = await openDossier({ environment: { SOURCES: "corpus,sec_edgar_search", SEC_EDGAR_BASE_URL: edgar.url } });
  const run = await dossier.finish((await dossier.start({ question })).id);
  const rounds = (await dossier.events(run.id)).find((event) => event.type === "loop-ended")?.rounds;
  return { run, rounds, quotes: run.report?.citations.map(({ quote }) => quote) ?? [], dossier, edgar };
}

test("a figure is in the report with its origin, and cites its row", async () => {
  const { run, rounds, quotes, dossier } = await ask("What was Apple's net income in 2023?");
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

test("a question in Chinese is answered by a row in Chinese", async () => {
  const { rounds, quotes } = await ask("苹果公司2023年的净利润是多少？");
  expect(rounds).toBe(1);
  expect(quotes).toEqual([
    "苹果公司（Apple Inc.，AAPL），净利润，2023财年（2022-09-25 至 2023-09-30）：96,995,000,000 USD（us-gaap:NetIncomeLoss，10-K，accession 0000320193-23-000106，filed 2023-11-03）",
  ]);
});

test("a company's basic facts take one round, in English and in Chinese", async () => {
  for (const [question, row] of [
    ["苹果公司的基本情况", "苹果公司（Apple Inc.，AAPL）的上市地和股票代码是 AAPL (Nasdaq)"],
    ["Give me an overview of the company Apple", "Apple Inc. (AAPL) is in the industry Electronic Computers (SIC code 3571)"],
  ] as const) {
    const { run, rounds, quotes } = await ask(question);
    expect([question, run.termination?.reason, rounds]).toEqual([question, "completed", 1]);
    expect(quotes.join("\n")).toContain(row);
  }
});

test("figures of several years and kinds are all in the report", async () => {
  const { quotes } = await ask("What were Apple's revenue and net income in 2023 and 2024?");
  for (const figure of ["391,035,000,000", "383,285,000,000", "93,736,000,000", "96,995,000,000"]) {
    expect(quotes.filter((quote) => quote.includes(figure) && quote.includes("accession 0000320193-2"))).toHaveLength(1);
  }
});

test("the risks in a report are quoted from the filing's item", async () => {
  const { run, quotes } = await ask("What are the risk factors of Apple's business?");
  expect(quotes).toContain(
    "The Company’s business can be affected by factors such as adverse economic conditions, and supply shortages are a risk to its products.",
  );
  expect(run.report?.sources.find(({ kind }) => kind === "filing")?.title).toContain("Item 1A. Risk Factors");
});

test.each(["人工智能的最新研究进展", "What is an apple?", "深度求索公司的基本情况"])("%s asks EDGAR nothing", async (question) => {
  const { rounds, edgar } = await ask(question);
  expect(rounds).toBe(0);
  expect(edgar.requests).toEqual([]);
});

test("a comparison of a US and a Chinese company takes a round for each, and the figures of both carry their origin", async () => {
  const edgar = await startEdgar();
  const market = await startEastmoney(EASTMONEY_DATA);
  const environment = {
    SOURCES: "corpus,sec_edgar_search,akshare_search",
    SEC_EDGAR_BASE_URL: edgar.url,
    EASTMONEY_BASE_URL: market.url,
  };
  const dossier = await openDossier({ environment });
  const { id } = await dossier.start({ question: "比较苹果公司和贵州茅台2023年的营业收入" });
  const { report } = await dossier.finish(id);
  const events = await dossier.events(id);
  expect(events.find((event) => event.type === "loop-ended")).toMatchObject({ rounds: 2, reason: "sufficient" });
  expect(events.flatMap((event) => (event.type === "tool-started" ? [event.tool] : []))).toEqual(["sec_edgar_search", "akshare_search"]);
  const quotes = report?.citations.map(({ quote }) => quote).join("\n");
  expect(quotes).toMatch(/苹果公司.*2023财年.*383,285,000,000 USD.*accession 0000320193-23-000106/);
  expect(quotes).toMatch(/贵州茅台.*2023.*150,560,330,316\.45 元/);
});

test("a refusal fails the call and not the run, and the ledger names the setting to change", async () => {
  const { run, rounds } = await ask("What was Apple's net income in 2023?", () => ({ status: 403, file: "undeclared.html" }));
  expect(run.status).toBe("succeeded");
  expect(rounds).toBe(1);
  expect(run.report?.ledger.find(({ what }) => what === "tool")).toMatchObject({
    source: "sec_edgar_search",
    outcome: "failed",
    failure: "blocked",
    detail: expect.stringContaining("set CONTACT_EMAIL"),
  });
});

test("an unknown company was searched and not found", async () => {
  const { run } = await ask("What was Palantir's net income in 2023?");
  expect(run.report?.ledger.find(({ what }) => what === "tool")).toMatchObject({ outcome: "nothing", results: 0, failure: null });
});

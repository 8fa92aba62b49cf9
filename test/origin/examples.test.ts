import { describe, expect, it, onTestFinished } from "vitest";
import { isChecked } from "../../src/domain/report.ts";
import type { Run } from "../../src/domain/run.ts";
import { startEastmoney } from "../fakes/eastmoney.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { EASTMONEY_DATA } from "../fixtures/services/eastmoney.ts";
import { watch } from "../graphs/agent/agent-under-test.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { startService } from "../helpers/start-service.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { startEdgar } from "../tools/sec-edgar/edgar-server.ts";

const NO_TOOL = "What does the lamp of the lighthouse of Aldermoor burn?";
const ONE_TOOL = "贵州茅台2023年的营业总收入是多少？";
const TWO_TOOLS = "Compare the net income of Apple and Kweichow Moutai in 2023.";

async function services() {
  return {
    SOURCES: "corpus,sec_edgar_search,akshare_search",
    SEC_EDGAR_BASE_URL: (await startEdgar()).url,
    EASTMONEY_BASE_URL: (await startEastmoney(EASTMONEY_DATA)).url,
  };
}

const FIGURES_2023 = { action: "financials", symbol: "600519", start_date: "2023-01-01", end_date: "2023-12-31" };
const OF_MOUTAI = { tool: "akshare_search", arguments: FIGURES_2023 };
const OF_APPLE = { tool: "sec_edgar_search", arguments: { what: "facts", company: "AAPL", concepts: ["net income"], years: [2023] } };

describe("the executor's three examples without a model, with the calls of the request", () => {
  it.each([
    [NO_TOOL, [], /whale oil/],
    [ONE_TOOL, [OF_MOUTAI], /150,560,330,316\.45 元/],
    [TWO_TOOLS, [OF_APPLE, OF_MOUTAI], /96,995,000,000 USD[\s\S]*74,734,071,550\.75 元|74,734,071,550\.75 元[\s\S]*96,995,000,000 USD/],
  ])("%s", async (question, calls, answer) => {
    const dossier = await openDossier({ environment: await services() });
    await dossier.prepare(new AbortController().signal);
    const { id } = await dossier.start({ question, ...(calls.length > 0 && { calls }) });
    const { run, of } = await watch(dossier, id);
    expect(of("loop-ended").map((event) => event.rounds)).toEqual([calls.length > 0 ? 1 : 0]);
    expect(of("tool-started").map(({ tool }) => tool)).toEqual(calls.map(({ tool }) => tool));
    expect(run.report?.markdown).toMatch(answer);
  });
});

/** Sends every character of the arguments as a piece of its own. */
const calls = (...list: readonly { name: string; arguments: Record<string, unknown> }[]): Behavior =>
  say.toolCalls(list, { pieceLength: 1 });
const LOOK_UP_MOUTAI = { name: "akshare_search", arguments: { query: "贵州茅台" } };
const LOOK_UP_APPLE = { name: "sec_edgar_search", arguments: { query: "AAPL" } };

/** Makes the scripted calls, round by round; then quotes the passages that contain `wanted`. */
function scripted(rounds: readonly Behavior[], wanted: readonly { sentence: string; quote: string }[]) {
  let round = 0;
  return (request: SeenRequest): Behavior => {
    if (offeredTools(request).length > 0) return rounds[round++] ?? say.text("够了。", { pieceLength: 1 });
    const shown = contentsOf(request, "user").join("\n");
    const cited = wanted.map(({ sentence, quote }) => {
      const id = [...shown.slice(0, Math.max(0, shown.indexOf(quote))).matchAll(/\bP\d+\b/g)].at(-1)?.[0] ?? "P1";
      return `${sentence} [${id}: "${quote}"]`;
    });
    return say.text(cited.join(" "), { pieceLength: 1 });
  };
}

const REVENUE = { sentence: "营业总收入为 150,560,330,316.45 元。", quote: "150,560,330,316.45 元" };

describe("the executor's three examples with a scripted model", () => {
  it.each([
    ["no tool", NO_TOOL, [], [{ sentence: "It burns whale oil.", quote: "Its lamp burns whale oil" }], []],
    [
      "one tool, by a query alone and then in full",
      ONE_TOOL,
      [
        calls(LOOK_UP_MOUTAI),
        calls({
          name: "akshare_search",
          arguments: FIGURES_2023,
        }),
      ],
      [REVENUE],
      [["akshare_search"], ["akshare_search"]],
    ],
    [
      "two tools in one round, each by a query alone",
      TWO_TOOLS,
      [calls(LOOK_UP_APPLE, LOOK_UP_MOUTAI)],
      [
        { sentence: "Apple reported its net income.", quote: "USD (us-gaap:NetIncomeLoss" },
        { sentence: "贵州茅台有归母净利润。", quote: "归母净利润" },
      ],
      [["akshare_search", "sec_edgar_search"]],
    ],
  ] as const)("%s", async (_, question, rounds, wanted, tools) => {
    const { dossier, model } = await openWithModel(scripted(rounds, wanted), { environment: await services() });
    const { id } = await dossier.start({ question });
    const { run, of } = await watch(dossier, id);
    expect([run.error, model.refused]).toEqual([null, []]);
    const decided = of("decision");
    expect(decided.map(({ toolCalls }) => toolCalls.map(({ name }) => name).toSorted()).filter((one) => one.length > 0)).toEqual(tools);
    expect(of("tool-ended").every(({ ok, results }) => ok && results > 0)).toBe(true);
    const counts = decided.at(-1)?.resultsBySource ?? {};
    expect(Object.keys(counts).toSorted()).toEqual([...new Set(tools.flat())].toSorted());
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(of("round-ended").at(-1)?.totalResults ?? 0);
    expect(run.report?.claims.map((claim) => [claim.text, isChecked(claim)])).toEqual(wanted.map(({ sentence }) => [sentence, true]));
  });
});

const DEEPSEEK = "# 深度求索公司\n\n深度求索公司成立于2023年，总部在杭州，研发大语言模型。\n";
const RIVALS = "# Tesla and BYD\n\nTesla makes electric cars in Texas. 比亚迪在深圳制造电动汽车。\n";
const PROGRESS = "# 人工智能的最新研究进展\n\n推理模型是人工智能最新的研究进展。\n";
const looksUp = (name: string, query: string) => calls({ name, arguments: { query } });
const ENOUGH = say.text("够了。", { pieceLength: 1 });

/** Both company tools, each with one result for any company. */
async function companyTools() {
  const server = await startLoopback((request, response) => {
    const company = new URL(request.url ?? "", "http://tools").searchParams.get("query") ?? "";
    const url = `https://example.org/${encodeURIComponent(company)}`;
    const source = { title: company, url, publishedAt: null, snippet: company, text: `${company} 上市。` };
    response.end(JSON.stringify({ text: company, sources: [source] }));
  });
  onTestFinished(() => server.close());
  return ["sec_edgar_search", "akshare_search"].map((name) => httpTool(name, server.url));
}

describe("the origin's three questions over HTTP, with a scripted model", () => {
  it.each<[question: string, rounds: Behavior[], tools: string[], reason: string]>([
    ["深度求索公司的基本情况", [looksUp("akshare_search", "深度求索公司"), ENOUGH], ["akshare_search"], "sufficient"],
    [
      "Tesla 和比亚迪的对比分析",
      [looksUp("sec_edgar_search", "Tesla Inc."), looksUp("akshare_search", "比亚迪"), ENOUGH],
      ["sec_edgar_search", "akshare_search"],
      "sufficient",
    ],
    ["人工智能的最新研究进展", [ENOUGH], [], "no_tools"],
  ])("%s", async (question, decisions, tools, reason) => {
    const model = await startModelServer(scripted(decisions, []));
    const corpus = { "深度求索.md": DEEPSEEK, "rivals.md": RIVALS, "进展.md": PROGRESS };
    const environment = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" };
    const service = await startService({ environment, corpus, parts: { tools: await companyTools() } });
    const run = (await service.ask({ question })) as Run;
    const events = await service.events(run.id);
    expect(events.filter((event) => event.type === "loop-ended")).toMatchObject([{ rounds: tools.length, reason }]);
    expect(events.flatMap((event) => (event.type === "tool-ended" ? [event.tool] : []))).toEqual(tools);
    expect([run.status, model.refused]).toEqual(["succeeded", []]);
  });
});

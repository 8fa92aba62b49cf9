import { describe, expect, it } from "vitest";
import { isChecked } from "../../src/domain/report.ts";
import { startEastmoney } from "../fakes/eastmoney.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { EASTMONEY_DATA } from "../fixtures/services/eastmoney.ts";
import { watch } from "../graphs/agent/agent-under-test.ts";
import { openDossier } from "../helpers/open-dossier.ts";
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

describe("the executor's three examples without a model", () => {
  it.each([
    [NO_TOOL, 0, [], /whale oil/],
    [ONE_TOOL, 1, ["akshare_search"], /150,560,330,316\.45 元/],
    [
      TWO_TOOLS,
      2,
      ["akshare_search", "sec_edgar_search"],
      /96,995,000,000 USD[\s\S]*74,734,071,550\.75 元|74,734,071,550\.75 元[\s\S]*96,995,000,000 USD/,
    ],
  ])("%s", async (question, rounds, tools, answer) => {
    const dossier = await openDossier({ environment: await services() });
    const { id } = await dossier.start({ question });
    const { run, of } = await watch(dossier, id);
    expect(of("loop-ended").map((event) => event.rounds)).toEqual([rounds]);
    expect(
      of("tool-ended")
        .map(({ tool, ok }) => [tool, ok])
        .toSorted(),
    ).toEqual(tools.map((tool) => [tool, true]));
    expect(Object.keys(of("decision").at(-1)?.resultsBySource ?? {}).toSorted()).toEqual(tools);
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
          arguments: { action: "financials", symbol: "600519", start_date: "2023-01-01", end_date: "2023-12-31" },
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

  it("names the nearest company and the full arguments if a query is no company, and guesses nothing", async () => {
    const query = { name: "sec_edgar_search", arguments: { query: "Apple revenue 2023" } };
    const { dossier, model } = await openWithModel(scripted([calls(query)], []), { environment: await services() });
    const { id } = await dossier.start({ question: "What was Apple's revenue in 2023?" });
    await dossier.finish(id);
    const told = contentsOf(model.requests[1] as SeenRequest, "user").join("\n");
    expect(told).toContain("Apple Inc. (AAPL, CIK 320193)");
    expect(told).toContain('{"what":"facts","company":"AAPL"');
  });
});

describe("phrases and finish_task, character by character", () => {
  it.each(["如果需要使用工具，我会调用相应的工具。", "好的，我明白了。如果需要使用工具，我会调用相应的工具。我会直接回答您的问题。"])(
    "%s ends no run",
    async (phrase) => {
      const { dossier, model } = await openWithModel((_, index) => say.text(index === 0 ? phrase : "灯使用鲸油。", { pieceLength: 1 }));
      const { id } = await dossier.start({ graph: "agent", question: "灯塔用什么油？" });
      const run = await dossier.finish(id);
      expect([run.report?.markdown, model.requests.length]).toEqual(["灯使用鲸油。", 2]);
    },
  );

  it("a long text that contains such a phrase ends it", async () => {
    const long = `如果需要使用工具，我会调用相应的工具。${"灯塔的灯使用鲸油，三十公里外都能看见，守塔人每天傍晚要爬二百一十二级台阶。".repeat(3)}`;
    const { dossier, model } = await openWithModel([say.text(long, { pieceLength: 1 })]);
    const { id } = await dossier.start({ graph: "agent", question: "灯塔用什么油？" });
    const run = await dossier.finish(id);
    expect([run.termination?.reason, model.requests.length]).toEqual(["answered", 1]);
  });

  it("finish_task {summary} is executed once and is the answer", async () => {
    const finish = { name: "finish_task", arguments: { summary: "灯使用鲸油。" } };
    const { dossier, model } = await openWithModel([{ ...calls(finish), cutBytes: 1 }]);
    const { id } = await dossier.start({ graph: "agent", question: "灯塔用什么油？" });
    const { run, of } = await watch(dossier, id);
    expect([run.termination?.reason, run.report?.markdown, model.requests.length]).toEqual(["finish_task", "灯使用鲸油。", 1]);
    expect(of("tool-ended").map(({ tool, ok }) => [tool, ok])).toEqual([["finish_task", true]]);
  });
});

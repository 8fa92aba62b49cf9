import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { replay } from "../../src/compose.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import type { Run } from "../../src/domain/run.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { startEastmoney } from "../fakes/eastmoney.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { EASTMONEY_DATA } from "../fixtures/services/eastmoney.ts";
import { makeFolder, odd, writeServers } from "../helpers/mcp-servers.ts";
import { startService } from "../helpers/start-service.ts";
import { startEdgar } from "../tools/sec-edgar/edgar-server.ts";

const APPLE = { tool: "sec_edgar_search", arguments: { what: "facts", company: "Apple", concepts: ["净利润"], years: [2023] } };
const MOUTAI = { tool: "akshare_search", arguments: { action: "profile", name: "贵州茅台" } };

/** The service with both company tools; with a model if there is a script. */
async function open(script?: Script, more: Readonly<Record<string, string>> = {}) {
  const [edgar, model] = [await startEdgar(), script && (await startModelServer(script))];
  const environment = {
    SOURCES: "corpus,sec_edgar_search,akshare_search",
    SEC_EDGAR_BASE_URL: edgar.url,
    EASTMONEY_BASE_URL: (await startEastmoney(EASTMONEY_DATA)).url,
    ...(model && { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", MODEL_PRICES: "" }),
    ...more,
  };
  const service = await startService({ environment });
  const asked = async (body: Readonly<Record<string, unknown>>) => {
    const run = (await service.ask(body)) as Run;
    const events = await service.events(run.id);
    return {
      run,
      of: <T extends RunEvent["type"]>(type: T) => events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type),
    };
  };
  return { service, edgar, model, asked };
}

describe("calls that a request gives", () => {
  it("are made in round 1 without a model, are quoted, and replay as they were", async () => {
    const { service, asked } = await open();
    const { run, of } = await asked({ question: "苹果公司和贵州茅台的基本情况", calls: [APPLE, MOUTAI] });
    expect(of("decision").map(({ round, toolCalls }) => [round, toolCalls.map(({ name }) => name)])).toEqual([
      [0, ["sec_edgar_search", "akshare_search"]],
      [1, []],
    ]);
    expect(of("loop-ended")).toMatchObject([{ rounds: 1, reason: "sufficient" }]);
    expect(run.report?.markdown).toMatch(/96,995,000,000 USD/);
    expect(run.report?.markdown).toMatch(/茅台酒及系列酒的生产与销售/);
    expect(run.report?.ledger.filter(({ what }) => what === "tool").map(({ outcome }) => outcome)).toEqual(["found", "found"]);
    const recording = await readRecording(await service.recordingLines(run.id));
    expect(recording.segments[0]?.segment.input).toMatchObject({
      task: { calls: [{ name: "sec_edgar_search" }, { name: "akshare_search" }] },
    });
    expect((await replay(recording)).difference).toBeNull();
  });

  it("are made before a model decides, which sees their results", async () => {
    const { model, asked } = await open((request) => say.text(offeredTools(request).length > 0 ? "够了。" : "苹果公司的净利润见附表。"));
    const { of } = await asked({ question: "苹果公司2023年的净利润是多少？", calls: [APPLE] });
    expect(of("loop-ended")).toMatchObject([{ rounds: 1, reason: "sufficient" }]);
    const decisions = (model?.requests ?? []).filter((request) => offeredTools(request).includes("sec_edgar_search"));
    expect(decisions).toHaveLength(1);
    expect(contentsOf(decisions[0] as SeenRequest, "user").join("\n")).toContain("96,995,000,000 USD");
  });

  it("count as a round in an estimate, so that the model decides once less often", async () => {
    const { service } = await open(() => say.text("够了。"));
    const estimate = async (more: object) => {
      const body = JSON.stringify({ question: "苹果公司", queries: ["苹果"], ...more });
      const response = await fetch(`${service.url}/research/estimate`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      return ((await response.json()) as { modelCalls: object }).modelCalls;
    };
    expect(await estimate({})).toEqual({ from: 1, to: 5 });
    expect(await estimate({ calls: [APPLE] })).toEqual({ from: 1, to: 4 });
    expect(await estimate({ calls: [APPLE], limits: { optionalToolLoops: 1 } })).toEqual({ from: 0, to: 2 });
  });

  const REFUSED: readonly [fields: object, path: string, message: RegExp][] = [
    [{ calls: [APPLE, { tool: "bing", arguments: {} }] }, "/calls/1/tool", /no tool bing\. There are: sec_edgar_search, akshare_search\./],
    [
      { calls: [APPLE], sources: ["corpus", "akshare_search"] },
      "/calls/0/tool",
      /sec_edgar_search lies outside the scope .*: akshare_search\./,
    ],
    [{ calls: [{ tool: "akshare_search", arguments: { action: "财务" } }] }, "/calls/0/arguments", /action/],
    [{ calls: [{ tool: "akshare_search", arguments: "贵州茅台" }] }, "/calls/0/arguments", /object/],
    [{ calls: [{ tool: "akshare_search" }] }, "/calls/0/arguments", /is missing/],
    [{ calls: [{ ...MOUTAI, id: "1" }] }, "/calls/0/id", /not a known field/],
    [{ calls: [{ tool: "akshare_search", arguments: { query: "茅".repeat(16_000) } }] }, "/calls/0/arguments", /16000 characters/],
    [{ calls: [] }, "/calls", /at least 1/],
    [{ calls: Array.from({ length: 17 }, () => MOUTAI) }, "/calls", /at most 16/],
    [{ calls: [MOUTAI], graph: "research" }, "/calls", /the graph research takes no calls/],
    [{ calls: [MOUTAI], limits: { optionalToolLoops: 0 } }, "/limits/optionalToolLoops", /at least 1/],
  ];

  it("are refused with 400 and the place of the fault if they cannot be made", async () => {
    const { service } = await open();
    for (const [more, path, message] of REFUSED) {
      const problem = await service.ask({ question: "贵州茅台的基本情况", ...more });
      expect(problem).toMatchObject({ status: 400, code: "invalid_request", errors: [{ path }] });
      expect(JSON.stringify(problem)).toMatch(message);
    }
  });

  it("reach the tools of an MCP server, and a call that changes something waits for the user", async () => {
    const { dir, remove } = makeFolder();
    onTestFinished(remove);
    const MCP_SERVERS = writeServers(dir, { notes: odd("plain", join(dir, "notes")) });
    const { service, asked } = await open(undefined, { MCP_SERVERS, SOURCES: "corpus,mcp:notes" });
    const calls = ["links", "missing", "note"].map((name) => ({
      tool: `notes__${name}`,
      arguments: name === "note" ? { line: "记一行" } : {},
    }));
    const { run } = await asked({ question: "灯塔用什么油？", calls });
    expect([run.status, run.pending]).toMatchObject(["waiting", [{ call: { tool: "notes__note", arguments: { line: "记一行" } } }]]);
    expect(existsSync(join(dir, "notes"))).toBe(false);
    const headers = { "content-type": "application/json" };
    await fetch(`${service.url}/research/${run.id}/answer`, { method: "POST", headers, body: JSON.stringify({ approve: true }) });
    const { report } = await service.finish(run.id);
    expect(readFileSync(join(dir, "notes"), "utf8")).toBe("记一行\n");
    expect(report?.ledger.filter(({ what }) => what === "tool").map(({ source, failure }) => [source, failure])).toEqual([
      ["notes__links", null],
      ["notes__missing", "unknown_tool"],
      ["notes__note", null],
    ]);
  });
});

it("without a model and without calls, no company that a question names calls a tool", async () => {
  const { edgar, asked } = await open();
  for (const question of ["Tesla 和比亚迪的对比分析", "What was Apple's net income in 2023?"]) {
    const { of } = await asked({ question });
    expect(of("loop-ended")).toMatchObject([{ rounds: 0, reason: "no_tools" }]);
    expect([of("tool-started"), edgar.requests]).toEqual([[], []]);
  }
});

import { describe, expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf, offeredTools } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { startTool } from "../helpers/finding-tool.ts";
import { everything, makeFolder, odd, writeServers } from "../helpers/mcp-servers.ts";
import { startService } from "../helpers/start-service.ts";

/** The service with a scripted model server, two tools in the process and two MCP servers. */
async function open(script: Script, withServers = false) {
  const model = await startModelServer(script);
  const tools = [await startTool("alpha"), await startTool("beta")];
  const own = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" };
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const servers = withServers
    ? { MCP_SERVERS: writeServers(dir, { docs: everything(), crm: odd() }), SOURCES: "corpus,alpha,beta,mcp:docs,mcp:crm" }
    : {};
  const service = await startService({ parts: { tools }, environment: { ...own, ...servers } });
  const post = async (body: Record<string, unknown>) => (await service.ask(body)) as Run & { errors?: { path: string }[]; code?: string };
  return { ...service, model, post };
}

const call = (name: string, args: object, id = "call_123") => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});

describe("messages with tool calls", () => {
  const LOOKED_UP = [
    { role: "user", content: "灯塔是谁建的？" },
    { role: "assistant", content: null, refusal: null, tool_calls: [call("alpha", { query: "灯塔" })] },
    { role: "tool", tool_call_id: "call_123", name: "alpha", content: "艾达·彭罗斯，1874年" },
    { role: "assistant", content: "", tool_calls: [call("finish_task", { summary: "由艾达·彭罗斯建造。" }, "call_124")] },
    { role: "tool", tool_call_id: "call_124", content: "ok" },
  ];

  it("are remembered: an equal call is not made, and the text of an earlier finish_task is the earlier answer", async () => {
    const { model, post, events } = await open((_, index) =>
      index === 0 ? say.toolCalls([{ name: "alpha", arguments: { query: "灯塔" } }]) : say.text("1874年建成。"),
    );
    const run = await post({ question: "哪一年建成？", graph: "agent", messages: LOOKED_UP });
    expect([run.termination?.reason, run.report?.markdown]).toEqual(["answered", expect.stringMatching(/^1874年建成。/)]);
    const [first] = model.requests;
    expect(contentsOf(first!, "assistant")).toEqual(["由艾达·彭罗斯建造。"]);
    expect(contentsOf(first!, "user").at(-1)).toContain("艾达·彭罗斯，1874年");
    const ended = (await events(run.id)).filter((event) => event.type === "tool-ended");
    expect(ended.map(({ tool, ok, reused }) => [tool, ok, reused])).toEqual([["alpha", true, true]]);
    expect(contentsOf(model.requests[1]!, "tool")).toEqual([expect.stringContaining("艾达·彭罗斯，1874年")]);
  });

  it("go on after the question where the last message of the user is the question", async () => {
    const { model, post } = await open(() => say.text("由艾达·彭罗斯建造。"));
    const run = await post({ question: "灯塔是谁建的？", graph: "agent", messages: LOOKED_UP.slice(0, 3) });
    expect(run.report?.markdown).toBe("由艾达·彭罗斯建造。");
    expect(model.requests.map(({ body }) => body.messages.map(({ role }) => role))).toEqual([["system", "user", "assistant", "tool"]]);
    expect(model.refused).toEqual([]);
  });

  it("have the call made that ends them", async () => {
    const { model, post } = await open(() => say.text("由艾达·彭罗斯建造。"), true);
    const messages = [LOOKED_UP[0], { role: "assistant", content: null, tool_calls: [call("docs__echo", { message: "一八七四" })] }];
    const run = await post({ question: "灯塔是谁建的？", graph: "agent", messages });
    expect(run.termination?.reason).toBe("answered");
    expect(model.requests.map((request) => contentsOf(request, "tool"))).toEqual([[expect.stringContaining("Echo: 一八七四")]]);
  });

  it("end the run without another model call if finish_task was called for the question", async () => {
    const { model, post } = await open(() => say.text("never asked"));
    const run = await post({ question: "灯塔是谁建的？", graph: "agent", messages: LOOKED_UP });
    expect([run.termination?.reason, run.report?.markdown, model.requests.length]).toEqual(["finish_task", "由艾达·彭罗斯建造。", 0]);
    // A result that answers no call is refused.
    const refused = await post({ question: "q", messages: [{ role: "tool", tool_call_id: "call_9", content: "?" }] });
    expect(refused).toMatchObject({ code: "invalid_request", errors: [{ path: "/messages/0/tool_call_id" }] });
  });
});

describe("tools, mcpServers and context of a request", () => {
  it("narrow what the model is offered, reach the tool, and name only what the server has", async () => {
    const { model, post, url } = await open(() => say.text("好的，答案是四。"), true);
    const offered = async (more: object) => {
      const run = await post({ question: "二加二等于几？", graph: "agent", sources: undefined, ...more });
      expect(run.status).toBe("succeeded");
      return offeredTools(model.requests.at(-1)!).filter((name) => /^alpha|^beta|__/.test(name));
    };
    const all = await offered({});
    expect(all.filter((name) => !name.includes("__"))).toEqual(["alpha", "beta"]);
    expect(new Set(all.map((name) => name.split("__")[0]))).toEqual(new Set(["alpha", "beta", "docs", "crm"]));
    expect(await offered({ tools: ["beta", "docs__echo"] })).toEqual(["beta", "docs__echo"]);
    expect(await offered({ tools: [] })).toEqual([]);
    // The tools that every agent has are there, whether they are named or not.
    const own = ["search", "read_document", "calculator", "ask_user", "finish_task"];
    expect(await offered({ tools: ["alpha", ...own] })).toEqual(["alpha"]);
    expect(offeredTools(model.requests.at(-1)!)).toEqual(["alpha", ...own]);
    expect(await offered({ mcpServers: [] })).toEqual(["alpha", "beta"]);
    const crm = await offered({ mcpServers: ["crm"], tools: ["alpha", "docs__echo"] });
    expect(crm).toEqual(["alpha"]);
    const sources = await offered({ sources: ["corpus"], mcpServers: ["docs"] });
    expect(new Set(sources.map((name) => name.split("__")[0]))).toEqual(new Set(["docs"]));
    const run = await post({ question: "q", graph: "agent", metadata: { a: 1, b: 1 }, context: { b: 2, currentTaskId: "任务-456" } });
    expect(((await (await fetch(`${url}/research/${run.id}`)).json()) as Run).metadata).toEqual({ a: 1, b: 2, currentTaskId: "任务-456" });

    // They name only what the server has, never a command or an address.
    const faults = async (more: object) => {
      const { code, errors } = await post({ question: "q", ...more });
      return [code, errors?.map(({ path }) => path)];
    };
    expect(await faults({ tools: ["alpha", "rm"] })).toEqual(["unknown_source", ["/tools/1"]]);
    expect(await faults({ tools: ["other__echo"] })).toEqual(["unknown_source", ["/tools/0"]]);
    const long = "x".repeat(9_000);
    expect(await faults({ metadata: { a: long }, context: { b: long } })).toEqual(["invalid_request", ["/context"]]);
    expect(await faults({ mcpServers: ["other"] })).toEqual(["unknown_source", ["/mcpServers/0"]]);
    expect(await faults({ mcpServers: [{ command: "sh" }] })).toEqual(["invalid_request", ["/mcpServers/0"]]);
    expect(await faults({ mcpServers: { evil: { url: "http://127.0.0.1/" } } })).toEqual(["invalid_request", ["/mcpServers"]]);
  });
});

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { everything, filesystem, makeFolder, startEverything } from "../../helpers/mcp-servers.ts";
import { isAlive } from "../../helpers/processes.ts";
import { turns } from "../../helpers/turns.ts";
import { openServers } from "./servers-under-test.ts";

async function folder(): Promise<string> {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  await writeFile(join(dir, "灯塔.txt"), "灯塔建于1874年。\n");
  return dir;
}

describe("the reference servers", () => {
  it("offer their tools over stdio under their server's name, with the kinds of their annotations", async () => {
    const dir = await folder();
    const { list, call, servers } = openServers({ files: filesystem(dir), trusted: filesystem(dir, { allowMutations: true }) });
    expect(servers.states()[0]).toMatchObject({
      id: "mcp:files",
      configured: true,
      lastTry: null,
      server: { connected: false, tools: [] },
    });
    const { tools, failures } = await list();
    expect(failures).toEqual([]);
    const of = (name: string) => tools.find((tool) => tool.name === name);
    expect(of("files__read_text_file")).toMatchObject({ server: "mcp:files", tool: "read_text_file", kind: "query", confirm: false });
    expect(of("files__write_file")).toMatchObject({ kind: "mutation", confirm: true, timeoutMs: 60_000 });
    expect(of("trusted__write_file")).toMatchObject({ kind: "mutation", confirm: false });
    expect(of("files__write_file")?.parameters).toMatchObject({ type: "object", required: ["path", "content"] });
    const read = await call("files", "read_text_file", { path: join(dir, "灯塔.txt") });
    expect(read.text).toBe("灯塔建于1874年。");
    expect(read.sources).toMatchObject([{ text: "灯塔建于1874年。", publishedAt: null }]);
    expect(read.sources[0]?.url).toMatch(/^mcp:files\/read_text_file#[0-9a-f]{12}$/);
    await expect(call("files", "read_text_file", { path: "/etc/hostname" })).rejects.toMatchObject({ code: "tool_failed" });
    expect((await call("files", "write_file", { path: join(dir, "neu.txt"), content: "neu" }, "mutation")).sources).toEqual([]);
    expect(await readFile(join(dir, "neu.txt"), "utf8")).toBe("neu");
    expect(servers.states()[0]).toMatchObject({ lastTry: { reachable: true, failure: null }, server: { connected: true, message: null } });
  });

  it("offer their tools over HTTP, and a restarted server is reconnected", async () => {
    const first = await startEverything();
    onTestFinished(first.kill);
    const clock = jumpingClock();
    const { list, call, servers } = openServers({ web: { url: first.url } }, {}, clock.now);
    expect((await list()).tools.map(({ name }) => name)).toContain("web__get-sum");
    expect((await call("web", "get-sum", { a: 2, b: 40 })).text).toBe("The sum of 2 and 40 is 42.");
    await first.kill();
    await expect(call("web", "get-sum", { a: 1, b: 1 })).rejects.toMatchObject({ code: "unreachable" });
    expect(servers.states()[0]).toMatchObject({ server: { connected: false } });
    const second = await startEverything(first.port);
    onTestFinished(second.kill);
    clock.jump(60_000);
    expect((await call("web", "get-sum", { a: 1, b: 1 })).text).toContain("is 2");
  });

  it("fail the call at once if they die during an answer over HTTP", async () => {
    const server = await startEverything();
    onTestFinished(server.kill);
    const { call } = openServers({ web: { url: server.url } });
    await call("web", "echo", { message: "" }, "mutation");
    const calling = call("web", "trigger-long-running-operation", { duration: 50, steps: 100 }, "mutation");
    const failed = expect(calling).rejects.toMatchObject({ code: "unreachable" });
    await turns(200);
    await server.kill();
    await failed;
  });

  it("are called again in a new session if the old one was lost silently", async () => {
    const first = await startEverything();
    onTestFinished(first.kill);
    const { call } = openServers({ web: { url: first.url } });
    await call("web", "echo", { message: "一" });
    await first.kill();
    const second = await startEverything(first.port);
    onTestFinished(second.kill);
    expect((await call("web", "echo", { message: "二" }, "mutation")).text).toBe("Echo: 二");
  });

  it("are restarted at the next call after they were killed, and leave no process behind", async () => {
    const { list, call, servers } = openServers({ eins: everything(), zwei: everything() });
    const { tools } = await list();
    expect(tools.filter(({ tool }) => tool === "echo").map(({ name }) => name)).toEqual(["eins__echo", "zwei__echo"]);
    const children = await childrenOf(process.pid);
    expect(children.length).toBeGreaterThanOrEqual(2);
    for (const pid of children) process.kill(pid, "SIGKILL");
    const answers = await Promise.all([call("eins", "echo", { message: "a" }), call("zwei", "echo", { message: "b" })]);
    expect(answers.map(({ text }) => text)).toEqual(["Echo: a", "Echo: b"]);
    const again = await childrenOf(process.pid);
    await servers.close();
    await expect.poll(() => again.filter(isAlive)).toEqual([]);
    await expect(call("eins", "echo", { message: "c" })).rejects.toMatchObject({ code: "unreachable" });
  });
});

/** Returns the server processes that a process has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const pids = listed.trim().split(" ").filter(Boolean).map(Number);
  const lines = await Promise.all(pids.map((one) => readFile(`/proc/${one}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((_, index) => lines[index]?.includes("server-everything"));
}

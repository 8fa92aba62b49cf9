import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { toolName } from "../../../src/tools/mcp/offered-tools.ts";
import { readServers } from "../../../src/tools/mcp/servers-file.ts";
import { makeFolder, variable } from "../../helpers/mcp-servers.ts";

function read(text: string) {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(dir, "servers.json");
  writeFileSync(file, text);
  return readServers(file, (name) => (name === "TOKEN" ? "kite-Red-1" : undefined));
}

const readEntry = (entry: unknown, name = "files") => read(JSON.stringify({ mcpServers: { [name]: entry } }));

it("reads servers in the usual format, with defaults for missing fields", () => {
  const { servers, disabled } = read(
    JSON.stringify({
      mcpServers: {
        文件: { command: "npx", args: ["-y", "server"], env: { KEY: `a ${variable("TOKEN")} b` } },
        web: {
          type: "http",
          url: "http://10.0.0.1/mcp",
          headers: { Authorization: `Bearer ${variable("TOKEN")}` },
          graphs: ["agent"],
          timeoutMs: 500,
        },
        off: { command: "x", enabled: false },
        also: { url: "nonsense", disabled: true },
      },
    }),
  );
  expect(servers).toEqual([
    {
      transport: "stdio",
      name: "文件",
      command: "npx",
      args: ["-y", "server"],
      env: { KEY: "a kite-Red-1 b" },
      cwd: null,
      graphs: null,
      allowMutations: false,
      connectTimeoutMs: 10_000,
      timeoutMs: 30_000,
      maxResultCharacters: 50_000,
      secrets: ["a kite-Red-1 b", "a%20kite-Red-1%20b", "a+kite-Red-1+b", "kite-Red-1"],
    },
    {
      transport: "http",
      name: "web",
      url: "http://10.0.0.1/mcp",
      headers: { Authorization: "Bearer kite-Red-1" },
      graphs: ["agent"],
      allowMutations: false,
      connectTimeoutMs: 10_000,
      timeoutMs: 500,
      maxResultCharacters: 50_000,
      secrets: ["kite-Red-1"],
    },
  ]);
  expect(disabled).toEqual(["off", "also"]);
});

it("reads what other clients write, and warns of settings that it ignores", () => {
  const approve = "is ignored: calls that change something need the user's consent. To allow them without consent, set allowMutations.";
  const { servers, disabled, warnings } = read(
    JSON.stringify({
      mcpServers: {
        论文: {
          command: "x",
          type: "stdio",
          name: "论文",
          description: "读论文。",
          disabled: false,
          autoApprove: [],
          alwaysAllow: ["读取"],
        },
        wiki: { url: "http://a/mcp", transport: "streamable_http", isActive: true, autoApprove: ["search"], trust: true, timeout: 60 },
        rest: { url: "http://b/mcp", type: "streamable-http", trust: false },
        off: { command: "x", isActive: false, autoApprove: ["all"] },
      },
    }),
  );
  expect(servers.map(({ name, transport, allowMutations, timeoutMs }) => [name, transport, allowMutations, timeoutMs])).toEqual([
    ["论文", "stdio", false, 30_000],
    ["wiki", "http", false, 30_000],
    ["rest", "http", false, 30_000],
  ]);
  expect(Object.keys(servers[0]!)).not.toContain("alwaysAllow");
  expect(disabled).toEqual(["off"]);
  expect(warnings).toEqual([
    { name: "论文", message: `alwaysAllow ${approve}` },
    { name: "wiki", message: `autoApprove ${approve}` },
    { name: "wiki", message: `trust ${approve}` },
    { name: "wiki", message: "timeout is ignored, because clients differ in its unit. Use timeoutMs, in milliseconds." },
  ]);
});

it.each([
  [{ url: "http://a/sse", type: "sse" }, "mcpServers.files.type: sse is an older transport that is not supported here; write http"],
  [{ url: "http://a/", transport: "stdio" }, "mcpServers.files.transport: stdio does not go with a url; leave it out"],
  [{ command: "x", type: "http" }, "mcpServers.files.type: http does not go with a command; leave it out"],
  [{ command: "x", type: "管道" }, "mcpServers.files.type: 管道 is not stdio, http or streamable-http"],
  [{ command: "x", disabled: "yes" }, "mcpServers.files.disabled: "],
  [{ command: "x", autoApprove: "all" }, "mcpServers.files.autoApprove: "],
  [{ command: "x", disabledTools: ["write"] }, "mcpServers.files: has fields that are not known: disabledTools"],
  [{ command: "x", url: "http://a/" }, "mcpServers.files: has both a command and a url"],
  [{}, "mcpServers.files: needs a command"],
  [{ url: "ftp://a/" }, "mcpServers.files.url: "],
  [{ command: "x", args: "y" }, "mcpServers.files.args: "],
  [{ command: "x", comand: "y" }, "mcpServers.files: has fields that are not known: comand"],
  [{ command: "x", env: { A: variable("NOWHERE") } }, `mcpServers.files.env.A: ${variable("NOWHERE")} is not set`],
  [{ command: "x", timeoutMs: 1 }, "mcpServers.files.timeoutMs: "],
])("names the error in %j", (entry, message) => {
  expect(() => readEntry(entry)).toThrow(expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(message) }));
});

it("names the error in a name, a file that is not JSON, and a file without servers", () => {
  expect(() => readEntry({ command: "x" }, "my files")).toThrow("must have no spaces and no commas");
  expect(() => read("{")).toThrow(/MCP_SERVERS, .*servers\.json: it cannot be read: /);
  expect(() => read("{}")).toThrow(/servers\.json: mcpServers: /);
  expect(() => readServers("/no/such/file.json", () => undefined)).toThrow("/no/such/file.json");
});

it.each([
  ['{"mcpServers": {"文件": {"env": {"TOKEN": kite-Red-1', "Unexpected token 'k' is not valid JSON. Nothing was started"],
  ['{"mcpServers": {"a": {"env": {"TOKEN": "kite-Red-1"', "in JSON at position 51"],
])("quotes nothing of invalid JSON: %s", (text, message) => {
  const failure = expect.objectContaining({ message: expect.stringContaining(message) });
  expect(() => read(text)).toThrow(failure);
  expect(() => read(text)).not.toThrow("kite");
});

it.each([
  ["files", "read_file", "files__read_file"],
  ["a__b", "c", "a__b__c_10f3a53f"],
  ["web", "get.sum", "web__get_sum_630391d0"],
])("names the tool of %s that is called %s", (server, tool, name) => {
  expect(toolName(server, tool)).toBe(name);
});

it("gives long and foreign names distinct and stable names", () => {
  const names = [toolName("网页", "天气"), toolName("文件", "天气"), toolName("s", "t".repeat(80)), toolName("s", `${"t".repeat(80)}u`)];
  expect(new Set(names).size).toBe(4);
  expect(names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  expect(toolName("网页", "天气")).toBe(names[0]);
});

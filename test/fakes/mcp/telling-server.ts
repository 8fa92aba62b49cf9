// An MCP server over stdio that repeats its secrets everywhere: node telling-server.ts [exits].
import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const secret = /(?:^|\0)PAPERS_TOKEN=([^\0]*)/.exec(readFileSync("/proc/self/environ", "utf8"))?.[1] ?? "";

const TOOLS = ["refuses", "fails", "tells", "shows"].map((name) => ({
  name,
  description: `Works with ${secret}.`,
  inputSchema: { type: "object" as const, properties: { 词: { type: "string", default: secret } } },
  annotations: { readOnlyHint: true },
}));

const ANSWERS: Readonly<Record<string, () => unknown>> = {
  refuses() {
    throw new Error(`口令 ${secret} 无效`);
  },
  fails: () => ({ content: [{ type: "text", text: `The key ${secret} is used up.` }], isError: true }),
  tells: () => ({
    content: [
      { type: "text", text: `The tower is 30 metres high (${secret}). 塔高三十米。` },
      { type: "resource", resource: { uri: `papers://${secret}/tower`, text: `Key: ${secret}` } },
    ],
  }),
  shows: () => ({ content: [], structuredContent: { type: "component", component: "note", props: { [secret]: [`${secret}!`] } } }),
};

const server = new Server({ name: "telling", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ANSWERS[params.name]?.() as never);

if (process.argv[2] === "exits") {
  const half = Math.floor(secret.length / 2);
  process.stderr.write(`licence ${secret} refused, 许可证 ${secret.slice(0, half)}`);
  // The client speaks first, so the halves are written apart.
  process.stdin.once("data", () => process.stderr.write(`${secret.slice(half)} again\n`, () => process.exit(2)));
} else await server.connect(new StdioServerTransport());

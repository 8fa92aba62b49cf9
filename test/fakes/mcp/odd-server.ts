// An MCP server over stdio that misbehaves: node odd-server.ts MODE [FILE] [FILE for process ids].
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";

const [mode = "plain", file = "", ids = ""] = process.argv.slice(2);
const READS = { readOnlyHint: true };
const object = { type: "object" as const };

/** References that expand to 2^30 nodes. */
const BOMB = {
  type: "object" as const,
  properties: { a: { $ref: "#/$defs/d30" } },
  $defs: Object.fromEntries(
    Array.from({ length: 31 }, (_, i) => [
      `d${i}`,
      i === 0 ? { type: "string" } : { type: "object", properties: { x: { $ref: `#/$defs/d${i - 1}` }, y: { $ref: `#/$defs/d${i - 1}` } } },
    ]),
  ),
};

const TOOLS: readonly Tool[] = [
  { name: "note", description: "Writes a line.", inputSchema: { ...object, properties: { line: { type: "string" } }, required: ["line"] } },
  { name: "note_and_hang", inputSchema: { ...object, properties: { line: { type: "string" } }, required: ["line"] } },
  { name: "big", inputSchema: object, annotations: READS },
  { name: "never", inputSchema: object, annotations: READS },
  { name: "die", inputSchema: object, annotations: READS },
  { name: "garbage", inputSchema: object, annotations: READS },
  { name: "fail", inputSchema: object, annotations: READS },
  { name: "shows", inputSchema: object, annotations: READS },
  { name: "mixes", inputSchema: object, annotations: READS },
  { name: "lists", inputSchema: object, annotations: READS },
  { name: "meta", inputSchema: object, annotations: READS },
  { name: "links", inputSchema: object, annotations: READS },
  { name: "chatter", inputSchema: object, annotations: READS },
  { name: "environment", inputSchema: object, annotations: READS },
  { name: "slow pattern", inputSchema: { ...object, properties: { p: { type: "string", pattern: "^(a+)+$" } } }, annotations: READS },
  { name: "bomb", inputSchema: BOMB, annotations: READS },
  { name: "查询 天气", description: "天气。", inputSchema: { ...object, properties: { 城市: { type: "string" } } }, annotations: READS },
];

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

/** Texts and components alternate, which no version of the protocol defines. */
const MIXED = [
  { type: "text", text: "Two bars. 两根柱子。" },
  { type: "component", component: "bar-chart", bars: [1, 2] },
  { type: "webcomponent", html: '<my-card title="塔"><a href="https://example.org/x?a=1&b=2">x</a><script>1</script></my-card>\n' },
  { type: "text", text: "That was all." },
];

const PROGRESS = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } });

const ANSWERS: Readonly<Record<string, (args: Record<string, unknown>, id: string | number, meta: unknown) => unknown>> = {
  note({ line }) {
    appendFileSync(file, `${line}\n`);
    return text(`Noted: ${line}`);
  },
  note_and_hang({ line }) {
    appendFileSync(file, `${line}\n`);
    return new Promise(() => {});
  },
  big: () => text("大".repeat(10_000_000 / 3)),
  never: () => new Promise(() => {}),
  die: () => process.exit(3),
  garbage(_, id) {
    process.stdout.write(`this is no JSON\n{\n${JSON.stringify({ jsonrpc: "2.0", id, result: { content: "no list" } })}\n`);
    return new Promise(() => {});
  },
  fail: () => ({ ...text("The disk is full. 磁盘已满。"), isError: true }),
  shows: () => ({ ...text("Two bars."), structuredContent: { type: "component", component: "bar-chart", props: { bars: [1, 2] } } }),
  // The SDK would refuse to send it.
  mixes(_, id) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { content: MIXED } })}\n`);
    return new Promise(() => {});
  },
  lists: () => ({ ...text(JSON.stringify(MIXED)), structuredContent: { content: MIXED } }),
  meta: (_args, _id, meta) => text(JSON.stringify(meta)),
  links: () => ({
    content: [
      { type: "resource_link", uri: "https://example.org/report", name: "The report", description: "Yearly." },
      { type: "resource_link", uri: "file:///etc/passwd", name: "passwd" },
      { type: "resource", resource: { uri: "https://example.org/claimed", text: "The tower is 30 metres high. 塔高30米。" } },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ],
  }),
  chatter() {
    process.stdout.write(`${PROGRESS}\n`.repeat(1_500));
    return text("说完了");
  },
  environment: () =>
    text(
      readFileSync("/proc/self/environ", "utf8")
        .replaceAll(/=[^\0]*\0/g, " ")
        .trim(),
    ),
  "slow pattern": ({ p }) => text(String(p)),
  bomb: () => text("no harm"),
  "查询 天气": (args) => text(`${args["城市"]}：晴`),
};

const server = new Server({ name: "odd", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => {
  if (mode !== "endless") return { tools: [...TOOLS] };
  const tools = Array.from({ length: 20 }, (_, i): Tool => ({ name: `t${Math.random()}${i}`, inputSchema: object, annotations: READS }));
  return { tools, nextCursor: "more" };
});
server.setRequestHandler(
  CallToolRequestSchema,
  async ({ params }, { requestId }) => (await ANSWERS[params.name]?.(params.arguments ?? {}, requestId, params._meta)) as never,
);

if (mode === "pid") writeFileSync(file, String(process.pid));
if (ids !== "") appendFileSync(ids, `${process.pid}\n`);
if (mode === "silent") process.stdin.resume();
else if (mode === "exits") {
  process.stderr.write("no licence found\n");
  process.exit(2);
} else await server.connect(new StdioServerTransport());

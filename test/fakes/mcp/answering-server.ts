// An MCP server over stdio with one tool for each key of a JSON file, which answers with the value as it stands: node answering-server.ts FILE.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const answers = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Readonly<Record<string, unknown>>;
const tools = Object.keys(answers).map((name) => ({ name, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }));

interface Message {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const RESULTS: Readonly<Record<string, (params: NonNullable<Message["params"]>) => unknown>> = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "answering", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name = "" }) => answers[name],
  ping: () => ({}),
};

// The SDK would refuse to send blocks that the protocol does not define.
for await (const line of createInterface(process.stdin)) {
  const { id, method, params = {} } = JSON.parse(line) as Message;
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: RESULTS[method]?.(params) ?? {} })}\n`);
}

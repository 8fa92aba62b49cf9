// Serves scripted responses through an OpenAI-compatible API, to try the service by hand: npm run model-server -- FILE [--port N]
//
// FILE is JSON, {"abilities": {...}, "script": [...]}: the server's features (test/fakes/model-server/abilities.ts) and one behavior per
// request (test/fakes/model-server/behavior.ts). A behavior with `"repeat": true` also serves all later requests. See the example in
// scripts/model-server/example.json. Set OPENAI_BASE_URL to the address that this prints. Without --port it uses a free port.
import { parseArgs } from "node:util";
import type { SeenRequest } from "../test/fakes/model-server/seen-request.ts";
import { openModelServer } from "../test/fakes/model-server/serve.ts";
import { readScript } from "./model-server/read-script.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: "string", default: "0" } } });
const [file] = positionals;
const port = Number(values.port);
if (file === undefined || positionals.length > 1 || !Number.isInteger(port) || port < 0 || port > 65_535)
  throw new Error("usage: npm run model-server -- FILE [--port N]");

const { script, abilities } = await readScript(file);
const now = () => performance.now();
const server = await openModelServer(script, { ...abilities, port, now, onOver: (request, index) => console.log(lineOf(request, index)) });
console.log(server.url);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());

/** Describes a request and its outcome in one line. */
function lineOf(request: SeenRequest, index: number): string {
  const { body, at, status, endedAt, abortedAt, refusal } = request;
  const ended = endedAt ?? abortedAt ?? now();
  const asked = `${body.messages?.length ?? 0} messages, ${body.tools?.length ?? 0} tools`;
  const outcome = `${status ?? "no status"}${abortedAt === null ? "" : ", given up by the client"}${refusal === null ? "" : `, refused: ${refusal}`}`;
  return `${index + 1}. ${body.model}: ${asked}; ${outcome}; ${Math.round(ended - at)} ms`;
}

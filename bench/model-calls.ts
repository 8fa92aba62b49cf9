// npm run bench:models: the processor time of a process's first model call, of a text in 5,000 chunks and of a tool call in 5,000 pieces.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChatRequest } from "../src/domain/chat.ts";
import type { CallOptions } from "../src/domain/ports/models.ts";
import { createChatModel } from "../src/models/chat-model.ts";
import { createModelFetch } from "../src/network/configured-server.ts";
import { plainEffects } from "../test/helpers/plain-effects.ts";

const PIECES = 5_000;
const TIMES = 5;
const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const END = `${chunk({}, "stop")}data: [DONE]\n\n`;
const text = Array.from({ length: PIECES }, (_, at) => chunk({ content: `word${at} ` }));
const call = (args: string, first = false) => {
  const named = first ? { id: "c1", type: "function", function: { name: "search", arguments: args } } : { function: { arguments: args } };
  return chunk({ tool_calls: [{ index: 0, ...named }] });
};
const pieces = [call('{"q":"', true), ...Array.from({ length: PIECES - 2 }, (_, at) => call(`w${at} `)), call('"}')];
const ANSWERS: Readonly<Record<string, readonly string[]>> = { first: [chunk({ content: "Yes." })], text, pieces };

const REQUEST: ChatRequest = {
  ...{
    model: "",
    messages: [{ role: "user", content: "灯塔？" }],
    toolChoice: "auto",
    schema: null,
    maxOutputTokens: 100_000,
    stopTools: [],
  },
  tools: [{ name: "search", description: "Searches.", kind: "query", parameters: { type: "object", properties: {} } }],
};
const OPTIONS: CallOptions = {
  ...{ node: "bench", purpose: "write" },
  limits: { optionalToolLoops: 0, steps: 1, modelCalls: 100, tokens: 100_000_000, costUsd: null, seconds: 600, downloads: 0 },
  models: { default: "m", roles: {}, contextTokens: 1_000_000, maxOutputTokens: 100_000, prices: {} },
};

/** Each piece is written by itself, as a model does, and the next one after the socket took it. */
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of ANSWERS[JSON.parse(body).model as string] ?? []) await new Promise((done) => response.write(piece, done));
  response.end(END);
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const way = createModelFetch(url);
const limits = { firstTokenMs: 60_000, betweenTokensMs: 60_000, callMs: 600_000 };
const model = createChatModel({ endpoint: { baseUrl: url, fetch: way.fetch }, limits });

async function processorMs(name: string): Promise<number> {
  const before = process.cpuUsage();
  await model.complete({ ...REQUEST, model: name }, OPTIONS, plainEffects());
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

console.log(`first call: ${Math.round(await processorMs("first"))} ms of processor`);
for (const name of ["text", "pieces"]) {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) times.push(await processorMs(name));
  console.log(`${name} of ${PIECES}: median ${Math.round(times.toSorted((a, b) => a - b)[2] ?? 0)} ms of processor, server included`);
}
await way.close();
server.close();

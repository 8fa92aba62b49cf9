import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import type { ChatRequest } from "../../src/domain/chat.ts";
import { HttpExchange, streamChunks } from "../../src/models/completions-client.ts";
import { KnownCapabilities } from "../../src/models/server-capabilities.ts";

const REQUEST: ChatRequest & { model: string } = {
  model: "qwen3:8b",
  messages: [{ role: "user", content: "灯塔？" }],
  tools: [],
  toolChoice: "auto",
  stopTools: [],
  schema: null,
  maxOutputTokens: 100,
};

/** Returns what a call yields if the server answers with these pieces, and what it was asked. */
async function stream(pieces: readonly Uint8Array[], request = REQUEST): Promise<{ chunks: unknown[]; asked: unknown }> {
  let asked: unknown;
  const fetch = async (_: string, { body = "" }: { body?: string | Readable }): Promise<Response> => {
    asked = JSON.parse(typeof body === "string" ? body : await text(body));
    return new Response(new Blob(pieces.map((piece) => piece.slice())).stream(), { headers: { "content-type": "text/event-stream" } });
  };
  const exchange = new HttpExchange({ baseUrl: "http://127.0.0.1/v1", fetch }, new AbortController().signal, {
    kept: null,
    keep: () => undefined,
    whileWaiting: (wait) => wait(),
  });
  const chunks = await Array.fromAsync(streamChunks(request, exchange, new KnownCapabilities().of(request.model)));
  return { chunks, asked };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each([
  ["line feeds", 'data: {"text":"灯"}\n\ndata: {"text":"塔"}\n\ndata: [DONE]\n\n'],
  ["carriage returns", 'data: {"text":"灯"}\r\n\r\ndata:{"text":"塔"}\r\n\r\n'],
  ["comments and names", ': waiting\n\nevent: chunk\nid: 7\ndata: {"text":"灯"}\n\n: waiting\n\ndata: {"text":\ndata: "塔"}\n\n'],
  ["no empty line at the end", 'data: {"text":"灯"}\n\ndata: {"text":"塔"}'],
  ["more after the end", 'data: {"text":"灯"}\n\ndata: {"text":"塔"}\n\ndata: [DONE]\n\ndata: {"text":"!"}\n\n'],
])("reads the chunks of an event stream with %s, wherever it is cut", async (_, text) => {
  const all = bytes(text);
  const single = Array.from(all, (byte) => Uint8Array.of(byte));
  for (const pieces of [[all], single]) expect((await stream(pieces)).chunks).toEqual([{ text: "灯" }, { text: "塔" }]);
});

it("sends only what the request needs, and the limit in the field that the model knows", async () => {
  const { asked } = await stream([]);
  expect(asked).toEqual({
    model: "qwen3:8b",
    max_tokens: 100,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: "灯塔？" }],
    stream: true,
  });
  for (const model of ["o3-mini", "gpt-5-nano"])
    expect((await stream([], { ...REQUEST, model })).asked).toMatchObject({ max_completion_tokens: 100 });
  expect((await stream([], { ...REQUEST, model: "gpt-5-chat-latest" })).asked).toMatchObject({ max_tokens: 100 });
});

it.each([":\n", "a\n"])("reads a million lines of %j, which are no events", async (line) => {
  expect((await stream([bytes(line.repeat(1_000_000))])).chunks).toEqual([]);
});

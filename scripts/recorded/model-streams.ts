import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { ChatReply, ChatRequest } from "../../src/domain/chat.ts";
import type { CallOptions } from "../../src/domain/ports/models.ts";
import { toDossierError } from "../../src/errors.ts";
import { createChatModel } from "../../src/models/chat-model.ts";
import { createModelFetch } from "../../src/network/configured-server.ts";
import { startLoopback } from "../../test/fakes/loopback-server.ts";
import { plainEffects } from "../../test/helpers/plain-effects.ts";
import type { Outcome } from "./read-recorded.ts";

/** Longer texts are compared by length, beginning, end and SHA-256. In characters. */
const MAX_FULL_LENGTH = 120;
const EDGE_LENGTH = 40;
const LIMIT_MS = 30_000;

const REQUEST: ChatRequest = {
  model: "recorded",
  messages: [{ role: "user", content: "recorded" }],
  tools: [],
  toolChoice: "auto",
  schema: null,
  maxOutputTokens: 4_000,
  stopTools: [],
};
const OPTIONS: CallOptions = {
  node: "recorded",
  limits: { optionalToolLoops: 0, steps: 1, modelCalls: 10, tokens: 1_000_000, costUsd: null, seconds: 60, downloads: 0 },
  models: { default: "recorded", roles: {}, contextTokens: 100_000, maxOutputTokens: 4_000, prices: {} },
  purpose: "write",
};

/** Serves one recorded model response on loopback and reads it through the model adapter. */
export async function readModelStream(folder: string, file: string): Promise<Outcome> {
  const { status, type, body } = await readBody(join(folder, file));
  const server = await startLoopback((_, response) => void response.writeHead(status, { "content-type": type }).end(body));
  const connection = createModelFetch(server.url);
  const limits = { firstTokenMs: LIMIT_MS, betweenTokensMs: LIMIT_MS, callMs: LIMIT_MS };
  try {
    const model = createChatModel({ endpoint: { baseUrl: server.url, fetch: connection.fetch }, limits });
    return { found: [summarizeReply(await model.complete(REQUEST, OPTIONS, plainEffects()))] };
  } catch (error) {
    const { code, message } = toDossierError(error);
    return { failure: code, message };
  } finally {
    await connection.close();
    await server.close();
  }
}

/** A `.sse` file is the body. A `.chunks.txt` file has the data of one SSE frame per line. A `.json` file's name may end with its status, as in `-429.json`. */
async function readBody(path: string): Promise<{ status: number; type: string; body: string | Uint8Array }> {
  const bytes = await readFile(path);
  if (extname(path) === ".json")
    return { status: Number(/-(\d{3})\.json$/.exec(basename(path))?.[1] ?? 200), type: "application/json", body: bytes };
  if (extname(path) === ".sse") return { status: 200, type: "text/event-stream", body: bytes };
  const frames = bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return { status: 200, type: "text/event-stream", body: `${frames.map((line) => `data: ${line}\n\n`).join("")}data: [DONE]\n\n` };
}

function summarizeReply({ content, reasoning, toolCalls, finishReason, model, usage }: ChatReply): Record<string, unknown> {
  return { content: shorten(content), reasoning: shorten(reasoning), toolCalls, finishReason, model, usage };
}

function shorten(text: string): unknown {
  if (text.length <= MAX_FULL_LENGTH) return text;
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { length: text.length, begins: text.slice(0, EDGE_LENGTH), ends: text.slice(-EDGE_LENGTH), sha256 };
}

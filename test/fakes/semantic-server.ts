import type { IncomingMessage, ServerResponse } from "node:http";
import { type LoopbackServer, startLoopback } from "./loopback-server.ts";

/** The answer to a request: a status with a body, or silence. */
export type SemanticReply = { readonly status?: number; readonly type?: string; readonly body: unknown } | "hang";
export type Speak = (body: Record<string, unknown>, path: string) => SemanticReply;

export interface SemanticServer extends LoopbackServer {
  /** The bodies of all requests, with their path and key, in order. */
  readonly asked: { readonly path: string; readonly key: string | undefined; readonly body: Record<string, unknown> }[];
  /** How many requests the client aborted before they were answered. */
  readonly aborted: () => number;
}

/** A server that answers POST requests with the JSON that `speak` returns; a string is sent unchanged. */
export async function startSemanticServer(speak: Speak): Promise<SemanticServer> {
  const asked: SemanticServer["asked"] = [];
  let aborted = 0;
  const server = await startLoopback(async (request, response) => {
    response.on("close", () => {
      if (!response.writableEnded) aborted += 1;
    });
    const path = request.url ?? "";
    const body = JSON.parse(await textOf(request));
    asked.push({ path, key: request.headers.authorization, body });
    send(speak(body, path), response);
  });
  return { ...server, asked, aborted: () => aborted };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function send(reply: SemanticReply, response: ServerResponse): void {
  if (reply === "hang") return;
  const { status = 200, type = "application/json", body } = reply;
  response.writeHead(status, { "content-type": type }).end(typeof body === "string" ? body : JSON.stringify(body));
}

type Score = (text: string, query: string) => number;

/** Imitates Cohere, API version 2: requires a model, accepts only its own fields, answers best first. */
export function cohere(score: Score): Speak {
  return ({ model, query, documents, top_n, ...others }, path) => {
    const [unknown] = Object.keys(others);
    if (path !== "/v2/rerank") return { status: 404, body: { message: `unknown path ${path}` } };
    if (unknown !== undefined)
      return { status: 422, body: { id: "a1", message: `unknown field: parameter '${unknown}' is not a valid field.` } };
    if (typeof model !== "string") return { status: 400, body: { id: "a2", message: "invalid request: model is required" } };
    const results = ranked(documents as string[], (text) => score(text, String(query)));
    return { body: { id: "a3", results: results.slice(0, Number(top_n)), meta: { billed_units: { search_units: 1 } } } };
  };
}

/** Imitates vLLM and Jina: any of the paths, results with their documents. */
export function vllm(score: Score): Speak {
  return ({ query, documents }) => {
    const texts = documents as string[];
    const results = ranked(texts, (text) => score(text, String(query))).map((one) => ({ ...one, document: { text: texts[one.index] } }));
    return { body: { id: "rerank-1", model: "m", usage: { total_tokens: 9 }, results } };
  };
}

/** Imitates Text Embeddings Inference: `texts`, at most 32 of them, and a bare list as the answer. */
export function tei(score: Score): Speak {
  return ({ query, texts }) => {
    const where = "at line 1 column 60";
    if (!Array.isArray(texts))
      return {
        status: 422,
        type: "text/plain",
        body: `Failed to deserialize the JSON body into the target type: missing field \`texts\` ${where}`,
      };
    if (texts.length > 32)
      return { status: 422, body: { error: `batch size ${texts.length} > maximum allowed batch size 32`, error_type: "Validation" } };
    return {
      body: ranked(texts, (text) => score(text, String(query))).map(({ index, relevance_score }) => ({ index, score: relevance_score })),
    };
  };
}

/** Imitates OpenAI's embeddings: `vectorOf` each input. */
export function embeddings(vectorOf: (text: string) => number[]): Speak {
  return ({ input }) => {
    const data = (input as string[]).map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
    return { body: { object: "list", model: "m", data: data.reverse(), usage: { prompt_tokens: 9, total_tokens: 9 } } };
  };
}

function ranked(texts: readonly string[], score: (text: string) => number) {
  return texts.map((text, index) => ({ index, relevance_score: score(text) })).sort((a, b) => b.relevance_score - a.relevance_score);
}

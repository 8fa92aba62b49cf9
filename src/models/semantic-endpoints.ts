import { z } from "zod";
import { codeOfStatus } from "../domain/failures.ts";
import type { SemanticRanker } from "../domain/ports/models.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { type Fields, fieldsOf, listOf, parseJson } from "../util/json-fields.ts";
import { addressOf, headersFor, type ModelEndpoint } from "./exchange.ts";
import { excerpt } from "./read-failure.ts";

const MAX_BYTES = 8_000_000;

/** `baseUrl` is the address without `/rerank` or `/embeddings`, such as `http://127.0.0.1:8080/v1`. */
export interface SemanticEndpoint extends ModelEndpoint {
  readonly model?: string | undefined;
  readonly setting: string;
}

interface SemanticAnswer {
  readonly status: number;
  readonly text: string;
}

async function post(endpoint: SemanticEndpoint, path: string, body: object, signal: AbortSignal): Promise<SemanticAnswer> {
  const headers = { ...headersFor(endpoint), accept: "application/json" };
  const sent = { ...(endpoint.model !== undefined && { model: endpoint.model }), ...body };
  try {
    const response = await endpoint.fetch(addressOf(endpoint, path), { method: "POST", headers, body: JSON.stringify(sent), signal });
    return { status: response.status, text: await readText(response, hostOf(endpoint)) };
  } catch (error) {
    signal.throwIfAborted();
    const cause = toDossierError(error);
    // A connection that breaks during the answer gives a system error, which `toDossierError` maps to `internal`.
    if (cause.code !== "internal") throw cause;
    throw new DossierError("unreachable", `The connection to ${hostOf(endpoint)} broke: ${cause.message}`, { cause });
  }
}

async function readText(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES)
      throw new DossierError("document_too_large", `${host} sent more than ${MAX_BYTES} bytes; the answer was not read to its end.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function jsonOf(answer: SemanticAnswer, endpoint: SemanticEndpoint): unknown {
  const { status, text } = answer;
  if (status < 200 || status >= 300) throw refusalOf(answer, endpoint);
  const json = parseJson(text);
  if (json === undefined) throw unreadable(endpoint, `is not JSON: ${excerptOf(text, endpoint)}`);
  return json;
}

function refusalOf({ status, text }: SemanticAnswer, endpoint: SemanticEndpoint): DossierError {
  const { setting } = endpoint;
  const advice: Readonly<Record<number, string>> = {
    401: ` Check ${setting}_API_KEY.`,
    403: ` Check ${setting}_API_KEY.`,
    404: ` ${setting}_BASE_URL must be the part of the URL before /${setting.toLowerCase()}; check ${setting}_MODEL too.`,
  };
  return new DossierError(
    codeOfStatus(status, "blocked"),
    `${hostOf(endpoint)} answered ${status}: ${excerptOf(text, endpoint)}${advice[status] ?? ""}`,
  );
}

function unreadable(endpoint: SemanticEndpoint, why: string): DossierError {
  return new DossierError("unreadable", `The answer of ${hostOf(endpoint)} ${why}`);
}

function excerptOf(text: string, { apiKey }: SemanticEndpoint): string {
  if (/<html|<!doctype/i.test(text.slice(0, 2_000))) return "a web page.";
  return text.trim() === "" ? "nothing." : excerpt(text, apiKey);
}

function hostOf({ baseUrl }: SemanticEndpoint): string {
  return new URL(baseUrl).host;
}

/** Servers answer in any order. Returns null unless each index occurs exactly once. */
function valuesByIndex<T>(count: number, answered: readonly { readonly index: number; readonly value: T }[]): T[] | null {
  const byIndex = new Map(answered.map(({ index, value }) => [index, value]));
  if (answered.length !== count || byIndex.size !== count) return null;
  const values = Array.from({ length: count }, (_, index) => byIndex.get(index));
  return values.every((value) => value !== undefined) ? values : null;
}

const BATCH = 32;

const MAX_DIMENSIONS = 32_768;

const EmbeddingsAnswerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) })),
});

/** Scores each text by the cosine between its vector and the vector of the query. Uses OpenAI's `POST /embeddings`. */
export function createEmbeddingsEndpoint(endpoint: SemanticEndpoint): SemanticRanker {
  return {
    name: endpoint.model === undefined ? "embeddings" : `embeddings ${endpoint.model}`,
    async score(query, texts, signal) {
      if (texts.length === 0) return [];
      const vectors = (await embed(endpoint, [query, ...texts], signal)).map((vector) => normalize(vector, endpoint));
      const [asked = new Float64Array(), ...others] = vectors;
      if (others.some(({ length }) => length !== asked.length)) throw unreadable(endpoint, "has vectors of different lengths.");
      return others.map((vector) => asked.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0));
    },
  };
}

async function embed(endpoint: SemanticEndpoint, texts: string[], signal: AbortSignal): Promise<number[][]> {
  let failure: unknown = null;
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    try {
      return Response.json({ data: await askForVectors(endpoint, fieldsOf(parseJson(String(init?.body))), signal) });
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const { OpenAIEmbeddings } = await import("@langchain/openai");
  const configuration = { baseURL: endpoint.baseUrl, organization: null, project: null, fetch };
  const options = { apiKey: "none", batchSize: BATCH, maxRetries: 0, maxConcurrency: 1, stripNewLines: false } as const;
  try {
    return await new OpenAIEmbeddings({ ...options, encodingFormat: "float", configuration }).embedDocuments(texts);
  } catch (error) {
    // The library hides the server's own words.
    throw failure ?? error;
  }
}

/** Returns one vector for each text, in the order of the texts, which the library expects. */
async function askForVectors(endpoint: SemanticEndpoint, { input }: Fields, signal: AbortSignal): Promise<object[]> {
  const texts = listOf(input);
  const answer = await post(endpoint, "embeddings", { input }, signal);
  const parsed = EmbeddingsAnswerSchema.safeParse(jsonOf(answer, endpoint));
  if (!parsed.success) throw unreadable(endpoint, `is not a list of vectors: ${excerptOf(answer.text, endpoint)}`);
  const vectors = valuesByIndex(
    texts.length,
    parsed.data.data.map(({ index, embedding }) => ({ index, value: { index, embedding } })),
  );
  if (vectors === null) throw unreadable(endpoint, `does not have one vector for each of ${texts.length} texts.`);
  return vectors;
}

function normalize(vector: readonly number[], endpoint: SemanticEndpoint): Float64Array {
  const norm = Math.hypot(...vector);
  if (!Number.isFinite(norm) || norm === 0) throw unreadable(endpoint, "has a vector without a direction.");
  return Float64Array.from(vector, (value) => value / norm);
}

const WRONG_FORM = new Set([400, 422]);
const ASKS_FOR_TEXTS = /missing.{0,40}\btexts\b|\btexts\b.{0,60}(?:missing|required)/is;

/** Servers differ in the format of `POST /rerank`. After a 400 or 422, the other format is tried and remembered. */
export function createRerankEndpoint(endpoint: SemanticEndpoint): SemanticRanker {
  let known: RerankForm | null = null;
  const scoreBatches = async (form: RerankForm, query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> => {
    const scores: number[] = [];
    for (let from = 0; from < texts.length; from += form.batch) {
      const batch = texts.slice(from, from + form.batch);
      scores.push(...scoresOf(await post(endpoint, "rerank", form.request(query, batch), signal), form, batch.length, endpoint));
    }
    return scores;
  };

  const tryForms = async (query: string, texts: readonly string[], signal: AbortSignal): Promise<[RerankForm, number[]]> => {
    const first = await post(endpoint, "rerank", DOCUMENTS_FORM.request(query, texts), signal);
    if (!WRONG_FORM.has(first.status)) return [DOCUMENTS_FORM, scoresOf(first, DOCUMENTS_FORM, texts.length, endpoint)];
    try {
      return [TEXTS_FORM, await scoreBatches(TEXTS_FORM, query, texts, signal)];
    } catch (error) {
      signal.throwIfAborted();
      // Throws the refusal of the first format, unless it asked for `texts`.
      if (!ASKS_FOR_TEXTS.test(first.text)) jsonOf(first, endpoint);
      throw error;
    }
  };

  return {
    name: endpoint.model === undefined ? "rerank" : `rerank ${endpoint.model}`,
    async score(query, texts, signal) {
      if (texts.length === 0) return [];
      if (known !== null) return scoreBatches(known, query, texts, signal);
      const [form, scores] = await tryForms(query, texts, signal);
      known = form;
      return scores;
    },
  };
}

function scoresOf(answer: SemanticAnswer, form: RerankForm, count: number, endpoint: SemanticEndpoint): number[] {
  const read = form.answer.safeParse(jsonOf(answer, endpoint));
  if (!read.success) throw unreadable(endpoint, `is not a list of scores: ${excerptOf(answer.text, endpoint)}`);
  const scores = valuesByIndex(count, read.data);
  if (scores === null) throw unreadable(endpoint, `does not have one score for each of ${count} texts.`);
  return scores;
}

interface RerankForm {
  readonly batch: number;
  /** The scores in an answer. */
  readonly answer: z.ZodType<{ index: number; value: number }[]>;
  request(query: string, texts: readonly string[]): object;
}

const index = z.int().nonnegative();

/** The format of Jina, Cohere and vLLM. All texts are in one request, because some models compare the texts with each other. */
const DOCUMENTS_FORM: RerankForm = {
  batch: Number.POSITIVE_INFINITY,
  answer: z
    .object({ results: z.array(z.object({ index, relevance_score: z.number() })) })
    .transform(({ results }) => results.map((result) => ({ index: result.index, value: result.relevance_score }))),
  request: (query, texts) => ({ query, documents: texts, top_n: texts.length }),
};

/** The format of Text Embeddings Inference, which accepts 32 texts by default and answers 422 without `texts`. */
const TEXTS_FORM: RerankForm = {
  batch: 32,
  answer: z
    .array(z.object({ index, score: z.number() }))
    .transform((results) => results.map((result) => ({ index: result.index, value: result.score }))),
  request: (query, texts) => ({ query, texts, truncate: true }),
};

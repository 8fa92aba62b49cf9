import { z } from "zod";
import { codeOfStatus } from "../domain/failures.ts";
import type { SemanticRanker } from "../domain/ports/models.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { fieldsOf, listOf, parseJson } from "../util/json-fields.ts";
import { addressOf, beginningOf, headersFor, type ModelEndpoint } from "./exchange.ts";
import { excerpt } from "./read-failure.ts";

/** In UTF-16 code units. */
const MAX_LENGTH = 8_000_000;

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
    const text = await beginningOf(response, MAX_LENGTH);
    if (text.length <= MAX_LENGTH) return { status: response.status, text };
    throw new DossierError("document_too_large", `${hostOf(endpoint)} sent more than ${MAX_LENGTH} characters; the rest was not read.`);
  } catch (error) {
    signal.throwIfAborted();
    const cause = toDossierError(error);
    // A connection that breaks during the answer gives a system error, which `toDossierError` maps to `internal`.
    if (cause.code !== "internal") throw cause;
    throw new DossierError("unreachable", `The connection to ${hostOf(endpoint)} broke: ${cause.message}`, { cause });
  }
}

/** A kind of answer: a list with one value for each text. */
interface AnswerForm<T> {
  readonly value: "score" | "vector";
  readonly schema: z.ZodType<{ index: number; value: T }[]>;
}

/** Returns the values in the order of the texts. Servers answer in any order. @throws DossierError unless each text has one */
function valuesOf<T>({ status, text }: SemanticAnswer, { value, schema }: AnswerForm<T>, count: number, endpoint: SemanticEndpoint): T[] {
  if (status < 200 || status >= 300) throw refusalOf({ status, text }, endpoint);
  const { data } = schema.safeParse(parseJson(text));
  if (data === undefined) throw unreadable(endpoint, `is not a list of ${value}s: ${excerptOf(text, endpoint)}`);
  const byIndex = new Map(data.map((one) => [one.index, one.value]));
  const values = Array.from({ length: count }, (_, at) => byIndex.get(at)).filter((one) => one !== undefined);
  if (values.length === count && data.length === count) return values;
  throw unreadable(endpoint, `does not have one ${value} for each of ${count} texts.`);
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

const BATCH = 32;

const MAX_DIMENSIONS = 32_768;

const index = z.int().nonnegative();

const VECTORS: AnswerForm<number[]> = {
  value: "vector",
  schema: z
    .object({ data: z.array(z.object({ index, embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) })) })
    .transform(({ data }) => data.map((one) => ({ index: one.index, value: one.embedding }))),
};

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
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const input = listOf(fieldsOf(parseJson(String(init?.body)))["input"]);
    const vectors = valuesOf(await post(endpoint, "embeddings", { input }, signal), VECTORS, input.length, endpoint);
    return Response.json({ data: vectors.map((embedding) => ({ embedding })) });
  };
  const { OpenAIEmbeddings } = await import("@langchain/openai");
  const configuration = { baseURL: endpoint.baseUrl, organization: null, project: null, fetch };
  const options = { apiKey: "none", batchSize: BATCH, maxRetries: 0, maxConcurrency: 1, stripNewLines: false } as const;
  return new OpenAIEmbeddings({ ...options, encodingFormat: "float", configuration }).embedDocuments(texts).catch((error: Error) => {
    // The library hides the server's own words.
    throw error.cause ?? error;
  });
}

function normalize(vector: readonly number[], endpoint: SemanticEndpoint): Float64Array {
  const norm = Math.hypot(...vector);
  if (!Number.isFinite(norm) || norm === 0) throw unreadable(endpoint, "has a vector without a direction.");
  return Float64Array.from(vector, (value) => value / norm);
}

/** Servers differ in the format of `POST /rerank`. If one form cannot be read, the other is tried and remembered. */
export function createRerankEndpoint(endpoint: SemanticEndpoint): SemanticRanker {
  let known: RerankForm | null = null;
  return {
    name: endpoint.model === undefined ? "rerank" : `rerank ${endpoint.model}`,
    async score(query, texts, signal) {
      const scoreIn = async (form: RerankForm): Promise<number[]> => {
        const scores: number[] = [];
        for (let from = 0; from < texts.length; from += form.batch) {
          const batch = texts.slice(from, from + form.batch);
          scores.push(...valuesOf(await post(endpoint, "rerank", form.request(query, batch), signal), form, batch.length, endpoint));
        }
        known = form;
        return scores;
      };
      if (texts.length === 0) return [];
      if (known !== null) return scoreIn(known);
      return scoreIn(DOCUMENTS_FORM).catch((first: unknown) => {
        if (!isUnreadable(first)) throw first;
        return scoreIn(TEXTS_FORM).catch((second: unknown) => {
          throw isUnreadable(second) ? first : second;
        });
      });
    },
  };
}

function isUnreadable(error: unknown): boolean {
  return error instanceof DossierError && error.code === "unreadable";
}

interface RerankForm extends AnswerForm<number> {
  readonly batch: number;
  request(query: string, texts: readonly string[]): object;
}

/** The format of Jina, Cohere and vLLM. All texts are in one request, because some models compare the texts with each other. */
const DOCUMENTS_FORM: RerankForm = {
  value: "score",
  batch: Number.POSITIVE_INFINITY,
  schema: z
    .object({ results: z.array(z.object({ index, relevance_score: z.number() })) })
    .transform(({ results }) => results.map((one) => ({ index: one.index, value: one.relevance_score }))),
  request: (query, texts) => ({ query, documents: texts, top_n: texts.length }),
};

/** The format of Text Embeddings Inference, which accepts 32 texts by default and answers 422 without `texts`. */
const TEXTS_FORM: RerankForm = {
  value: "score",
  batch: BATCH,
  schema: z
    .array(z.object({ index, score: z.number() }))
    .transform((results) => results.map((one) => ({ index: one.index, value: one.score }))),
  request: (query, texts) => ({ query, texts, truncate: true }),
};

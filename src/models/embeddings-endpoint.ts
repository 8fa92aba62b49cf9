import { z } from "zod";
import type { SemanticRanker } from "../domain/ports/models.ts";
import { jsonOf, post, type SemanticEndpoint, saidBy, unreadable } from "./ranking-endpoint.ts";
import { oneForEach } from "./scores-by-index.ts";

/** As many as Text Embeddings Inference takes by default; others take more. */
const BATCH = 32;

/** More numbers than vectors of models have. */
const MAX_DIMENSIONS = 32_768;

/** `CreateEmbeddingResponse` of OpenAI's API reference. Numbers are what servers answer unless they are asked for base64. */
const EmbeddingsAnswerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) })),
});

/** Scores by the cosine between the vectors of the query and of each text, of `POST /embeddings` in the form of OpenAI's API. */
export function createEmbeddingsEndpoint(endpoint: SemanticEndpoint): SemanticRanker {
  return {
    name: endpoint.model === undefined ? "embeddings" : `embeddings ${endpoint.model}`,
    async score(query, texts, signal) {
      if (texts.length === 0) return [];
      const all = [query, ...texts];
      const vectors: Float64Array[] = [];
      for (let from = 0; from < all.length; from += BATCH) {
        vectors.push(...(await embed(endpoint, all.slice(from, from + BATCH), signal)));
      }
      const [asked = new Float64Array(), ...others] = vectors;
      if (others.some(({ length }) => length !== asked.length)) throw unreadable(endpoint, "has vectors of different lengths.");
      return others.map((vector) => product(asked, vector));
    },
  };
}

/** The vectors of the texts, each of length 1. */
async function embed(endpoint: SemanticEndpoint, input: readonly string[], signal: AbortSignal): Promise<Float64Array[]> {
  const answer = await post(endpoint, "embeddings", { input }, signal);
  const parsed = EmbeddingsAnswerSchema.safeParse(jsonOf(answer, endpoint));
  if (!parsed.success) throw unreadable(endpoint, `is no list of vectors: ${saidBy(answer.text, endpoint)}`);
  const vectors = oneForEach(
    input.length,
    parsed.data.data.map(({ index, embedding }) => ({ index, value: embedding })),
  );
  if (vectors === null) throw unreadable(endpoint, `does not have one vector for each of ${input.length} texts.`);
  return vectors.map((vector) => normalise(vector, endpoint));
}

function normalise(vector: readonly number[], endpoint: SemanticEndpoint): Float64Array {
  const norm = Math.hypot(...vector);
  if (!Number.isFinite(norm) || norm === 0) throw unreadable(endpoint, "has a vector without a direction.");
  return Float64Array.from(vector, (value) => value / norm);
}

function product(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

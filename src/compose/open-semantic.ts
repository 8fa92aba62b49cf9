import type { Config } from "../config.ts";
import type { SemanticRanker } from "../domain/ports/semantic-ranker.ts";
import { createEmbeddingsEndpoint } from "../models/embeddings-endpoint.ts";
import { createRerankEndpoint } from "../models/rerank-endpoint.ts";
import { createModelFetch } from "../network/model-fetch.ts";

/** What ranks by meaning in this deployment; null where no server is named. */
export interface OpenSemantic {
  readonly ranker: SemanticRanker | null;
  close(): Promise<void>;
}

/** A server that ranks goes before one that embeds, where both are named. */
export function openSemantic(config: Config): OpenSemantic {
  if (config.RERANK_BASE_URL !== undefined) {
    const { fetch, close } = createModelFetch(config.RERANK_BASE_URL);
    const own = { baseUrl: config.RERANK_BASE_URL, apiKey: config.RERANK_API_KEY, model: config.RERANK_MODEL };
    return { ranker: createRerankEndpoint({ ...own, setting: "RERANK", fetch }), close };
  }
  if (config.EMBEDDINGS_BASE_URL !== undefined) {
    const { fetch, close } = createModelFetch(config.EMBEDDINGS_BASE_URL);
    const own = { baseUrl: config.EMBEDDINGS_BASE_URL, apiKey: config.EMBEDDINGS_API_KEY, model: config.EMBEDDINGS_MODEL };
    return { ranker: createEmbeddingsEndpoint({ ...own, setting: "EMBEDDINGS", fetch }), close };
  }
  return { ranker: null, close: async () => {} };
}

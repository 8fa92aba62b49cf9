import { z } from "zod";

/** One of the two forms of `POST /rerank`. */
export interface RerankForm {
  readonly name: "documents" | "texts";
  /** The most texts of one request. */
  readonly batch: number;
  request(query: string, texts: readonly string[]): object;
  /** The scores of an answer with the indices of their texts; null for what is no answer of this form. */
  read(answer: unknown): { index: number; value: number }[] | null;
}

const DocumentsAnswerSchema = z.object({
  results: z.array(z.object({ index: z.int().nonnegative(), relevance_score: z.number() })),
});

/**
 * The form of Jina (`/v1/rerank`), Cohere (`/v2/rerank`, API reference "Rerank") and vLLM (`/rerank`, `/v1/rerank`, `/v2/rerank`;
 * "Re-rank API" of its OpenAI-compatible server). Nothing is sent that one of them refuses: Cohere answers 422 to a field that it does not know.
 * All texts go in one request, as models that look at a list compare its members.
 */
export const DOCUMENTS_FORM: RerankForm = {
  name: "documents",
  batch: Number.POSITIVE_INFINITY,
  request: (query, texts) => ({ query, documents: texts, top_n: texts.length }),
  read(answer) {
    const parsed = DocumentsAnswerSchema.safeParse(answer);
    return parsed.success ? parsed.data.results.map(({ index, relevance_score }) => ({ index, value: relevance_score })) : null;
  },
};

const TextsAnswerSchema = z.array(z.object({ index: z.int().nonnegative(), score: z.number() }));

/**
 * The form of Text Embeddings Inference (`RerankRequest` and `Rank` of its router), which answers 422 to a request without `texts`.
 * By default it takes at most 32 texts in a request, and not every version cuts long ones unasked.
 */
export const TEXTS_FORM: RerankForm = {
  name: "texts",
  batch: 32,
  request: (query, texts) => ({ query, texts, truncate: true }),
  read(answer) {
    const parsed = TextsAnswerSchema.safeParse(answer);
    return parsed.success ? parsed.data.map(({ index, score }) => ({ index, value: score })) : null;
  },
};

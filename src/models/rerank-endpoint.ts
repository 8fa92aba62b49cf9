import { z } from "zod";
import type { SemanticRanker } from "../domain/ports/models.ts";
import { jsonOf, post, type SemanticAnswer, type SemanticEndpoint, saidBy, unreadable } from "./ranking-endpoint.ts";
import { oneForEach } from "./scores-by-index.ts";

/** What a server answers that cannot read the form of a request. */
const WRONG_FORM = new Set([400, 422]);
/** What Text Embeddings Inference says about the other form, in its own words and in those of servers like it. */
const ASKS_FOR_TEXTS = /missing.{0,40}\btexts\b|\btexts\b.{0,60}(?:missing|required)/is;

/**
 * Scores by `POST /rerank`. Which of the two forms the server takes shows in its first answer and is remembered: the common one is
 * tried first, and the other one where that is refused with 400 or 422. Texts are then sent a second time, to the same server.
 */
export function createRerankEndpoint(endpoint: SemanticEndpoint): SemanticRanker {
  let known: RerankForm | null = null;
  const ask = async (form: RerankForm, query: string, texts: readonly string[], signal: AbortSignal): Promise<SemanticAnswer> =>
    post(endpoint, "rerank", form.request(query, texts), signal);

  const scoreBatches = async (form: RerankForm, query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> => {
    const scores: number[] = [];
    for (let from = 0; from < texts.length; from += form.batch) {
      const batch = texts.slice(from, from + form.batch);
      scores.push(...scoresOf(await ask(form, query, batch, signal), form, batch.length, endpoint));
    }
    return scores;
  };

  const tryForms = async (query: string, texts: readonly string[], signal: AbortSignal): Promise<[RerankForm, number[]]> => {
    const first = await ask(DOCUMENTS_FORM, query, texts, signal);
    if (!WRONG_FORM.has(first.status)) return [DOCUMENTS_FORM, scoresOf(first, DOCUMENTS_FORM, texts.length, endpoint)];
    try {
      return [TEXTS_FORM, await scoreBatches(TEXTS_FORM, query, texts, signal)];
    } catch (error) {
      signal.throwIfAborted();
      // A server of the common form that had another reason: the first refusal names it, the second one only what it does not know.
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
  const read = form.read(jsonOf(answer, endpoint));
  if (read === null) throw unreadable(endpoint, `is no list of scores: ${saidBy(answer.text, endpoint)}`);
  const scores = oneForEach(count, read);
  if (scores === null) throw unreadable(endpoint, `does not have one score for each of ${count} texts.`);
  return scores;
}

/** One of the two forms of `POST /rerank`. */
interface RerankForm {
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
const DOCUMENTS_FORM: RerankForm = {
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
const TEXTS_FORM: RerankForm = {
  name: "texts",
  batch: 32,
  request: (query, texts) => ({ query, texts, truncate: true }),
  read(answer) {
    const parsed = TextsAnswerSchema.safeParse(answer);
    return parsed.success ? parsed.data.map(({ index, score }) => ({ index, value: score })) : null;
  },
};

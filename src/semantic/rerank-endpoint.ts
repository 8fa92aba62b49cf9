import type { SemanticRanker } from "../domain/ports/semantic-ranker.ts";
import { jsonOf, post, type SemanticAnswer, type SemanticEndpoint, saidBy, unreadable } from "./endpoint.ts";
import { oneForEach } from "./one-for-each.ts";
import { DOCUMENTS_FORM, type RerankForm, TEXTS_FORM } from "./rerank-forms.ts";

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

// Measures retrieval on a collection in the BEIR format: npm run -s eval:retrieval -- --corpus FILE --queries FILE --qrels FILE [--without STAGE,...] [--half even|odd] [--semantic].
import { parseArgs } from "node:util";
import { openSemantic } from "../src/compose/models.ts";
import { readConfig } from "../src/config.ts";
import type { RankedHit } from "../src/domain/hit.ts";
import type { SemanticRanker } from "../src/domain/ports/models.ts";
import { cutForMeaning, fuseSemantic, rankHits, SEMANTIC_DEPTH, semanticText } from "../src/ranking/rank-hits.ts";
import { ALL_STAGES, type RankingStages } from "../src/ranking/rank-texts.ts";
import { type BeirQuery, type Judgments, readDocuments, readJudgments, readQueries } from "./retrieval/beir-files.ts";
import { type CollectionCorpus, openCollection } from "./retrieval/collection-corpus.ts";
import { mean, ndcg, recall } from "./retrieval/measures.ts";
import { createPlainBm25 } from "./retrieval/plain-bm25.ts";

const USAGE =
  "usage: npm run -s eval:retrieval -- --corpus corpus.jsonl[.gz] --queries queries.jsonl --qrels qrels.tsv [--without STAGE,...] [--half even|odd] [--semantic]";
/** Number of hits to rank, for recall@100. A run asks for 20 and keeps 12. */
const DEPTH = 100;
const QUERY_MS = 60_000;
const STAGES = [...Object.keys(ALL_STAGES), "rerank"];

interface Options {
  readonly corpus: string;
  readonly queries: string;
  readonly qrels: string;
  readonly without: readonly string[];
  /** Selects the judged queries at even positions (from 0) or at odd ones. All are measured if empty. */
  readonly half: "" | "even" | "odd";
  /** Also ranks with the server of RERANK_BASE_URL or EMBEDDINGS_BASE_URL. */
  readonly semantic: boolean;
}

/** Searches and ranks as a run does. Returns document ids, best first. */
type Search = (query: BeirQuery) => Promise<string[]> | string[];

function searchIn({ corpus, idOf }: CollectionCorpus, without: readonly string[], semantic: SemanticRanker | null): Search {
  return async ({ text }) => {
    const context = { signal: AbortSignal.timeout(QUERY_MS), scope: ["corpus"] };
    const { hits } = await corpus.search({ text, language: "auto", limit: DEPTH }, context);
    if (without.includes("rerank")) return hits.map(({ url }) => idOf(url));
    const ranked = rankHits({ question: text, keep: DEPTH }, hits);
    const fused = semantic === null ? ranked : await rankByMeaning(text, ranked, semantic);
    return fused.map(({ url }) => idOf(url));
  };
}

/** Reranks by meaning as a run does, but throws if the server fails, and keeps all hits. */
async function rankByMeaning(question: string, ranked: readonly RankedHit[], semantic: SemanticRanker): Promise<RankedHit[]> {
  const best = ranked.slice(0, SEMANTIC_DEPTH);
  const scores = await semantic.score(cutForMeaning(question), best.map(semanticText), AbortSignal.timeout(QUERY_MS));
  return [...fuseSemantic(best, scores, best.length), ...ranked.slice(SEMANTIC_DEPTH)];
}

function openServer(): { readonly ranker: SemanticRanker; close(): Promise<void> } {
  const { ranker, close } = openSemantic(readConfig());
  if (ranker === null) throw new Error("--semantic needs a server: set RERANK_BASE_URL or EMBEDDINGS_BASE_URL.");
  return { ranker, close };
}

async function evaluate(options: Options): Promise<void> {
  const judgments = await readJudgments(options.qrels);
  const judged = (await readQueries(options.queries)).filter(({ _id }) => isJudged(judgments, _id));
  const queries = judged.filter((_, i) => options.half === "" || options.half === (i % 2 === 0 ? "even" : "odd"));
  if (queries.length === 0) throw new Error(`${options.qrels} has no relevant document for any query in ${options.queries}.`);
  const documents = (await readDocuments(options.corpus)).map(({ _id, title, text }) => ({ id: _id, title, text }));
  const server = options.semantic ? openServer() : null;
  const collection = await openCollection(documents, stagesWithout(options.without));
  try {
    const search = searchIn(collection, options.without, server?.ranker ?? null);
    const { msPerQuery, ...measured } = await measure(queries, judgments, search);
    const plainBm25 = createPlainBm25(documents);
    const { msPerQuery: _, ...plain } = await measure(queries, judgments, ({ text }) => plainBm25(text, DEPTH));
    console.log(JSON.stringify({ queries: queries.length, ...measured, plain, msPerQuery }));
  } finally {
    await server?.close();
    await collection.close();
  }
}

function isJudged(judgments: Judgments, query: string): boolean {
  return [...(judgments.get(query)?.values() ?? [])].some((grade) => grade > 0);
}

interface Measured {
  readonly "ndcg@10": number;
  readonly "recall@100": number;
  readonly msPerQuery: number;
}

async function measure(queries: readonly BeirQuery[], judgments: Judgments, search: Search): Promise<Measured> {
  const gains: number[] = [];
  const recalls: number[] = [];
  let ms = 0;
  for (const query of queries) {
    const start = performance.now();
    const ranking = await search(query);
    ms += performance.now() - start;
    const grades = judgments.get(query._id) ?? new Map<string, number>();
    gains.push(ndcg(ranking, grades, 10));
    recalls.push(recall(ranking, grades, 100));
  }
  return { "ndcg@10": short(mean(gains)), "recall@100": short(mean(recalls)), msPerQuery: short(ms / queries.length) };
}

function short(value: number): number {
  return Number(value.toFixed(4));
}

function stagesWithout(without: readonly string[]): RankingStages {
  return {
    titles: !without.includes("titles"),
    compounds: !without.includes("compounds"),
    neighbors: !without.includes("neighbors"),
  };
}

function readOptions(): Options {
  const name = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      ...{ corpus: name, queries: name, qrels: name, without: { ...name, default: "" }, half: { ...name, default: "" } },
      semantic: { type: "boolean", default: false },
    },
  });
  const { corpus, queries, qrels, half } = values;
  if (corpus === undefined || queries === undefined || qrels === undefined) throw new Error(USAGE);
  const without = values.without.split(",").filter((stage) => stage !== "");
  const unknown = without.find((stage) => !STAGES.includes(stage));
  if (unknown !== undefined) throw new Error(`There is no stage ${unknown}. Use one of: ${STAGES.join(", ")}.`);
  if (half !== "" && half !== "even" && half !== "odd") throw new Error(USAGE);
  if (values.semantic && without.includes("rerank")) throw new Error("--semantic cannot be used with --without rerank.");
  return { corpus, queries, qrels, without, half, semantic: values.semantic };
}

try {
  await evaluate(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

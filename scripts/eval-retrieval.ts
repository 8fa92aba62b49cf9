// Measures retrieval on a collection in BEIR form: npm run -s eval:retrieval -- --corpus FILE --queries FILE --qrels FILE [--without STAGE,...].
import { parseArgs } from "node:util";
import { rankHits } from "../src/ranking/rank.ts";
import { ALL_STAGES, type RankingStages } from "../src/ranking/rank-texts.ts";
import { type BeirQuery, type Judgements, readDocuments, readJudgements, readQueries } from "./retrieval/beir-files.ts";
import { type CollectionCorpus, openCollection } from "./retrieval/collection-corpus.ts";
import { mean, ndcg, recall } from "./retrieval/measures.ts";

const USAGE =
  "usage: npm run -s eval:retrieval -- --corpus corpus.jsonl[.gz] --queries queries.jsonl --qrels qrels.tsv [--without STAGE,...]";
/** As many as recall@100 looks at; a run asks for 20 and keeps 12. */
const DEPTH = 100;
const QUERY_MS = 60_000;
const STAGES = [...Object.keys(ALL_STAGES), "rerank"];

interface Options {
  readonly corpus: string;
  readonly queries: string;
  readonly qrels: string;
  readonly without: readonly string[];
}

/** The ids of a collection's documents for a query, best first: searched and ranked as a run does. */
type Search = (query: BeirQuery) => Promise<string[]>;

function searchIn({ corpus, idOf }: CollectionCorpus, without: readonly string[]): Search {
  return async ({ text }) => {
    const context = { signal: AbortSignal.timeout(QUERY_MS), scope: ["corpus"] };
    const hits = await corpus.search({ text, language: "auto", limit: DEPTH }, context);
    const ranked = without.includes("rerank") ? hits : rankHits({ question: text, language: "auto", keep: DEPTH }, hits);
    return ranked.map(({ url }) => idOf(url));
  };
}

async function evaluate(options: Options): Promise<void> {
  const judgements = await readJudgements(options.qrels);
  const queries = (await readQueries(options.queries)).filter(({ _id }) => isJudged(judgements, _id));
  if (queries.length === 0) throw new Error(`${options.qrels} judges none of the queries in ${options.queries}.`);
  const documents = (await readDocuments(options.corpus)).map(({ _id, title, text }) => ({ id: _id, title, text }));
  const collection = await openCollection(documents, stagesWithout(options.without));
  try {
    console.log(JSON.stringify(await measure(queries, judgements, searchIn(collection, options.without))));
  } finally {
    await collection.close();
  }
}

function isJudged(judgements: Judgements, query: string): boolean {
  return [...(judgements.get(query)?.values() ?? [])].some((grade) => grade > 0);
}

async function measure(queries: readonly BeirQuery[], judgements: Judgements, search: Search): Promise<Record<string, number>> {
  const gains: number[] = [];
  const recalls: number[] = [];
  let ms = 0;
  for (const query of queries) {
    const start = performance.now();
    const ranking = await search(query);
    ms += performance.now() - start;
    const grades = judgements.get(query._id) ?? new Map<string, number>();
    gains.push(ndcg(ranking, grades, 10));
    recalls.push(recall(ranking, grades, 100));
  }
  return {
    queries: queries.length,
    "ndcg@10": short(mean(gains)),
    "recall@100": short(mean(recalls)),
    msPerQuery: short(ms / queries.length),
  };
}

function short(value: number): number {
  return Number(value.toFixed(4));
}

function stagesWithout(without: readonly string[]): RankingStages {
  return {
    fields: !without.includes("fields"),
    compounds: !without.includes("compounds"),
    neighbours: !without.includes("neighbours"),
  };
}

function readOptions(): Options {
  const name = { type: "string" } as const;
  const { values } = parseArgs({ options: { corpus: name, queries: name, qrels: name, without: { ...name, default: "" } } });
  const { corpus, queries, qrels } = values;
  if (corpus === undefined || queries === undefined || qrels === undefined) throw new Error(USAGE);
  const without = values.without.split(",").filter((stage) => stage !== "");
  const unknown = without.find((stage) => !STAGES.includes(stage));
  if (unknown !== undefined) throw new Error(`There is no stage ${unknown}; there are: ${STAGES.join(", ")}.`);
  return { corpus, queries, qrels, without };
}

try {
  await evaluate(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

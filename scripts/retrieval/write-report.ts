import { contentHashOf } from "../../src/domain/document.ts";
import type { Limits } from "../../src/domain/limits.ts";
import type { Reading, WritingView } from "../../src/domain/ports/analyst.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { DossierError } from "../../src/errors.ts";
import { createExtractiveAnalyst } from "../../src/quoting/analyst.ts";
import { analyzeText } from "../../src/ranking/analyze-text.ts";
import { rankHits } from "../../src/ranking/rank-hits.ts";
import type { CollectionCorpus } from "./collection-corpus.ts";

/** A quote with its document and offsets. */
export interface CitedSpan {
  readonly document: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** Hits that a run requests from a source, and hits that it reads. */
const HITS = 20;
const KEEP = 12;
const SEARCH_MS = 60_000;
const NO_LIMITS: Limits = { optionalToolLoops: 0, steps: 0, modelCalls: 0, tokens: 0, costUsd: null, seconds: 0, downloads: 0 };
const analyst = createExtractiveAnalyst();

/** Searches and ranks as a run without a model does, and returns the hits with their documents. */
export async function readTopHits(question: string, { corpus }: CollectionCorpus): Promise<Reading[]> {
  const context = { signal: AbortSignal.timeout(SEARCH_MS), scope: ["corpus"] };
  const { hits } = await corpus.search({ text: question, language: "auto", limit: HITS }, context).catch(noneOfEmpty);
  const readings: Reading[] = [];
  for (const hit of rankHits({ question, keep: KEEP }, hits)) {
    const document = await corpus.read(hit, context);
    readings.push({ hit, document: { ...document, contentHash: contentHashOf(document.text), analysis: analyzeText(document) } });
  }
  return readings;
}

/** Without its evidence, a question may have no documents left. */
function noneOfEmpty(error: unknown): { hits: [] } {
  if (error instanceof DossierError && error.code === "empty") return { hits: [] };
  throw error;
}

/** Writes a report as a run without a model does. Returns its citations in order, without duplicates; empty if it has no answer. */
export async function citePassages(question: string, collection: CollectionCorpus): Promise<CitedSpan[]> {
  const readings = await readTopHits(question, collection);
  const view: WritingView = {
    question,
    today: "2026-08-01",
    language: "auto",
    systemContext: "",
    history: [],
    models: null,
    limits: NO_LIMITS,
    readings,
  };
  // The extractive analyst uses only the signal of its effects.
  const { claims, citations } = await analyst.write(view, { compute: async ({ run }, ...input) => run(...input) } as Effects);
  const order = new Set(claims.flatMap((claim) => claim.citations));
  const urls = new Map(readings.map(({ hit, document }) => [document.contentHash, hit.url]));
  return [...order].flatMap((id) => {
    const citation = citations.find((one) => one.id === id);
    return citation ? [{ ...citation, document: collection.idOf(urls.get(citation.contentHash) ?? "") }] : [];
  });
}

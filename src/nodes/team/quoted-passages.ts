import type { AnalyzedDocument } from "../../domain/analysis.ts";
import { type Hit, mergeHits } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { Citation } from "../../domain/report.ts";
import { loadAnalyzed } from "../../gathering/documents.ts";
import type { AnalyzedEvidence } from "../agent/load-evidence.ts";
import type { ChildWork } from "./state.ts";

const MAX_TEXTS = 40;

/** Numbers the passages that the children quoted. The model sees the first passage as P1. */
export class QuotedPassages {
  readonly all: readonly Citation[];
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(work: readonly ChildWork[]) {
    const places = Map.groupBy(
      work.flatMap(({ citations }) => citations),
      keyOf,
    );
    this.all = [...places.values()].flatMap(([first]) => first ?? []);
    this.#numbers = new Map([...places.keys()].map((key, index) => [key, index + 1]));
  }

  numberOf(citation: Citation): number {
    return this.#numbers.get(keyOf(citation)) ?? 0;
  }

  overlaps({ contentHash, start, end }: Citation): boolean {
    return this.all.some((passage) => passage.contentHash === contentHash && passage.start < end && passage.end > start);
  }
}

/** Loads the texts of the passages, by their ids. */
export async function evidenceOf(passages: QuotedPassages, hits: readonly Hit[], documents: DocumentStore, effects: Effects) {
  const titles = new Map(mergeHits([], hits).map(({ id, title }) => [id, title]));
  const texts = new Map<string, AnalyzedDocument>();
  const evidence = new Map<string, AnalyzedEvidence>();
  for (const citation of passages.all) {
    const { contentHash, sourceId, start, end } = citation;
    const id = `P${passages.numberOf(citation)}`;
    if (!texts.has(contentHash) && texts.size >= MAX_TEXTS) continue;
    const document = texts.get(contentHash) ?? (await loadAnalyzed(contentHash, documents, effects));
    texts.set(contentHash, document);
    const title = `${document.title} ${titles.get(sourceId) ?? ""}`;
    evidence.set(id, {
      id,
      sourceId,
      title,
      contentHash,
      text: document.text,
      start,
      end,
      words: document.analysis.words,
      blocks: document.blocks,
    });
  }
  return evidence;
}

function keyOf({ contentHash, start, end }: Citation): string {
  return `${contentHash} ${start} ${end}`;
}

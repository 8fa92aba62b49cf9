import { type Hit, mergeHits, rankAlone } from "../../domain/hit.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { Citation } from "../../domain/report.ts";
import { type Evidence, evidenceAt } from "../../evidence/quote-location.ts";
import { loadAnalyzed } from "../../gathering/documents.ts";
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

/** Loads the documents of the passages, and gives each passage its id. */
export async function evidenceOf(passages: QuotedPassages, hits: readonly Hit[], documents: DocumentStore, effects: Effects) {
  const byId = new Map(mergeHits([], hits).map((hit) => [hit.id, hit]));
  const readings = new Map<string, Reading>();
  const evidence = new Map<string, Evidence>();
  for (const citation of passages.all) {
    const { contentHash, sourceId } = citation;
    const hit = byId.get(sourceId);
    const key = `${sourceId} ${contentHash}`;
    if (hit === undefined || (!readings.has(key) && readings.size >= MAX_TEXTS)) continue;
    const known = readings.get(key) ?? readings.values().find(({ document }) => document.contentHash === contentHash);
    const document = known?.document ?? (await loadAnalyzed(contentHash, documents, effects));
    const reading = { hit: rankAlone(hit, 0), document };
    readings.set(key, reading);
    const id = `P${passages.numberOf(citation)}`;
    evidence.set(id, evidenceAt(id, reading, citation));
  }
  return { evidence, readings: [...readings.values()] };
}

function keyOf({ contentHash, start, end }: Citation): string {
  return `${contentHash} ${start} ${end}`;
}

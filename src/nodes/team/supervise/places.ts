import type { StoredDocument } from "../../../domain/document.ts";
import { type Hit, mergeHits } from "../../../domain/hit.ts";
import type { DocumentStore } from "../../../domain/ports/document-store.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { Citation } from "../../../domain/report.ts";
import type { Evidence } from "../../../evidence/quote-location.ts";
import { loadDocument } from "../../load-document.ts";
import type { ChildWork } from "../state.ts";

/** The most texts of one report. */
const MAX_TEXTS = 40;

/** What children have quoted, each place once, under the ids that the supervisor knows: P1 and so on. */
export class Places {
  readonly #byPlace = new Map<string, { readonly id: string; readonly citation: Citation }>();

  constructor(work: readonly ChildWork[]) {
    for (const citation of work.flatMap(({ citations }) => citations)) {
      const key = keyOf(citation);
      if (!this.#byPlace.has(key)) this.#byPlace.set(key, { id: `P${this.#byPlace.size + 1}`, citation });
    }
  }

  get all(): { readonly id: string; readonly citation: Citation }[] {
    return [...this.#byPlace.values()];
  }

  idOf(citation: Citation): string | null {
    return this.#byPlace.get(keyOf(citation))?.id ?? null;
  }

  /** Whether a child has quoted there. */
  holds({ contentHash, start, end }: Citation): boolean {
    return this.all.some(({ citation }) => citation.contentHash === contentHash && citation.start < end && citation.end > start);
  }
}

/** What the ids of the places mean. */
export async function evidenceOf(
  places: Places,
  hits: readonly Hit[],
  documents: DocumentStore,
  effects: Effects,
): Promise<Map<string, Evidence>> {
  const titles = new Map(mergeHits([], hits).map(({ id, title }) => [id, title]));
  const texts = new Map<string, StoredDocument>();
  const evidence = new Map<string, Evidence>();
  for (const { id, citation } of places.all) {
    const { contentHash, sourceId, start, end } = citation;
    if (!texts.has(contentHash) && texts.size >= MAX_TEXTS) continue;
    const document = texts.get(contentHash) ?? (await loadDocument(contentHash, documents, effects));
    texts.set(contentHash, document);
    const title = `${document.title} ${titles.get(sourceId) ?? ""}`;
    evidence.set(id, { id, sourceId, title, contentHash, text: document.text, start, end });
  }
  return evidence;
}

function keyOf({ contentHash, start, end }: Citation): string {
  return `${contentHash} ${start} ${end}`;
}

import type { Reading } from "../domain/ports/analyst.ts";
import type { DocumentStore } from "../domain/ports/document-store.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { ReadHit } from "./executor/state.ts";
import { loadDocument } from "./load-document.ts";

/** The most text of one report, in UTF-16 code units: it is in memory, taken apart into sentences, while the report is written. */
const MAX_READ_CHARACTERS = 6_000_000;

/** The texts of what was read. The best come first, one after another, as long as there is room for them. */
export async function loadReadings(read: readonly ReadHit[], documents: DocumentStore, effects: Effects): Promise<Reading[]> {
  const stored = read.flatMap(({ hit, contentHash }) => (contentHash === null ? [] : [{ hit, contentHash }]));
  const readings: Reading[] = [];
  let room = MAX_READ_CHARACTERS;
  for (const { hit, contentHash } of stored) {
    const document = await loadDocument(contentHash, documents, effects);
    room -= document.text.length;
    if (room < 0 && readings.length > 0) break;
    readings.push({ hit, document });
  }
  return readings;
}

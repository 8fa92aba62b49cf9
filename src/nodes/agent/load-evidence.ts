import { type Hit, mergeHits, rankAlone } from "../../domain/hit.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import { type Evidence, evidenceAt } from "../../evidence/quote-location.ts";
import { isLeftOut } from "../../gathering/dates.ts";
import { loadAnalyzed, storeSnippet } from "../../gathering/documents.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import type { AgentStateValue } from "./state.ts";

const MAX_TEXTS = 40;
const MAX_READINGS = 12;

interface ShownSource {
  readonly id: string;
  readonly hit: Hit;
  readonly reading: KnownReading | null;
}

export async function citedEvidence(text: string, state: AgentStateValue, documents: DocumentStore, effects: Effects) {
  const named = new Set(Array.from(text.matchAll(/\bS(\d{1,4})\b/gi), ([, number]) => `S${Number(number)}`));
  const sources = shownSources(state).filter(({ id }) => named.has(id));
  const loaded = await loadAll(sources.slice(0, MAX_TEXTS), documents, effects);
  return { ...readingsOf(loaded), evidence: new Map(loaded.map((one) => [one.id, wholeEvidence(one.id, one)])) };
}

/** A document of which a model may quote anything. */
export function wholeEvidence(id: string, source: Pick<Loaded, "hit" | "document">): Evidence {
  return evidenceAt(id, source, { start: 0, end: source.document.text.length });
}

export async function allReadings(state: AgentStateValue, documents: DocumentStore, effects: Effects) {
  return readingsOf(await loadAll(sourcesWithText(state).slice(0, MAX_READINGS), documents, effects));
}

function readingsOf(loaded: readonly Loaded[]) {
  const readings = loaded.map(({ hit, document }, at): Reading => ({ hit: rankAlone(hit, 1 / (at + 1)), document }));
  return { readings, read: loaded.map(({ reading }) => reading) };
}

export function hasFindings(state: AgentStateValue): boolean {
  return sourcesWithText(state).length > 0;
}

function sourcesWithText(state: AgentStateValue): ShownSource[] {
  const shown = shownSources(state);
  const read = shown.filter(({ reading }) => reading !== null);
  const found = shown.filter(({ reading, hit }) => reading === null && hit.snippet.trim() !== "");
  return [...read, ...found];
}

/** What turned out to be older than the user's `since` cannot be cited, also if its first lines were shown before that was known. */
function shownSources({ shown, hits, readings, ledger }: AgentStateValue): ShownSource[] {
  const byId = new Map(mergeHits([], hits).map((hit) => [hit.id, hit]));
  return shown.flatMap((sourceId, index): ShownSource[] => {
    const hit = byId.get(sourceId);
    if (hit === undefined || isLeftOut(hit, ledger)) return [];
    const { contentHash } = hit;
    const delivered: KnownReading | null = contentHash === null ? null : { sourceId, contentHash, status: "read", failure: null };
    return [{ id: `S${index + 1}`, hit, reading: readings.findLast((one) => one.sourceId === sourceId) ?? delivered }];
  });
}

type Loaded = Omit<ShownSource, "reading"> & { readonly reading: KnownReading; readonly document: Reading["document"] };

async function loadAll(sources: readonly ShownSource[], documents: DocumentStore, effects: Effects): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for (const { id, hit, reading: known } of sources) {
    if (known === null && hit.snippet.trim() === "") continue;
    const contentHash = known?.contentHash ?? (await storeSnippet(hit, documents, effects));
    const reading = known ?? { sourceId: hit.id, contentHash, status: "snippet", failure: null };
    loaded.push({ id, hit, reading, document: await loadAnalyzed(contentHash, documents, effects) });
  }
  return loaded;
}

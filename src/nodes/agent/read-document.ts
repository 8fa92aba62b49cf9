import { z } from "zod";
import type { StoredDocument } from "../../domain/document.ts";
import { type Hit, mergeHits, type RankedHit } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentReader, DocumentStore } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { scopeOf } from "../../domain/request.ts";
import { DossierError } from "../../errors.ts";
import { type Fetched, placesOf, readHit } from "../executor/download.ts";
import type { CallResult } from "../shared/perform-call.ts";
import { loadDocument } from "../shared/sources.ts";
import type { AgentReading, AgentStateValue } from "./state.ts";

export type ActionResult = CallResult & {
  /** The sources the model is shown; by default the hits of the call. */
  readonly shown?: readonly Hit[];
  /** Ledger rows instead of the call's own. */
  readonly entries?: readonly LedgerEntry[];
  readonly readings?: readonly AgentReading[];
  readonly downloads?: number;
};

/** A tool that only the run itself can make: described and checked like any other. */
export function actionTool(tool: Pick<Tool, "name" | "description" | "schema" | "timeoutMs" | "answersInText">): Tool {
  return {
    ...tool,
    kind: "query",
    async call() {
      throw new DossierError("internal", `${tool.name} can be called by an agent alone.`);
    },
  };
}

const ArgumentsSchema = z.object({
  id: z.string().trim().max(40).describe("The id of a source that was found in this run, such as S1."),
  find: z.string().trim().max(200).optional().describe("Words to look for in it; shows the places where they stand."),
});

/** Made by the run itself, which knows the sources. */
export const READ_TOOL: Tool = actionTool({
  name: "read_document",
  description: "Reads a source that was found in this run, by its id: the beginning of its text, or the places where `find` stands.",
  schema: ArgumentsSchema,
  timeoutMs: 60_000,
  answersInText: true,
});

export interface ReadDeps {
  readonly reader: DocumentReader;
  readonly documents: DocumentStore;
}

/** The calls of one round share the downloads, and fetch a source once. */
interface ReadingRound {
  readonly state: AgentStateValue;
  readonly timeoutMs: number;
  readonly effects: Effects;
  readonly fetched: Map<string, Promise<Fetched>>;
}

/** Shows the text of a source, and fetches it first if needed. Takes ids only, no address. */
export async function readDocument(input: unknown, deps: ReadDeps, round: ReadingRound): Promise<ActionResult> {
  const { state, effects } = round;
  const startedAt = effects.now();
  const { id, find = "" } = ArgumentsSchema.parse(input);
  const hit = sourceOf(id, state);
  const failed = (error: DossierError, more = {}): ActionResult => ({ ok: false, error, ms: effects.elapsedMs(startedAt), ...more });
  if (hit === undefined) return failed(unknownSource(id, state));
  const known = hit.contentHash ?? state.readings.findLast(({ sourceId }) => sourceId === hit.id)?.contentHash ?? null;
  if (known !== null) return { ...shown(await loadDocument(known, deps.documents, effects)), ms: effects.elapsedMs(startedAt) };
  const first = !round.fetched.has(hit.id);
  const fetching = fetchOnce(hit, deps, round);
  if (fetching === null) return failed(new DossierError("tool_failed", "The run may read no further documents."));
  const { read, entries } = await fetching;
  const one = read.at(-1);
  const more = first ? { entries, downloads: 1 } : { entries: [] };
  if (one?.contentHash == null)
    return failed(new DossierError("unreadable", `${id} could not be read: ${one?.failure ?? "no text"}.`), more);
  const { contentHash, status, failure } = one;
  const result = shown(await loadDocument(contentHash, deps.documents, effects), status === "snippet");
  const readings = first ? [{ sourceId: hit.id, contentHash, status, failure }] : [];
  return { ...result, ...more, readings, ms: effects.elapsedMs(startedAt) };

  function shown({ text, incomplete }: StoredDocument, snippet = false): Omit<ActionResult & { ok: true }, "ms"> {
    const lacking = incomplete === undefined ? "" : `${incomplete}\n`;
    const note = snippet ? "The document could not be read; only this is known of it.\n" : lacking;
    return { ok: true, findings: { text: note + excerpt(text, find), hits: [] }, shown: hit === undefined ? [] : [hit], entries: [] };
  }
}

function sourceOf(id: string, { shown, hits }: AgentStateValue): Hit | undefined {
  const number = /^\[?S(\d{1,4})\]?$/i.exec(id)?.[1];
  const sourceId = number === undefined ? undefined : shown[Number(number) - 1];
  return mergeHits([], hits).find((hit) => hit.id === sourceId);
}

function unknownSource(id: string, { shown }: AgentStateValue): DossierError {
  const there = shown.length === 0 ? "Nothing has been found yet: search first." : `There are: S1 to S${shown.length}.`;
  return new DossierError("invalid_arguments", `There is no source ${id.slice(0, 40)}. ${there}`);
}

function fetchOnce(hit: Hit, deps: ReadDeps, { state, timeoutMs, effects, fetched }: ReadingRound): Promise<Fetched> | null {
  const known = fetched.get(hit.id);
  if (known !== undefined) return known;
  if (state.downloads + fetched.size >= state.task.limits.downloads) return null;
  const ranked: RankedHit = { ...hit, score: 0, origin: hit.id, alternatives: [] };
  const fetching = readHit(placesOf(ranked), { ...deps, timeoutMs: () => timeoutMs, scope: scopeOf(state.task), effects });
  fetched.set(hit.id, fetching);
  return fetching;
}

const MAX_LENGTH = 5_000;
const WINDOW = 1_200;

/** The start of a text, or the passages around `find`; at most 5,000 UTF-16 code units. */
function excerpt(text: string, find: string): string {
  const spans = find === "" ? [] : windowsAround(text, find);
  if (spans.length > 0) return spans.map(({ start, end }) => slice(text, start, end)).join("\n[…]\n");
  const missing = find === "" ? "" : `${JSON.stringify(find)} does not stand in it. It begins:\n`;
  return missing + slice(text, 0, MAX_LENGTH);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Windows around the occurrences, overlapping ones joined. */
function windowsAround(text: string, find: string): Span[] {
  const spans: { start: number; end: number }[] = [];
  for (const at of occurrences(text, find)) {
    const start = Math.max(0, at - WINDOW / 2);
    const end = Math.min(text.length, at + WINDOW / 2);
    const last = spans.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else spans.push({ start, end });
    const taken = spans.reduce((sum, span) => sum + span.end - span.start, 0);
    if (taken > MAX_LENGTH - WINDOW) break;
  }
  return spans;
}

function* occurrences(text: string, find: string): Generator<number> {
  const pattern = new RegExp(find.split(/\s+/).map(RegExp.escape).join("\\s+"), "giu");
  for (const match of text.matchAll(pattern)) yield match.index;
}

function slice(text: string, start: number, end: number): string {
  const part = text.slice(start, Math.min(end, start + MAX_LENGTH)).toWellFormed();
  return end < text.length ? `${part}\n(characters ${start} to ${Math.min(end, start + MAX_LENGTH)} of ${text.length})` : part;
}

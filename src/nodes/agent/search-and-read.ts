import { z } from "zod";
import { FAILURE_WORDS } from "../../domain/failures.ts";
import { earlierQuestions } from "../../domain/history.ts";
import { DOCUMENTS_SOURCE, type Hit, isUntitled, mergeHits, type RankedHit, rankAlone } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore, SearchSource } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import { readQueries, SearchCallSchema } from "../../domain/queries.ts";
import { FailureCodeSchema, type LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/task.ts";
import { DossierError } from "../../errors.ts";
import { isLeftOut, OLDER_CODE } from "../../gathering/dates.ts";
import { loadAnalyzed } from "../../gathering/documents.ts";
import { givenUrls, splitGiven } from "../../gathering/given-material.ts";
import { planSearches, queryNotes } from "../../gathering/plan.ts";
import type { CallResult, PlannedCall } from "../../gathering/plan-calls.ts";
import { type RankDeps, rankFound } from "../../gathering/rank.ts";
import type { Reader } from "../../gathering/reader.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import { searchSources } from "../../gathering/search.ts";
import { queriesOf } from "../../ranking/relevance.ts";
import { cutPassages, type Piece } from "../../writing/pieces.ts";
import { GAP, isTold, type ShownPlaces, showPiece, type Told } from "./places.ts";
import { SEARCH_NAME } from "./request.ts";
import type { AgentStateValue } from "./state.ts";

export type ActionResult = CallResult & {
  /** The sources to show to the model. Defaults to the hits of the call. */
  readonly shown?: readonly Hit[];
  readonly entries?: readonly LedgerEntry[];
  readonly readings?: readonly KnownReading[];
  readonly downloads?: number;
  /** What to show of sources that the call read, by their ids, in place of their first lines. */
  readonly places?: ReadonlyMap<string, ShownPlaces>;
  /** The parts of texts that the result shows. */
  readonly told?: readonly Told[];
  /** How many places of texts it shows that were not shown before. Left out if the call shows none. */
  readonly fresh?: number;
  /** What a failed search says of what it read. */
  readonly said?: string;
  /** The ledger entries of these sources. */
  readonly reads?: readonly LedgerEntry[];
};

/** A call of a round, and what came of it. */
export interface FinishedAction {
  readonly planned: PlannedCall;
  readonly result: ActionResult;
}

/** What the calls of a round use to read. */
export interface RoundContext {
  readonly state: AgentStateValue;
  readonly documents: DocumentStore;
  readonly effects: Effects;
  readonly reader: Reader;
}

function defineAgentTool(tool: Pick<Tool, "name" | "description" | "schema" | "timeoutMs" | "answersInText">): Tool {
  return {
    ...tool,
    kind: "query",
    async call() {
      throw new DossierError("internal", `Only an agent can call ${tool.name}.`);
    },
  };
}

const NOTHING = "Nothing was found.";
const NONE_RELEVANT = "What was found has no words of the queries or the question. Search for other words, which a good source would use.";
const NO_SOURCE = "Nothing was searched: this run has no sources.";
const HITS_PER_SOURCE = 10;
const MAX_SHOWN = 8;

export const SEARCH_TOOL = defineAgentTool({
  name: SEARCH_NAME,
  description:
    "Searches the sources of this run and reads the best of what it finds. Gives the best results with their ids, titles and dates: of those that were read the places that fit the queries best, of the others the first lines. What was shown before is not shown again.",
  schema: SearchCallSchema,
  timeoutMs: 30_000,
});

export interface SearchDeps extends RankDeps {
  readonly sources: ReadonlyMap<string, SearchSource>;
}

/** Searches the sources of the queries' kinds in parallel and returns the best hits. Fails only if every source failed. */
export async function search(
  input: unknown,
  { sources, semantic }: SearchDeps,
  { task, timeoutMs, effects }: { readonly task: Task; readonly timeoutMs: number; readonly effects: Effects },
): Promise<ActionResult> {
  const startedAt = effects.now();
  const queries = readQueries(SearchCallSchema.parse(input));
  const searches = planSearches(queries, task, HITS_PER_SOURCE);
  if (searches.length === 0 && givenUrls(task).length === 0)
    return { ok: false, error: new DossierError("invalid_arguments", NO_SOURCE), ms: 0 };
  const { hits, entries: looked } = await searchSources(searches, { sources, task, timeoutMs, effects });
  const written = queries.map((query) => query.text);
  const asked = written.join(" ");
  const searchedMs = effects.elapsedMs(startedAt);
  if (looked.length > 0 && looked.every(({ outcome }) => outcome === "failed"))
    return { ok: false, error: noSourceError(looked), entries: looked, ms: searchedMs };
  const order = {
    task,
    question: asked,
    queries: queriesOf(task.question, earlierQuestions(task.history), written),
    keep: MAX_SHOWN,
    timeoutMs: timeoutMs - searchedMs,
    effects,
  };
  const { ranked, recalled, entries: judged } = await rankFound(hits, { semantic }, order);
  const all = [...hits, ...recalled];
  const shown = shareList(ranked);
  const ms = judged.length === 0 ? searchedMs : effects.elapsedMs(startedAt);
  const none = all.length === 0 ? NOTHING : NONE_RELEVANT;
  const found = shown.length === 0 ? none : `The best ${shown.length}:`;
  const failed = looked
    .filter(({ what, outcome }) => what === "search" && outcome === "failed")
    .map(({ source, failure }) => `${source} (${wordsOf(failure)})`);
  const incomplete = `Not searched: ${failed.join(", ")}.`;
  const notes = queryNotes(queries, searches, task);
  const text = [notes, found, failed.length === 0 ? "" : incomplete].filter((part) => part !== "").join(" ");
  const findings = { text, hits: all, ...(failed.length > 0 && { incomplete }) };
  return { ok: true, findings, shown, fresh: 0, entries: [...looked, ...judged], ms };
}

function wordsOf(failure: LedgerEntry["failure"]): string {
  const { data } = FailureCodeSchema.safeParse(failure);
  return data === undefined ? "failed" : FAILURE_WORDS[data];
}

/** Documents of the user come first, but leave half of the list to what else was found. */
function shareList(ranked: readonly RankedHit[]): RankedHit[] {
  const { documents, found } = splitGiven(ranked);
  const given = new Set(documents.slice(0, MAX_SHOWN - Math.min(found.length, MAX_SHOWN / 2)).map(({ id }) => id));
  return ranked.filter(({ id, foundBy }) => foundBy !== DOCUMENTS_SOURCE || given.has(id)).slice(0, MAX_SHOWN);
}

function noSourceError(entries: readonly { readonly source: string; readonly detail: string | null }[]): DossierError {
  const reasons = entries.map(({ source, detail }) => `${source}: ${detail ?? "failed"}`).join("; ");
  return new DossierError("unreachable", `No source could be searched: ${reasons}`);
}

const ReadSchema = z.object({
  id: z.string().trim().max(40).describe("The id of a source that was found in this run, such as S1."),
  find: z.string().trim().max(200).optional().describe("Words to look for in it; shows the places where they stand."),
});

export const READ_TOOL = defineAgentTool({
  name: "read_document",
  description:
    "Reads on in a source that was found in this run, by its id, or reads one that a search did not: the beginning of its text, or the places where `find` stands.",
  schema: ReadSchema,
  timeoutMs: 60_000,
  answersInText: true,
});

export async function readDocument(input: unknown, { state, documents, effects, reader }: RoundContext): Promise<ActionResult> {
  const startedAt = effects.now();
  const { id, find = "" } = ReadSchema.parse(input);
  const hit = findShownHit(id, state);
  const failed = (error: DossierError, more = {}): ActionResult => ({ ok: false, error, ms: effects.elapsedMs(startedAt), ...more });
  if (hit === undefined) return failed(unknownSourceError(id, state));
  const tooOld = (): DossierError => new DossierError("unreadable", `${id} is left out: its own date is before ${state.task.since}.`);
  if (isLeftOut(hit, state.ledger)) return failed(tooOld());
  const one = await reader.begin(rankAlone(hit, 0));
  if (one === null) return failed(new DossierError("tool_failed", "You may read no further documents."));
  const { contentHash, failure, status, entries, downloads } = one;
  const isSnippet = status === "snippet";
  const made = { entries, downloads, readings: reader.learned(one) };
  if (failure === OLDER_CODE) return failed(tooOld(), made);
  if (contentHash === null) {
    const why = FAILURE_WORDS[failure ?? "empty"];
    return failed(new DossierError("unreadable", `${id} could not be read: it ${why}.`), made);
  }
  const document = await loadAnalyzed(contentHash, documents, effects);
  const { title, incomplete = "" } = document;
  const note = isSnippet ? "The document could not be read; only this is known of it." : incomplete;
  const { pieces, missing } = excerpt(cutPassages({ hit: one.hit, document }), find);
  const fresh = pieces.filter(({ start }) => !isTold({ of: contentHash, start }, state.told)).slice(0, MAX_PIECES);
  const shown = fresh.length === 0 && pieces.length > 0 ? ABOVE : fresh.map(showPiece).join(GAP);
  const said = [note, missing, shown].filter((part) => part !== "").join("\n");
  const told = fresh.map(({ start }): Told => ({ of: contentHash, start, sourceId: hit.id }));
  const source = isUntitled(hit) ? { ...hit, title: title || hit.title } : hit;
  const read = { shown: [source], told, fresh: isSnippet ? 0 : fresh.length };
  return { ok: true, findings: { text: said, hits: [] }, ...read, ...made, ms: effects.elapsedMs(startedAt) };
}

function findShownHit(id: string, { shown, hits }: AgentStateValue): Hit | undefined {
  const sourceId = shown[Number(/^\[?S(\d{1,4})\]?$/i.exec(id)?.[1]) - 1];
  return mergeHits([], hits).find((hit) => hit.id === sourceId);
}

function unknownSourceError(id: string, { shown }: AgentStateValue): DossierError {
  const hint = shown.length === 0 ? "Nothing has been found yet: search first." : `There are: S1 to S${shown.length}.`;
  return new DossierError("invalid_arguments", `There is no source ${id.slice(0, 40)}. ${hint}`);
}

const MAX_PIECES = 4;

const ABOVE = "What would be shown here stands above.";

/** Returns the pieces that have `find`, or all; `missing` says that `find` does not stand in the text. */
function excerpt(all: readonly Piece[], find: string): { readonly pieces: readonly Piece[]; readonly missing: string } {
  const words = new RegExp(find.split(/\s+/).map(RegExp.escape).join("\\s+"), "iu");
  const found = all.filter(({ reading, start, end }) => words.test(reading.document.text.slice(start, end)));
  if (found.length > 0) return { pieces: found, missing: "" };
  return { pieces: all, missing: `${JSON.stringify(find)} does not stand in it. Its beginning:` };
}

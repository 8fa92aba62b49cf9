import { z } from "zod";
import type { Effects } from "../../domain/ports/effects.ts";
import type { SearchSource } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import { scopeOf, type Task } from "../../domain/request.ts";
import { DossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { searchLanguage } from "../../ranking/language.ts";
import { type RankDeps, rankFound } from "../executor/rerank.ts";
import { searchOne } from "../executor/search.ts";
import { knownAddresses } from "../shared/sources.ts";
import { type ActionResult, actionTool } from "./read-document.ts";

const HITS_PER_SOURCE = 10;
const MAX_SHOWN = 8;
const MAX_QUERY_LENGTH = 500;

const ArgumentsSchema = z.object({
  query: z.string().trim().min(1).max(MAX_QUERY_LENGTH).describe("A few words, in the language of the sources."),
});

/** Made by the run itself, which has the sources. */
export const SEARCH_TOOL: Tool = actionTool({
  name: "search",
  description: "Searches all sources of this run. Gives the best results with their ids, titles, dates and first lines.",
  schema: ArgumentsSchema,
  timeoutMs: 30_000,
});

export interface SearchDeps extends RankDeps {
  readonly sources: ReadonlyMap<string, SearchSource>;
}

/**
 * Searches all sources in scope in parallel and shows the best hits, ranked as in the executor. Fails only if no source could be searched.
 */
export async function search(
  input: unknown,
  { sources, ranker, semantic }: SearchDeps,
  { task, timeoutMs, effects }: { readonly task: Task; readonly timeoutMs: number; readonly effects: Effects },
): Promise<ActionResult> {
  const startedAt = effects.now();
  const { query: text } = ArgumentsSchema.parse(input);
  const language = searchLanguage(task.language, text);
  const query = { text, language, limit: HITS_PER_SOURCE };
  const shownQuery = stripUnknownAddresses(text, knownAddresses({ task, hits: [] }));
  const context = { sources, query, shownQuery, timeoutMs, scope: scopeOf(task), effects };
  const searched = await Promise.all(task.sources.map((id) => searchOne(id, context)));
  const looked = searched.map(({ entry }) => entry);
  const hits = searched.flatMap((one) => one.hits);
  const searchedMs = effects.elapsedMs(startedAt);
  if (looked.every(({ outcome }) => outcome === "failed")) return { ok: false, error: unsearched(looked), entries: looked, ms: searchedMs };
  const order = { task, question: text, language, keep: MAX_SHOWN, timeoutMs: timeoutMs - searchedMs, effects };
  const { ranked: shown, entries: judged } = await rankFound(hits, { ranker, semantic }, order);
  const entries = [...looked, ...judged];
  const ms = judged.length === 0 ? searchedMs : effects.elapsedMs(startedAt);
  const failed = looked.filter(({ outcome }) => outcome === "failed").map(({ source, failure }) => `${source} (${failure})`);
  const gaps = failed.length === 0 ? "" : `Not searched: ${failed.join(", ")}.`;
  const summary = [found(shown.length), gaps].join(" ").trim();
  return { ok: true, findings: { text: summary, hits, ...(gaps !== "" && { incomplete: gaps }) }, shown, entries, ms };
}

function found(count: number): string {
  return count === 0 ? "Nothing was found." : `The best ${count}:`;
}

function unsearched(entries: readonly { readonly source: string; readonly detail: string | null }[]): DossierError {
  const reasons = entries.map(({ source, detail }) => `${source}: ${detail ?? "failed"}`).join("; ");
  return new DossierError("unreachable", `No source could be searched: ${reasons}`);
}

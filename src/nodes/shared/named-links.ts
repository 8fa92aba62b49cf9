import { addressOf, type Hit, LINKS_SOURCE, sourceIdOf } from "../../domain/hit.ts";
import type { NamedSource, Reading } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { countDownloads } from "../../gathering/limits.ts";
import { canonicalUrl, siteOf } from "../../ranking/canonical-url.ts";
import type { ExecutorStateValue } from "../executor/state.ts";

type FollowState = Pick<ExecutorStateValue, "task" | "ledger" | "read" | "known">;

/**
 * Decides which links of documents a run may follow; undefined if none: only a deep run does, while it has downloads left. With a source
 * of the kind `web` in its scope, they may lead to any site, otherwise only to the site of the document.
 */
export function followableLinks(state: FollowState, { budget }: Pick<Effects, "budget">) {
  const { task, ledger, read, known } = state;
  const left = Math.min(task.limits.downloads - countDownloads(ledger), budget?.downloadsLeft ?? Number.POSITIVE_INFINITY);
  if (task.notes !== "each" || left <= 0) return undefined;
  const tried = new Set(read.flatMap(({ hit }) => [hit.url, addressOf(hit)]).map(canonicalUrl));
  const knownIds = new Set(known.map(({ sourceId }) => sourceId));
  for (const { address } of known) if (address !== undefined) tried.add(canonicalUrl(address));
  const isTried = (url: string): boolean => tried.has(canonicalUrl(url)) || knownIds.has(sourceIdOf(url));
  const searchesWeb = task.sources.some((id) => task.sourceFacts?.[id]?.kind === "web");
  return (url: string, { hit }: Reading): boolean => !isTried(url) && (searchesWeb || siteOf(url) === siteOf(hit.url));
}

/** Returns the sources that documents name, each once, as hits to be read in the next round. */
export function namedHits(named: readonly NamedSource[]): Hit[] {
  const distinct = [...new Map(named.map((one) => [canonicalUrl(one.url), one] as const).reverse()).values()].reverse();
  return distinct.map(({ text, url }) => {
    return { id: sourceIdOf(url), kind: "web", title: text, url, publishedAt: null, foundBy: LINKS_SOURCE, contentHash: null, snippet: "" };
  });
}

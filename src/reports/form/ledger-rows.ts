import type { LedgerEntry } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { cleanText, readable, shorten } from "./clean-text.ts";
import type { LedgerRow } from "./report-form.ts";

const MAX_PLACE_LENGTH = 80;

/** The rows that are shown of a ledger: the first `max` of what was tried, without what an earlier row has answered already. */
export function ledgerRows(entries: readonly LedgerEntry[], max: number, labels: Labels): { rows: LedgerRow[]; leftOut: number } {
  const tried = withoutRepeats(entries);
  // Of a single query the title of the report tells.
  const named = new Set(tried.filter(({ what }) => what === "search").map(({ target }) => target)).size > 1;
  return { rows: tried.slice(0, max).map((entry) => ledgerRow(entry, labels, named)), leftOut: Math.max(tried.length - max, 0) };
}

/** The todos of a plan come to the same texts again and again. */
function withoutRepeats(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const known = new Set<string>();
  return entries.filter(({ what, source, target, outcome }) => {
    const place = JSON.stringify([what, source, target]);
    const repeats = outcome === "reused" && known.has(place);
    known.add(place);
    return !repeats;
  });
}

/** @param named whether the rows of searches name what was searched for */
function ledgerRow(entry: LedgerEntry, labels: Labels, named: boolean): LedgerRow {
  const { what, source, target, outcome, failure, detail, results, ms } = entry;
  const became = (outcome === "failed" ? insteadOf(what, labels) : null) ?? labels.outcomes[outcome];
  const said = failure === null ? became : `${became}: ${labels.failed(failure)}`;
  // A model's query may have the form of a citation, and is none.
  const place = what === "search" ? (named ? target.replaceAll(/[[\]【】]/g, " ") : "") : readable(target);
  const count = outcome === "found" && what !== "download" ? ` (${results})` : "";
  const leftOut = outcome !== "failed" && what === "search" && detail !== null ? `; ${shorten(detail, MAX_PLACE_LENGTH)}` : "";
  return {
    what: labels.attempts[what],
    place: cleanText(`${source} ${shorten(place, MAX_PLACE_LENGTH)}`),
    outcome: cleanText(`${said}${count}${leftOut}`),
    failed: outcome === "failed",
    ms: String(Math.round(ms)),
  };
}

/** What was done in the place of a model or of a ranking by meaning that failed. */
function insteadOf(what: LedgerEntry["what"], labels: Labels): string | null {
  if (what === "model") return labels.byRules.outcome;
  return what === "rerank" ? labels.byWords : null;
}

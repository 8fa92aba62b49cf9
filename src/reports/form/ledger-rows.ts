import type { LedgerEntry } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { cleanText, readable, shorten } from "./clean-text.ts";
import type { LedgerRow } from "./report-form.ts";

const MAX_PLACE_LENGTH = 80;

/** The rows that are shown of a ledger: the first `max` of it. */
export function ledgerRows(entries: readonly LedgerEntry[], max: number, labels: Labels): LedgerRow[] {
  return entries.slice(0, max).map((entry) => ledgerRow(entry, labels));
}

function ledgerRow({ what, source, target, outcome, failure, detail, results, ms }: LedgerEntry, labels: Labels): LedgerRow {
  const became = (outcome === "failed" ? insteadOf(what, labels) : null) ?? labels.outcomes[outcome];
  const said = failure === null ? became : `${became}: ${labels.failed(failure)}`;
  const place = what === "search" ? source : `${source} ${shorten(readable(target), MAX_PLACE_LENGTH)}`;
  const count = outcome === "found" && what !== "download" ? ` (${results})` : "";
  const leftOut = outcome !== "failed" && what === "search" && detail !== null ? `; ${shorten(detail, MAX_PLACE_LENGTH)}` : "";
  return {
    what: labels.attempts[what],
    place: cleanText(place),
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

import { addressOf, type Hit } from "../../domain/hit.ts";
import type { LedgerEntry } from "../../domain/report.ts";

const CODE = "download_cap";

/** What the ledger says of documents that were not read because no download was left for any of them; nothing where there are none. */
export function downloadCap(unread: readonly Hit[]): LedgerEntry[] {
  const [first] = unread;
  if (first === undefined) return [];
  const detail = `No download was left (limits.downloads); not read: ${unread.length}.`;
  return [
    { what: "download", source: first.foundBy, target: addressOf(first), outcome: "failed", results: 0, failure: CODE, detail, ms: 0 },
  ];
}

/** Whether the limit of downloads has kept something from being read. */
export function isCapped(ledger: readonly LedgerEntry[]): boolean {
  return ledger.some(({ failure }) => failure === CODE);
}

/** How many downloads a ledger tells of: neither what was taken from the run's own documents nor what was not tried. */
export function downloadsIn(ledger: readonly LedgerEntry[]): number {
  return ledger.filter(({ what, outcome, failure }) => what === "download" && outcome !== "reused" && failure !== CODE).length;
}

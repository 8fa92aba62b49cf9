import type { LedgerEntry, Source } from "../../../../src/domain/report.ts";

/** Something that could not be read or asked, or of which something is missing. */
export interface Unread {
  readonly what: Exclude<LedgerEntry["what"], "file">;
  /** An address, or the name of a source, tool or model. */
  readonly name: string;
  readonly code: string | null;
  readonly detail: string | null;
}

/** Lists what a run could not read or ask, each once. */
export function unreadOf({ ledger, sources }: { readonly ledger: readonly LedgerEntry[]; readonly sources: readonly Source[] }): Unread[] {
  const tried = ledger.flatMap(({ what, source, target, outcome, failure, detail }): Unread[] => {
    // The report names files above its text.
    if (what === "file") return [];
    const name = what === "download" ? target : source;
    if (outcome === "failed") return [{ what, name, code: failure, detail }];
    // Files that a search left out, or pages of a PDF without text.
    const isPartial = (what === "search" || what === "download") && detail !== null;
    return isPartial ? [{ what, name, code: null, detail }] : [];
  });
  const failed = sources.filter(({ status }) => status === "failed");
  const unread = failed.map(({ url, failure }): Unread => ({ what: "download", name: url, code: failure, detail: null }));
  const known = new Set(tried.map(({ name }) => name));
  const all = [...tried, ...unread.filter(({ name }) => !known.has(name))];
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

import { matchPath } from "../../app/router.tsx";
import { runAddress } from "../../ui/addresses.ts";

/** A place in a document of a run: UTF-16 offsets, or null for the beginning. */
export interface DocumentPlace {
  readonly contentHash: string;
  readonly start: number | null;
  readonly end: number | null;
}

export function documentPath(runId: string, { contentHash, start, end }: DocumentPlace): string {
  const place = start === null || end === null ? "" : `?start=${start}&end=${end}`;
  return `${runAddress(runId)}/documents/${encodeURIComponent(contentHash.toWellFormed())}${place}`;
}

/** Reads an address that `documentPath` has made; null for all others. */
export function readDocumentPlace(path: string, query: URLSearchParams): DocumentPlace | null {
  const hash = matchPath("/runs/:id/documents/:hash", path)?.["hash"];
  if (hash === undefined) return null;
  const [start, end] = [offsetOf(query.get("start")), offsetOf(query.get("end"))];
  if (start === null || end === null || end <= start) return { contentHash: hash, start: null, end: null };
  return { contentHash: hash, start, end };
}

function offsetOf(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

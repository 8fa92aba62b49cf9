import { getDocument } from "../../api/endpoints.ts";
import { type Address, matchPath } from "../../app/router.tsx";
import { runAddress } from "../../ui/addresses.ts";

/** A place in a document of a run: UTF-16 offsets, or null for the beginning. */
export interface DocumentPlace {
  readonly contentHash: string;
  readonly start: number | null;
  readonly end: number | null;
  /** Whether an address names offsets that cannot be read. */
  readonly isUnreadable?: boolean;
}

/** Where the report that is shown finds its documents, and under which addresses it shows them. */
export interface ReportPlaces {
  /** The place that is open beside the report. */
  readonly open: DocumentPlace | null;
  readonly pathOf: (place: DocumentPlace) => string;
  /** The address of the report without a document. */
  readonly closedPath: string;
  readonly read: (contentHash: string, signal: AbortSignal) => Promise<string>;
  /** Whether this server has the run. Of a recording file there is nothing to download or to link to. */
  readonly isStored: boolean;
}

/** The places of a run's own view. */
export function runPlaces(runId: string, { path, query }: Address): ReportPlaces {
  return {
    open: readDocumentPlace(path, query),
    pathOf: (place) => documentPath(runId, place),
    closedPath: runAddress(runId),
    read: (contentHash, signal) => getDocument(runId, contentHash, signal),
    isStored: true,
  };
}

export function documentPath(runId: string, { contentHash, start, end }: DocumentPlace): string {
  const place = start === null || end === null ? "" : `?start=${start}&end=${end}`;
  return `${runAddress(runId)}/documents/${encodeURIComponent(contentHash.toWellFormed())}${place}`;
}

/** Reads an address that `documentPath` has made; null for all others. */
export function readDocumentPlace(path: string, query: URLSearchParams): DocumentPlace | null {
  const hash = matchPath("/runs/:id/documents/:hash", path)?.["hash"];
  return hash === undefined ? null : placeIn(hash, query);
}

/** Reads the offsets of a place in a document; without valid ones it is the beginning. */
export function placeIn(contentHash: string, query: URLSearchParams): DocumentPlace {
  const [start, end] = [offsetOf(query.get("start")), offsetOf(query.get("end"))];
  if (start === null || end === null || end <= start) {
    return { contentHash, start: null, end: null, isUnreadable: query.has("start") || query.has("end") };
  }
  return { contentHash, start, end };
}

function offsetOf(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

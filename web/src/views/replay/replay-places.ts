import type { Address } from "../../app/router.tsx";
import { placeIn, type ReportPlaces } from "../read/read-address.ts";

/** Where the texts of a replayed run come from: from the server, or from the recording file. */
export interface ReadDocument {
  readonly isStored: boolean;
  readonly read: ReportPlaces["read"];
}

/** The places of a report at the end of a replay. The moment stays in the address, beside the open document. */
export function replayPlaces({ path, query }: Address, { isStored, read }: ReadDocument): ReportPlaces {
  const withDocument = (values: Readonly<Record<string, string | number | null>>): string => {
    const own = new URLSearchParams(query);
    for (const name of ["document", "start", "end"]) own.delete(name);
    for (const [name, value] of Object.entries(values)) if (value !== null) own.set(name, String(value));
    return own.size === 0 ? path : `${path}?${own}`;
  };
  const hash = query.get("document");
  return {
    open: hash === null ? null : placeIn(hash, query),
    pathOf: ({ contentHash, start, end }) => withDocument({ document: contentHash.toWellFormed(), start, end }),
    closedPath: withDocument({}),
    read,
    isStored,
  };
}

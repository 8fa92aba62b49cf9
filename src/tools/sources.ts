import { CROSSREF, createCrossref } from "./crossref/crossref.ts";
import type { SourceEntry } from "./services/source-entry.ts";

/** Every source but the corpus. A new one is a folder here and a line in this list. */
export const SOURCES: readonly SourceEntry[] = [{ endpoint: CROSSREF, needs: "nothing", create: createCrossref }];

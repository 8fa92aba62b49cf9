import { addressOf, type Hit, isUntitled, type RankedHit } from "../domain/hit.ts";
import type { FailureCode, LedgerEntry } from "../domain/report.ts";
import { canonicalUrl } from "../ranking/canonical-url.ts";

export function isWeb(address: string): boolean {
  return /^https?:/i.test(address);
}

/** Returns the key under which a run reads an address once. All spellings of a web address have the same key. */
export function readKeyOf(address: string): string {
  return isWeb(address) ? canonicalUrl(address) : address;
}

/** Returns the key of what is downloaded for a hit. A web search may return the address of a local document, which is then not meant. */
export function readKeyOfHit(hit: Pick<Hit, "url" | "publication" | "kind">): string {
  const address = addressOf(hit);
  return hit.kind === "web" && !isWeb(address) ? `web ${address}` : readKeyOf(address);
}

/** How the reading of a hit ended. `snippet`: only its first lines are known. */
export interface ReadHit {
  readonly hit: RankedHit;
  readonly status: "read" | "snippet" | "failed";
  readonly contentHash: string | null;
  readonly failure: FailureCode | null;
  /** The date that the document itself tells. Absent in old recordings, and if it was not read. */
  readonly publishedAt?: string | null;
}

/** What other parts of a run take of it. */
export type ReadOutcome = Omit<ReadHit, "hit"> & { readonly title: string };

/** What a `Reader` gives for a hit. */
export interface Read extends ReadHit {
  /** How reading another hit of the same work ended, if this one failed. */
  readonly others?: readonly ReadHit[];
  readonly entries: readonly LedgerEntry[];
  readonly downloads: number;
  /** Whether a tool delivered the text, or the run had read it before. */
  readonly isKnown?: true;
  /** Whether the run had read the same text at another address. */
  readonly isCopy?: true;
}

/** A document that the run has read. Its text is in the document store. */
export interface KnownReading extends Pick<ReadHit, "status" | "failure">, Pick<Hit, "readAt"> {
  readonly sourceId: string;
  readonly contentHash: string;
  /** Where it was read. */
  readonly address?: string;
  /** The title of the document, if that of the hit is none. */
  readonly title?: string;
}

/** Returns the hit with the title of its document, where it has none itself. */
export function titled<One extends Hit>(hit: One, title = ""): One {
  return isUntitled(hit) && title !== "" ? { ...hit, title } : hit;
}

/** Whether a text of its own was read, and not only that of its search result. */
export function hasText({ contentHash, status }: Pick<ReadHit, "contentHash" | "status">): boolean {
  return contentHash !== null && status !== "snippet";
}

export type FindReading<Reading> = (hit: Pick<Hit, "id" | "url">) => Reading | undefined;

/** Finds the latest of `readings` of a hit, under any spelling of its address. */
export function lookUp<Reading>(
  readings: readonly Reading[],
  placeOf: (one: Reading) => readonly [id: string, address: string],
): FindReading<Reading> {
  const byKey = new Map<string, Reading>();
  for (const one of readings) {
    const [id, address] = placeOf(one);
    byKey.set(id, one);
    if (isWeb(address)) byKey.set(canonicalUrl(address), one);
  }
  return ({ id, url }) => byKey.get(id) ?? (isWeb(url) ? byKey.get(canonicalUrl(url)) : undefined);
}

export interface BegunRead<One extends Hit = Hit> {
  readonly hit: One;
  readonly reading: Promise<Read | null>;
}

/** Waits for a reading. While `keep` tells that it does not fill its place, waits for the next one. */
export async function fillPlace<One extends Hit>(
  first: BegunRead<One>,
  next: () => BegunRead<One> | null,
  keep: (hit: One, read: Read | null) => boolean,
): Promise<void> {
  for (let begun: BegunRead<One> | null = first; begun !== null; ) {
    const { hit, reading }: BegunRead<One> = begun;
    begun = keep(hit, await reading) ? null : next();
  }
}

import type { CallContext, Endpoint, HttpFetch } from "../../src/domain/ports/sources.ts";

/** The input of a reader: a network that ends at a server with one body, and the arguments of the expectation. */
export interface Reading {
  readonly fetch: HttpFetch;
  readonly context: CallContext;
  /** `ask` of the expectation; the operation knows its form and its defaults. */
  readonly ask: Readonly<Record<string, unknown>>;
}

/** Reads the served body through the real adapter. Returns what it found, or throws a DossierError. */
export type Operation = (reading: Reading) => Promise<readonly unknown[]>;

/** Reads the recorded bodies of one folder. */
export interface RecordedReader {
  /** Below `api/` of the data; its expectations are in `scripts/expectations/recorded/<folder>.json`. */
  readonly folder: string;
  /** All of them are answered by the server with the body. */
  readonly endpoints: readonly Endpoint[];
  readonly operations: Readonly<Record<string, Operation>>;
}

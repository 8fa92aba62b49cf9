import type { CallContext, Endpoint, HttpFetch } from "../../src/domain/ports/sources.ts";

/** What a reader gets in order to read one body: a network that ends at a server with that body, and what the expectation asks. */
export interface Reading {
  readonly fetch: HttpFetch;
  readonly context: CallContext;
  /** `ask` of the expectation; the operation says in which form, and what it takes where nothing is given. */
  readonly ask: Readonly<Record<string, unknown>>;
}

/** Reads the served body through the real connector: what was found in it, or a DossierError. */
export type Operation = (reading: Reading) => Promise<readonly unknown[]>;

/** Who reads the recorded bodies of one folder. */
export interface RecordedReader {
  /** Below `api/` of the data; its expectations are in `scripts/expectations/recorded/<folder>.json`. */
  readonly folder: string;
  /** All of them are answered by the server with the body. */
  readonly endpoints: readonly Endpoint[];
  readonly operations: Readonly<Record<string, Operation>>;
}

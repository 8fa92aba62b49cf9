import type { CallContext, Endpoint, HttpFetch } from "../../src/domain/ports/sources.ts";

/** Input of an operation. `fetch` sends every request to the loopback server with the recorded response. */
export interface Reading {
  readonly fetch: HttpFetch;
  readonly context: CallContext;
  /** The field `ask` of the expectation. The operation validates it. */
  readonly ask: Readonly<Record<string, unknown>>;
}

/** Reads the served response through the real adapter and returns the results. @throws DossierError */
export type Operation = (reading: Reading) => Promise<readonly unknown[]>;

/** Describes how to read the recorded responses of one folder. */
export interface RecordedReader {
  /** Name of the folder in `DIR/api/`. The expectations are in `scripts/expectations/recorded/<folder>.json`. */
  readonly folder: string;
  /** The loopback server answers for all of these. */
  readonly endpoints: readonly Endpoint[];
  readonly operations: Readonly<Record<string, Operation>>;
}

import type { Generated } from "kysely";

/** The tables as Kysely sees them. JSON is kept as text; instants are milliseconds since 1970; flags are 0 or 1. */
export interface Schema {
  runs: RunsTable;
  segments: SegmentsTable;
  journal: JournalTable;
  events: EventsTable;
  pending: PendingTable;
  documents: DocumentsTable;
  run_documents: RunDocumentsTable;
}

export interface RunsTable {
  /** In order of creation; also the cursor of lists. */
  position: Generated<number>;
  id: string;
  tenant: string;
  thread_id: string;
  graph: string;
  question: string;
  request: string;
  limits: string;
  status: string;
  /** Who owns the run: writes of an older attempt are refused. */
  attempt: number;
  /** Attempts in which the process died or the program failed; those that the database refused do not count. */
  crashes: Generated<number>;
  /** The highest `seq` of its events. */
  head: number;
  segment: number;
  epoch: number;
  cancel_requested: number;
  idempotency_key: string | null;
  request_hash: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  termination: string | null;
  report: string | null;
  error: string | null;
}

export interface SegmentsTable {
  run_id: string;
  position: number;
  epoch: number;
  input: string;
  fingerprint: string;
}

export interface JournalTable {
  run_id: string;
  segment: number;
  epoch: number;
  ord: number;
  after: number;
  key: string;
  kind: string;
  request: string;
  ok: number;
  result: string;
  at: number;
}

export interface EventsTable {
  run_id: string;
  seq: number;
  origin: string;
  at: number;
  path: string;
  body: string;
}

export interface PendingTable {
  run_id: string;
  id: string;
  interrupt_id: string;
  /** The question as `Pending` shows it. */
  body: string;
  answer: string | null;
}

export interface DocumentsTable {
  content_hash: string;
  text: string;
}

export interface RunDocumentsTable {
  run_id: string;
  content_hash: string;
  /** Everything but the text, as this run found it: title, url, blocks, ... */
  details: string;
}

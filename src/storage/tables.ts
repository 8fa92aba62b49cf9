import type { JournalRecord, LoggedEvent } from "../domain/recording.ts";

// The rows of the tables. JSON is stored as text, a time as milliseconds since 1970, a flag as 0 or 1.

export interface RunRow {
  /** The order of creation, which is also the cursor of lists. */
  position: number;
  id: string;
  tenant: string;
  /** Who asked: the name of a key, or null. */
  owner: string | null;
  thread_id: string;
  graph: string;
  question: string;
  request: string;
  limits: string;
  status: string;
  /** The fencing token: the store refuses writes of an older attempt. */
  attempt: number;
  /** How often in a row a process crashed while it executed the run, without a new result of an effect. */
  crashes: number;
  /** At how many of these crashes the process executed no other run. */
  crashed_alone: number;
  /** The process that executes the run, or did so last. */
  worker: string | null;
  /** Whether a queued run may start: it is the oldest one of its thread. */
  ready: number;
  /** 1 for a run that starts before others: its tenant had no other one queued or running, or somebody watches it. */
  priority: number;
  /** A queued run does not start before. */
  start_after: number | null;
  /** 1 for a run that is deleted when the next one of its thread starts. */
  rolled_back: number;
  /** The W3C `traceparent` of the request that started it. */
  traceparent: string | null;
  /** What is reserved for it of its owner's day, and not spent yet; null: nothing. */
  reserved_tokens: number | null;
  reserved_usd: number | null;
  /** The run whose records it began with. */
  forked_from: string | null;
  /** What a fork changes in its task, as JSON, until it counts. */
  changes: string | null;
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

export interface SegmentRow {
  run_id: string;
  position: number;
  epoch: number;
  input: string;
  fingerprint: string;
}

export interface JournalRow extends Omit<JournalRecord, "request" | "ok" | "result"> {
  run_id: string;
  segment: number;
  epoch: number;
  request: string;
  ok: number;
  result: string;
  /** Whether the usage of the run counts this record. */
  counts: number;
  /** What a model call cost: `[model, inputTokens, outputTokens, costUsd, estimated]`. */
  receipt: string | null;
  /** Whether later runs of the thread may use this result of a tool, or learn from it that something was changed. */
  reusable: number;
}

export interface EventRow extends LoggedEvent {
  run_id: string;
  seq: number;
}

export interface PendingRow {
  run_id: string;
  id: string;
  interrupt_id: string;
  body: string;
  answer: string | null;
}

import { readFileSync } from "node:fs";
import type { RunEvent } from "../../src/domain/events.ts";

export const RECORDED = [
  "agent-model",
  "answered",
  "cancelled",
  "chinese",
  "drained",
  "english",
  "executor-model",
  "interrupted",
  "no-answer",
  "research",
  "team",
  "tools",
] as const;
export type Recorded = (typeof RECORDED)[number];

/** The events of a recording as the event stream sends them. */
export function recordedEvents(name: Recorded): RunEvent[] {
  const path = new URL(`../replays/${name}.ndjson`, import.meta.url);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const parsed = lines.map((line) => JSON.parse(line));
  const runId = parsed[0].run.id;
  return parsed
    .filter(({ type }) => type === "event")
    .map(({ seq, event: { at, path: speaker, body } }) => ({
      ...JSON.parse(body),
      seq,
      runId,
      at: new Date(at).toISOString(),
      path: speaker,
    }));
}

/** Events of a run that never was, from event bodies with their paths. */
export function eventsOf(bodies: readonly (Record<string, unknown> & { type: string })[]): RunEvent[] {
  return bodies.map((body, index) => ({
    path: "",
    runId: "r",
    seq: index + 1,
    at: new Date(index * 1_000).toISOString(),
    ...body,
  })) as never;
}

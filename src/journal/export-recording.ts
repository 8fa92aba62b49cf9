import type { DocumentStore } from "../domain/ports/documents.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { Segment, UnsignedLine } from "../domain/recording.ts";
import type { Run } from "../domain/run.ts";
import { DossierError } from "../errors.ts";
import { signLine } from "./recording-lines.ts";

interface Stores {
  readonly runs: RunStore;
  readonly documents: DocumentStore;
}

/** A run as it stands at one instant; what comes later is not exported. */
interface Snapshot {
  readonly run: Run;
  readonly head: number;
  readonly segments: readonly Segment[];
}

const MAX_TRIES = 10;

/**
 * A run as lines of NDJSON, from which it can be replayed without this server: the run, its segments, what they recorded, its
 * events, and the documents it read. Read from the stores page by page.
 * @throws DossierError `run_not_finished` while it is queued or runs
 */
export async function* exportRecording(tenant: string, runId: string, stores: Stores, program: string): AsyncIterable<string> {
  const snapshot = await takeSnapshot(tenant, runId, stores.runs);
  let lines = 0;
  for await (const line of linesOf(snapshot, stores, program)) {
    lines += 1;
    yield signLine(line);
  }
  yield signLine({ type: "end", lines });
}

/** Reads until nothing has moved in between: a run that waits may be answered at any moment. */
async function takeSnapshot(tenant: string, runId: string, runs: RunStore): Promise<Snapshot> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const before = await runs.head(tenant, runId);
    const [run, segments] = [await runs.get(tenant, runId), await runs.segments(runId)];
    const after = await runs.head(tenant, runId);
    if (run === null || before === null) throw new DossierError("not_found", `There is no run ${runId}.`);
    if (run.status === "queued" || run.status === "running") break;
    if (before.seq === after?.seq && before.status === after.status) return { run, head: before.seq, segments };
  }
  throw new DossierError("run_not_finished", "The run is queued or running; its recording can be had when it has ended or waits.");
}

async function* linesOf({ run, head, segments }: Snapshot, { runs, documents }: Stores, program: string): AsyncIterable<UnsignedLine> {
  yield { type: "recording", version: 1, program, run };
  for (const segment of segments) yield { type: "segment", ...segment };
  for await (const entry of runs.journal(run.id)) {
    if (segments.some(({ index, epoch }) => index === entry.segment && epoch === entry.epoch)) yield { type: "record", ...entry };
  }
  for await (const entry of runs.loggedEvents(run.id)) {
    if (entry.seq > head) break;
    yield { type: "event", ...entry };
  }
  for (const hash of await runs.documentHashes(run.id)) yield { type: "document", document: await documents.get(run.id, hash) };
}

import type { DocumentStore } from "../domain/ports/document-store.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { UnsignedLine } from "../domain/recording.ts";
import type { Run } from "../domain/run.ts";
import { signLine } from "./recording-lines.ts";

/**
 * A run as lines of NDJSON, from which it can be replayed without this server: the run, its segments, what they recorded, its
 * events, and the documents it read. Read from the stores page by page.
 */
export async function* exportRecording(
  run: Run,
  stores: { runs: RunStore; documents: DocumentStore },
  program: string,
): AsyncIterable<string> {
  let lines = 0;
  for await (const line of linesOf(run, stores, program)) {
    lines += 1;
    yield signLine(line);
  }
  yield signLine({ type: "end", lines });
}

async function* linesOf(
  run: Run,
  { runs, documents }: { runs: RunStore; documents: DocumentStore },
  program: string,
): AsyncIterable<UnsignedLine> {
  yield { type: "recording", version: 1, program, run };
  for (const segment of await runs.segments(run.id)) yield { type: "segment", ...segment };
  for await (const entry of runs.journal(run.id)) yield { type: "record", ...entry };
  for await (const entry of runs.loggedEvents(run.id)) yield { type: "event", ...entry };
  for (const hash of await runs.documentHashes(run.id)) yield { type: "document", document: await documents.get(hash) };
}

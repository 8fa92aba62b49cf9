import { contentHashOf, type StoredDocument } from "../domain/document.ts";
import { hashJson } from "../domain/json.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { DocumentStore } from "../domain/ports/sources.ts";
import {
  type JournalRecord,
  type RecordedSegment,
  type Recording,
  type RecordingLine,
  RecordingLineSchema,
  type Segment,
  type UnsignedLine,
} from "../domain/recording.ts";
import type { Run } from "../domain/run.ts";
import { DossierError } from "../errors.ts";

interface Stores {
  readonly runs: RunStore;
  readonly documents: DocumentStore;
}

interface Snapshot {
  readonly run: Run;
  readonly head: number;
  readonly segments: readonly Segment[];
}

const MAX_TRIES = 10;

/** Exports a run as NDJSON. @throws DossierError `run_not_finished` while the run is queued or running */
export async function* exportRecording(tenant: string, runId: string, stores: Stores, program: string): AsyncIterable<string> {
  const snapshot = await takeSnapshot(tenant, runId, stores.runs);
  let lines = 0;
  for await (const line of linesOf(snapshot, stores, program)) {
    lines += 1;
    yield signLine(line);
  }
  yield signLine({ type: "end", lines });
}

/** A waiting run may be answered at any moment, so the read is repeated if an event was added during it. */
async function takeSnapshot(tenant: string, runId: string, runs: RunStore): Promise<Snapshot> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const before = await runs.head(tenant, runId);
    const [run, segments] = [await runs.get(tenant, runId), await runs.segments(runId)];
    const after = await runs.head(tenant, runId);
    if (run === null || before === null) throw new DossierError("not_found", `There is no run ${runId}.`);
    if (run.status === "queued" || run.status === "running") break;
    if (before.seq === after?.seq && before.status === after.status) return { run, head: before.seq, segments };
  }
  throw new DossierError("run_not_finished", "The run is queued or running. Export its recording when it has ended or waits.");
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

/** Reads a recording and checks each line. @throws DossierError `recording_invalid` that names the first broken, changed or missing line */
export async function readRecording(lines: AsyncIterable<string> | Iterable<string>): Promise<Recording> {
  const reader = new RecordingReader();
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() !== "") reader.add(readLine(text, number), number);
  }
  return reader.finish(number);
}

class RecordingReader {
  #run: Run | null = null;
  #program = "";
  #lines = 0;
  #declared = -1;
  readonly #segments: RecordedSegment[] = [];
  readonly #events: Recording["events"][number][] = [];
  readonly #documents: StoredDocument[] = [];

  add(line: RecordingLine, number: number): void {
    if (this.#declared >= 0) throw invalid(number, "it comes after the end of the recording");
    if ((this.#run === null) !== (line.type === "recording")) throw invalid(number, "a recording begins with one line of type recording");
    if (line.type === "end") this.#declared = line.lines;
    else this.#lines += 1;
    if (line.type === "recording") {
      this.#run = line.run;
      this.#program = line.program;
    } else if (line.type === "segment") {
      const { type: _, digest: __, ...segment } = line;
      this.#segments.push({ segment, records: [] });
    } else if (line.type === "record") {
      this.#recordsOf(line.segment, line.epoch, number).push(line.record);
    } else if (line.type === "event") {
      this.#events.push({ seq: line.seq, event: line.event });
    } else if (line.type === "document") {
      const { contentHash, text } = line.document;
      if (contentHashOf(text) !== contentHash) throw invalid(number, `the text of document ${contentHash} has been changed`);
      this.#documents.push(line.document);
    }
  }

  finish(number: number): Recording {
    if (this.#run === null)
      throw new DossierError("recording_invalid", "The recording is empty, so nothing was replayed. Export it again.");
    if (this.#declared < 0) throw invalid(number + 1, "the end of the recording is missing: the file was cut off");
    const hasBegun = this.#events.some(({ event }) => /^\d+\.\d+\//.test(event.origin));
    if (hasBegun && this.#segments.length === 0) throw invalid(number, "the run began, but the recording contains no segment");
    const lines = { found: this.#lines, declared: this.#declared };
    return { run: this.#run, program: this.#program, segments: this.#segments, events: this.#events, documents: this.#documents, lines };
  }

  #recordsOf(index: number, epoch: number, number: number): JournalRecord[] {
    const found = this.#segments.find(({ segment }) => segment.index === index && segment.epoch === epoch);
    if (found === undefined) throw invalid(number, `there is no segment ${index}.${epoch}`);
    return found.records;
  }
}

export function signLine(line: UnsignedLine): string {
  // Many tools treat U+2028 and U+2029 as line ends, so these characters are escaped.
  const text = JSON.stringify({ ...line, digest: hashJson(line) })
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return `${text}\n`;
}

/** Splits at line feeds only, as JSON Lines requires. */
export async function* splitLines(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let line: string[] = [];
  for await (const piece of pieces) {
    const [end = "", ...next] = piece.split("\n");
    line.push(end);
    if (next.length === 0) continue;
    yield line.join("");
    line = next.splice(-1);
    yield* next;
  }
  const last = line.join("");
  if (last !== "") yield last;
}

function readLine(text: string, number: number): RecordingLine {
  const written = parseLine(text, number);
  const parsed = RecordingLineSchema.safeParse(written);
  if (!parsed.success)
    throw invalid(number, `it is not a line of a recording (${parsed.error.issues[0]?.message ?? "its shape is unknown"})`);
  // The digest covers the line as it was written, without the defaults that the schema adds.
  const { digest, ...line } = written as RecordingLine;
  if (hashJson(line) !== digest)
    throw invalid(number, `its content does not match its digest: ${describeLine(parsed.data)} has been changed`);
  return parsed.data;
}

function parseLine(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(number, `it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function describeLine(line: RecordingLine): string {
  if (line.type === "record") return `record ${line.record.ord} (${line.record.key})`;
  if (line.type === "event") return `event ${line.seq} (${line.event.origin})`;
  if (line.type === "document") return `document ${line.document.contentHash}`;
  return line.type;
}

function invalid(number: number, what: string): DossierError {
  return new DossierError(
    "recording_invalid",
    `Line ${number} of the recording: ${what}. Nothing was replayed; export the recording again.`,
  );
}

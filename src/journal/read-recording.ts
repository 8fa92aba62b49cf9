import { contentHashOf, type StoredDocument } from "../domain/document.ts";
import type { JournalRecord, RecordedSegment, Recording, RecordingLine } from "../domain/recording.ts";
import type { Run } from "../domain/run.ts";
import { DossierError } from "../errors.ts";
import { invalid, readLine } from "./recording-lines.ts";

/**
 * A recording from its lines.
 * @throws DossierError `recording_invalid` that names the first line that is broken, changed or missing
 */
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
    if (this.#declared >= 0) throw invalid(number, "it stands after the end of the recording");
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
    if (this.#run === null) throw new DossierError("recording_invalid", "The recording is empty.");
    if (this.#declared < 0) throw invalid(number + 1, "the end of the recording is missing: the file was cut off");
    // What a segment says has its origin in it; whoever leaves out all segments leaves nothing to replay.
    const began = this.#events.some(({ event }) => /^\d+\.\d+\//.test(event.origin));
    if (began && this.#segments.length === 0) throw invalid(number, "the run began, and no segment of it is recorded");
    const lines = { found: this.#lines, declared: this.#declared };
    return { run: this.#run, program: this.#program, segments: this.#segments, events: this.#events, documents: this.#documents, lines };
  }

  #recordsOf(index: number, epoch: number, number: number): JournalRecord[] {
    const found = this.#segments.find(({ segment }) => segment.index === index && segment.epoch === epoch);
    if (found === undefined) throw invalid(number, `there is no segment ${index}.${epoch}`);
    return found.records;
  }
}

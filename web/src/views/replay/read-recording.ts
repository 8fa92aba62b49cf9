import type { RunEvent } from "../../../../src/domain/events.ts";
import type { Run } from "../../../../src/domain/run.ts";
import { type Fields, isFields } from "../../../../src/util/json-fields.ts";
import { BadRecording } from "./bad-recording.ts";
import { Moments } from "./moments.ts";
import { eachLine } from "./recording-lines.ts";

export interface ShownRecording {
  readonly run: Run;
  readonly program: string;
  readonly moments: Moments;
  /** The end is missing, or lines are: what is there can be shown. */
  readonly flaw: "cut" | "lines" | null;
}

export const MAX_BYTES = 500_000_000;
/** These lines have nothing to show, and documents are large: they are counted, not read. */
const SKIPPED = ['{"type":"segment"', '{"type":"record"', '{"type":"document"'];

/**
 * Reads a recording in slices, so that the page stays responsive. Nothing is stored or sent. The digests of lines are not checked; the
 * command `npm run replay` does. @throws BadRecording
 */
export async function readRecording(file: Blob, progress: Parameters<typeof eachLine>[2]): Promise<ShownRecording> {
  if (file.size === 0) throw new BadRecording("empty");
  if (file.size > MAX_BYTES) throw new BadRecording("tooLarge");
  const reader = new RecordingReader();
  const onLine = (line: string): boolean => {
    reader.add(line);
    return false;
  };
  await eachLine(file, onLine, progress);
  return reader.finish();
}

class RecordingReader {
  lines = 0;
  #head: { readonly run: Run; readonly program: string } | null = null;
  #counted = 0;
  #declared: number | null = null;
  readonly #moments = new Moments();

  add(text: string): void {
    this.lines += 1;
    if (text.trim() === "") return;
    if (this.#declared === null) this.#counted += 1;
    if (this.#head !== null && SKIPPED.some((start) => text.startsWith(start))) return;
    const line = this.#parse(text);
    if (this.#head === null) this.#head = this.#headOf(line);
    else if (line["type"] === "event") this.#addEvent(line, this.#head.run.id);
    else if (line["type"] === "end") {
      this.#declared = Number(line["lines"]);
      this.#counted -= 1;
    }
  }

  finish(): ShownRecording {
    if (this.#head === null) throw new BadRecording("empty");
    if (this.#moments.size === 0) throw new BadRecording(this.#declared === null ? "cutBefore" : "noEvents");
    const flaw = this.#declared === null ? "cut" : this.#declared === this.#counted ? null : "lines";
    return { ...this.#head, moments: this.#moments, flaw };
  }

  #parse(text: string): Fields {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      // A pretty-printed JSON file ends its first line in the middle of a value.
      throw new BadRecording("notJson", this.lines, error instanceof Error ? error.message : String(error));
    }
    if (!isFields(value)) throw new BadRecording("notRecording", this.lines);
    return value;
  }

  #headOf(line: Fields): { readonly run: Run; readonly program: string } {
    if (line["type"] === "dossier-bundle") throw new BadRecording("bundle");
    const run = line["run"] as Partial<Run> | undefined;
    const isRun = typeof run === "object" && run !== null && typeof run.id === "string" && typeof run.question === "string";
    if (line["type"] !== "recording" || !isRun) throw new BadRecording("notRecording", this.lines);
    if (line["version"] !== 1) throw new BadRecording("version", this.lines, String(line["version"]));
    return { run: run as Run, program: String(line["program"] ?? "") };
  }

  #addEvent(line: Fields, runId: string): void {
    const seq = Number(line["seq"]);
    if (seq !== this.#moments.size + 1) throw new BadRecording("gap", this.lines, `${this.#moments.size + 1} ≠ ${line["seq"]}`);
    try {
      const { at, path, body } = line["event"] as { readonly at: number; readonly path: string; readonly body: string };
      const event = { ...JSON.parse(body), seq, runId, at: new Date(at).toISOString(), path } as RunEvent;
      if (typeof event.type !== "string" || typeof path !== "string") throw new TypeError("type or path is missing");
      this.#moments.add(event);
    } catch (error) {
      throw new BadRecording("event", this.lines, error instanceof Error ? error.message : String(error));
    }
  }
}

import type { RunEvent } from "../../../../src/domain/events.ts";
import type { Run } from "../../../../src/domain/run.ts";
import { Moments } from "./moments.ts";

export interface ShownRecording {
  readonly run: Run;
  readonly program: string;
  readonly moments: Moments;
  /** The end is missing, or lines are: what is there can be shown. */
  readonly flaw: "cut" | "lines" | null;
}

/** Why a file cannot be shown. `line` counts from 1; `detail` is what a parser said. */
export class BadRecording extends Error {
  readonly what:
    | "empty"
    | "binary"
    | "tooLarge"
    | "notJson"
    | "bundle"
    | "notRecording"
    | "version"
    | "event"
    | "gap"
    | "noEvents"
    | "longLine";
  readonly line: number;
  readonly detail: string;

  constructor(what: BadRecording["what"], line = 0, detail = "") {
    super(`${what} ${line} ${detail}`);
    this.name = "BadRecording";
    this.what = what;
    this.line = line;
    this.detail = detail;
  }
}

export const MAX_BYTES = 500_000_000;
const MAX_LINE = 100_000_000;
const SLICE_MS = 12;
/** These lines have nothing to show, and documents are large: they are counted, not read. */
const SKIPPED = ['{"type":"segment"', '{"type":"record"', '{"type":"document"'];

interface Progress {
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

/**
 * Reads a recording in slices, so that the page stays responsive. Nothing is stored or sent. The digests of lines are not checked; the
 * command `npm run replay` does. @throws BadRecording
 */
export async function readRecording(file: Blob, { signal, onProgress }: Progress): Promise<ShownRecording> {
  if (file.size === 0) throw new BadRecording("empty");
  if (file.size > MAX_BYTES) throw new BadRecording("tooLarge");
  const reader = new RecordingReader();
  const turn = createTurns(signal);
  let bytes = 0;
  let open: string[] = [];
  let openLength = 0;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of chunksOf(file)) {
    bytes += chunk.byteLength;
    const lines = decode(decoder, chunk, reader.lines).split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      await turn();
      reader.add(open.length === 0 ? line : open.join("") + line);
      open = [];
      openLength = 0;
    }
    open.push(rest);
    openLength += rest.length;
    if (openLength > MAX_LINE) throw new BadRecording("longLine", reader.lines + 1);
    onProgress(bytes);
  }
  const last = open.join("");
  if (last !== "") reader.add(last);
  return reader.finish();
}

function decode(decoder: TextDecoder, chunk: Uint8Array, lines: number): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw new BadRecording("binary", lines + 1);
  }
}

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Returns a function to await between lines. It lets the browser work after each 12 ms. */
function createTurns(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        since = performance.now();
        if (signal.aborted) reject(signal.reason);
        else resolve();
      });
    });
  };
}

type Line = Readonly<Record<string, unknown>>;

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
    if (this.#moments.size === 0) throw new BadRecording("noEvents");
    const flaw = this.#declared === null ? "cut" : this.#declared === this.#counted ? null : "lines";
    return { ...this.#head, moments: this.#moments, flaw };
  }

  #parse(text: string): Line {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      // A pretty-printed JSON file ends its first line in the middle of a value.
      throw new BadRecording("notJson", this.lines, error instanceof Error ? error.message : String(error));
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new BadRecording("notRecording", this.lines);
    return value as Line;
  }

  #headOf(line: Line): { readonly run: Run; readonly program: string } {
    if (line["type"] === "dossier-bundle") throw new BadRecording("bundle");
    const run = line["run"] as Partial<Run> | undefined;
    const isRun = typeof run === "object" && run !== null && typeof run.id === "string" && typeof run.question === "string";
    if (line["type"] !== "recording" || !isRun) throw new BadRecording("notRecording", this.lines);
    if (line["version"] !== 1) throw new BadRecording("version", this.lines, String(line["version"]));
    return { run: run as Run, program: String(line["program"] ?? "") };
  }

  #addEvent(line: Line, runId: string): void {
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

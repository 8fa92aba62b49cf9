import { hashJson } from "../domain/json.ts";
import { type RecordingLine, RecordingLineSchema, type UnsignedLine } from "../domain/recording.ts";
import { DossierError } from "../errors.ts";

/** One line of a recording, with its digest and its line end. */
export function signLine(line: UnsignedLine): string {
  // Many tools take these two for line ends, which JSON does not.
  const text = JSON.stringify({ ...line, digest: hashJson(line) })
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  return `${text}\n`;
}

/** The lines of a file that arrives in pieces, as JSON Lines has them: ended by a line feed and by nothing else. */
export async function* splitLines(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/**
 * The line as it was written.
 * @throws DossierError `recording_invalid` that names the line, for broken JSON, a wrong form, or a digest that does not match
 */
export function readLine(text: string, number: number): RecordingLine {
  const written = parseJson(text, number);
  const parsed = RecordingLineSchema.safeParse(written);
  if (!parsed.success) throw invalid(number, `it is not a line of a recording (${parsed.error.issues[0]?.message ?? "unknown form"})`);
  // Not of the parsed line: the schema fills in fields that recordings of earlier versions lack.
  const { digest, ...line } = written as RecordingLine;
  if (hashJson(line) !== digest) throw invalid(number, `its content does not match its digest: ${describe(parsed.data)} has been changed`);
  return parsed.data;
}

function parseJson(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(number, `it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

function describe(line: RecordingLine): string {
  if (line.type === "record") return `record ${line.record.ord} (${line.record.key})`;
  if (line.type === "event") return `event ${line.seq} (${line.event.origin})`;
  if (line.type === "document") return `document ${line.document.contentHash}`;
  return line.type;
}

export function invalid(number: number, what: string): DossierError {
  return new DossierError("recording_invalid", `Line ${number} of the recording: ${what}.`);
}

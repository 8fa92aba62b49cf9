import { createReadStream, type PathLike } from "node:fs";
import type { AnalystParts, SourceParts } from "./compose/parts.ts";
import { replay } from "./compose.ts";
import { DossierError, toDossierError } from "./errors.ts";
import { readRecording, splitLines } from "./journal/recording-file.ts";

/**
 * Replays the recording of a run, as `GET /research/{id}/recording` returns it, without storage, network or clock. `difference` is null if
 * the program makes the same requests, events and report as recorded; otherwise it names the first difference and its place.
 * @param parts what the recorded run had beside the built-in program: its own `tools` and `promptsDir`
 * @throws DossierError `invalid_request` for a file that is no recording, `unknown_graph`
 */
export async function replayFile(file: PathLike, parts: AnalystParts & SourceParts = {}) {
  const recording = await readRecording(readLines(file));
  return { ...(await replay(recording, parts)), recording };
}

async function* readLines(file: PathLike): AsyncIterable<string> {
  try {
    yield* splitLines(createReadStream(file, { encoding: "utf8" }));
  } catch (error) {
    throw new DossierError("invalid_request", `The recording cannot be read: ${toDossierError(error).message}`, { cause: error });
  }
}

import { createReadStream } from "node:fs";
import { replay } from "../compose.ts";
import { readConfig } from "../config.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { readRecording, splitLines } from "../journal/recording-file.ts";
import { plural, print, say, type Terminal } from "./terminal.ts";

/** Returns the exit code: 0 for an identical replay, 1 for a different one. */
export async function replayFile(terminal: Terminal, file: string): Promise<number> {
  const recording = await readRecording(readLines(file));
  const { PROMPTS_DIR: promptsDir } = readConfig(terminal.env);
  const { difference, events, changedPrompts } = await replay(recording, promptsDir === undefined ? {} : { promptsDir });
  if (difference === null) {
    print(terminal, `identical\n`);
    if (changedPrompts.length > 0)
      say(terminal, `These prompts have changed since the run, without a difference: ${changedPrompts.map(({ name }) => name).join(", ")}`);
    say(terminal, `${plural(events.length, "event")}, ${plural(recording.segments.length, "segment")}, run ${recording.run.id}`);
    return 0;
  }
  print(terminal, `different at ${difference.place}: ${difference.message}\n`);
  return 1;
}

async function* readLines(file: string): AsyncIterable<string> {
  try {
    yield* splitLines(createReadStream(file, { encoding: "utf8" }));
  } catch (error) {
    throw new DossierError("invalid_request", `The recording cannot be read: ${toDossierError(error).message}`, { cause: error });
  }
}

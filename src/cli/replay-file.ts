import { readConfig } from "../config.ts";
import { replayFile } from "../testing.ts";
import { plural, print, say, type Terminal } from "./terminal.ts";

/** Returns the exit code: 0 for an identical replay, 1 for a different one. */
export async function runReplay(terminal: Terminal, file: string): Promise<number> {
  const { PROMPTS_DIR: promptsDir } = readConfig(terminal.env);
  const { difference, events, changedPrompts, recording } = await replayFile(file, promptsDir === undefined ? {} : { promptsDir });
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

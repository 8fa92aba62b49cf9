import type { PromptHashes } from "../domain/ports/models.ts";
import type { Recording } from "../domain/recording.ts";
import type { Replay } from "./replay.ts";

/** A prompt that is not what it was when the run was recorded; a hash is null where there was or is none of that name. */
export interface ChangedPrompt {
  readonly name: string;
  readonly recorded: string | null;
  readonly now: string | null;
}

export interface ReplayWithPrompts extends Replay {
  readonly changedPrompts: readonly ChangedPrompt[];
}

/**
 * The replay with the prompts that have changed. Where it differs, they are what differs first: the requests that follow from them only
 * show it. Where it does not, they made no difference.
 * @param now the hashes of the templates in force of the graph's roles
 */
export function explainByPrompts(replay: Replay, recording: Recording, now: PromptHashes): ReplayWithPrompts {
  const changedPrompts = promptsChangedSince(recording, now);
  if (replay.difference === null || changedPrompts.length === 0) return { ...replay, changedPrompts };
  const { place, message } = replay.difference;
  const difference = {
    place: `${changedPrompts.length === 1 ? "the prompt" : "the prompts"} ${changedPrompts.map(({ name }) => name).join(", ")}`,
    message: `${changedPrompts.map(tellChange).join("; ")}. It shows first at ${place}: ${message}`,
  };
  return { ...replay, difference, changedPrompts };
}

/** None where the recording does not say what its prompts were. */
function promptsChangedSince({ segments }: Recording, now: PromptHashes): ChangedPrompt[] {
  const input = segments[0]?.segment.input;
  const recorded = input?.type === "start" ? input.task.prompts : undefined;
  if (recorded === undefined) return [];
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
  return names
    .map((name) => ({ name, recorded: recorded[name] ?? null, now: now[name] ?? null }))
    .filter((prompt) => prompt.recorded !== prompt.now);
}

function tellChange({ name, recorded, now }: ChangedPrompt): string {
  const hash = (sha256: string | null): string => (sha256 === null ? "none" : `sha256 ${sha256}`);
  return `${name} was recorded as ${hash(recorded)}, and is now ${hash(now)}`;
}

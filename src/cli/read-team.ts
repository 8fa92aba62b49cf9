import { readFileSync, statSync } from "node:fs";
import { type Team, TeamSchema } from "../domain/team.ts";

/** In bytes; the largest team that is taken fits many times. */
const MAX_SIZE = 1_000_000;

/** Whether `--team` names a file: nothing else ends so. */
export function isTeamFile(named: string): boolean {
  return named.endsWith(".json");
}

/** The one team of a file, in the form that a request has it in, or in words what is wrong with it. */
export function readTeam(file: string): Team | string {
  let given: unknown;
  try {
    const { size } = statSync(file);
    if (size > MAX_SIZE) return `${file} is no team: it has ${size} bytes, at most ${MAX_SIZE} are read.`;
    given = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
  const team = TeamSchema.safeParse(given);
  if (team.success) return team.data;
  return `${file} is no team: ${team.error.issues.map(({ path, message }) => `${path.join("/") || "it"}: ${message}`).join("; ")}.`;
}

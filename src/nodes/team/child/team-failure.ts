import type { Effects } from "../../../domain/ports/effects.ts";
import type { Child } from "../../../domain/team.ts";
import { DossierError } from "../../../errors.ts";
import type { Roster } from "../roster.ts";

/** The most that is told of one result, in UTF-16 code units. */
const MAX_TOLD_LENGTH = 200;

/** The error of a run whose critical child has failed; says what the others had found. Those that never began are told to be skipped. */
export function failureOfTeam({ id, error }: Child, roster: Roster, effects: Effects): DossierError {
  const left = roster.children.flatMap((child) => leftOf(child, id));
  if (left.length > 0) roster.change(left, effects);
  const found = roster.children.flatMap(({ id, output }) => (output === null ? [] : [`${id}: ${shortened(output)}`]));
  const kept = found.length === 0 ? "No other child had finished." : `What had been found is kept in its children. ${found.join(" | ")}`;
  return new DossierError("child_failed", `The critical child ${id} failed (${error?.code ?? "unknown"}): ${error?.message ?? ""} ${kept}`);
}

/** What becomes of a child that will not go on. */
function leftOf({ id, status }: Child, culprit: string): (Pick<Child, "id"> & Partial<Child>)[] {
  if (status === "pending") return [{ id, status: "skipped" }];
  if (status !== "waiting") return [];
  const error = { code: "cancelled", message: `Its question was not answered, because the critical child ${culprit} failed.` };
  return [{ id, status: "failed", success: false, error }];
}

function shortened(output: string): string {
  const line = output.replace(/\s+/g, " ").trim();
  return line.length <= MAX_TOLD_LENGTH ? line : `${line.slice(0, MAX_TOLD_LENGTH).toWellFormed()}…`;
}

import type { Effects } from "../../../domain/ports/effects.ts";
import type { Child } from "../../../domain/team.ts";
import { DossierError } from "../../../errors.ts";
import type { Roster } from "../roster.ts";

/** The most that is told of one result, in UTF-16 code units. */
const MAX_TOLD_LENGTH = 200;

/** The error of a run whose critical child has failed; says what the others had found. Those that never began are told to be skipped. */
export function failureOfTeam({ id, error }: Child, roster: Roster, effects: Effects): DossierError {
  const skipped = roster.children.filter(({ status }) => status === "pending");
  if (skipped.length > 0)
    roster.change(
      skipped.map((child) => ({ id: child.id, status: "skipped" })),
      effects,
    );
  const found = roster.children.flatMap(({ id, output }) => (output === null ? [] : [`${id}: ${shortened(output)}`]));
  const kept = found.length === 0 ? "No other child had finished." : `What had been found is kept in its children. ${found.join(" | ")}`;
  return new DossierError("child_failed", `The critical child ${id} failed (${error?.code ?? "unknown"}): ${error?.message ?? ""} ${kept}`);
}

function shortened(output: string): string {
  const line = output.replace(/\s+/g, " ").trim();
  return line.length <= MAX_TOLD_LENGTH ? line : `${line.slice(0, MAX_TOLD_LENGTH).toWellFormed()}…`;
}

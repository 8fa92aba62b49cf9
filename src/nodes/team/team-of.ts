import type { Task } from "../../domain/request.ts";
import type { ChildSpec, Team } from "../../domain/team.ts";
import { DossierError } from "../../errors.ts";

/** @throws DossierError `internal` where the run was started without a team */
export function teamOf({ team }: Task): Team {
  if (team === undefined) throw new DossierError("internal", "The graph team was started without a team.");
  return team;
}

/** @throws DossierError `internal` where the team has no such child */
export function specOf(task: Task, id: string): ChildSpec {
  const spec = teamOf(task).children.find((child) => child.id === id);
  if (spec === undefined) throw new DossierError("internal", `The team has no child ${id}.`);
  return spec;
}

import type { Limits, ResearchRequest } from "../domain/request.ts";
import { CHILD_TIMEOUT_MS, type ChildSpec, type Team } from "../domain/team.ts";
import { DossierError, type Fault } from "../errors.ts";

const GRAPH = "team";
/** The team of a request that names none. */
const DEFAULT = "default";

/**
 * The team of a run with everything resolved; undefined for every other graph.
 * @throws DossierError `invalid_request` where there is none, none of that name, or one that asks for more time than the run has
 */
export function resolveTeam(request: ResearchRequest, teams: ReadonlyMap<string, Team>, limits: Limits): Team | undefined {
  const { graph, team } = request;
  if (graph !== GRAPH) {
    if (team === undefined) return undefined;
    throw refused([{ path: "/team", message: `has no meaning for the graph ${graph}; ask for the graph ${GRAPH}` }]);
  }
  const given = typeof team === "object" ? team : teamOf(team, teams);
  const wholeMs = limits.seconds * 1000;
  if (typeof team === "object") checkTimes(team, wholeMs);
  return { ...given, children: given.children.map((child) => withTime(child, wholeMs)) };
}

function teamOf(name: string | undefined, teams: ReadonlyMap<string, Team>): Team {
  const known = teams.get(name ?? DEFAULT);
  if (known !== undefined) return known;
  const there = teams.size === 0 ? "this server has no teams" : `this server has: ${[...teams.keys()].join(", ")}`;
  const message =
    name === undefined ? `is missing, and ${there}, none of them the ${DEFAULT} one` : `${JSON.stringify(name)} is not known; ${there}`;
  throw refused([{ path: "/team", message }]);
}

function checkTimes({ children }: Team, wholeMs: number): void {
  const faults = children.flatMap(({ timeoutMs = 0 }, at): Fault[] =>
    timeoutMs <= wholeMs ? [] : [{ path: `/team/children/${at}/timeoutMs`, message: `at most the ${wholeMs} ms of the whole run` }],
  );
  if (faults.length > 0) throw refused(faults);
}

function withTime(child: ChildSpec, wholeMs: number): ChildSpec {
  return { ...child, timeoutMs: Math.min(child.timeoutMs ?? CHILD_TIMEOUT_MS, Math.max(1, Math.floor(wholeMs))) };
}

function refused(faults: readonly Fault[]): DossierError {
  return new DossierError("invalid_request", `${faults.map(({ path, message }) => `${path} ${message}`).join("; ")}. Nothing was stored.`, {
    faults,
  });
}

import type { Team } from "../../../../src/domain/team.ts";
import { fieldsOf, listOf } from "../../../../src/util/json-fields.ts";

/** A bound of the server. */
export const MAX_AGENTS = 8;

/** Agents that the user has written. What the form does not show goes back as it came. */
export type OwnTeam = Omit<Team, "children"> & { readonly children: readonly OwnAgent[] };
type OwnAgent = Partial<Team["children"][number]> & { readonly id: string; readonly prompt: string };

export const NEW_TEAM: OwnTeam = { pattern: "concurrent", children: [{ id: "agent-1", prompt: "" }] };

export function addAgent(team: OwnTeam): OwnTeam {
  const ids = new Set(team.children.map(({ id }) => id));
  let number = team.children.length + 1;
  while (ids.has(`agent-${number}`)) number += 1;
  return { ...team, children: [...team.children, { id: `agent-${number}`, prompt: "" }] };
}

export function removeAgent(team: OwnTeam, id: string): OwnTeam {
  return { ...team, children: team.children.filter((agent) => agent.id !== id) };
}

export function instruct(team: OwnTeam, id: string, prompt: string): OwnTeam {
  return { ...team, children: team.children.map((agent) => (agent.id === id ? { ...agent, prompt } : agent)) };
}

/** An agent without a task cannot work. */
export function isComplete(team: string | OwnTeam | null): boolean {
  return team === null || typeof team === "string" || team.children.every(({ prompt }) => prompt.trim() !== "");
}

/** The team with something to do for each agent, so that the server can estimate it before its tasks are written. */
export function completed(team: string | OwnTeam | null): string | OwnTeam | null {
  if (team === null || typeof team === "string") return team;
  return { ...team, children: team.children.map((agent) => ({ ...agent, prompt: agent.prompt.trim() || "…" })) };
}

/** Reads a team of an earlier run; null if it is none. */
export function ownTeamOf(value: unknown): OwnTeam | null {
  const children = listOf(fieldsOf(value)["children"]);
  const isAgent = (one: unknown): boolean => {
    const { id, prompt } = fieldsOf(one);
    return typeof id === "string" && typeof prompt === "string";
  };
  return children.length > 0 && children.every(isAgent) ? (value as OwnTeam) : null;
}

import type { ToolOutcome } from "../domain/tool.ts";

const BARREN_ROUNDS = 2;

/** Whether a loop of calls stands still: a round of nothing but repeated calls, or two rounds in a row that brought nothing new. */
export function withoutProgress(outcomes: readonly ToolOutcome[], round: number): boolean {
  const last = outcomes.filter((outcome) => outcome.round === round);
  if (last.every((outcome) => outcome.reused)) return true;
  const recent = outcomes.filter((outcome) => outcome.round > round - BARREN_ROUNDS);
  return round >= BARREN_ROUNDS && recent.every((outcome) => outcome.newResults === 0);
}

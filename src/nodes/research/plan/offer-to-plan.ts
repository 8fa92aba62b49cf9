import { overdrawn } from "../../../domain/budget.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { ToolServers } from "../../../domain/ports/tool-servers.ts";
import type { LedgerEntry } from "../../../domain/report.ts";
import type { OfferedTool } from "../../../domain/tool.ts";
import type { ResearchStateValue } from "../../../graphs/research/state.ts";
import { listOffered } from "../../tool-servers/list-offered.ts";

const NO_CALL = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** What servers offer to the planner, and to the todos after it; null where they have not been asked. */
export interface PlanningOffer {
  readonly offered: OfferedTool[] | null;
  readonly ledger: readonly LedgerEntry[];
}

/** Asks the servers in scope before the first plan, once for the whole run. Where no model may plan any more, none is asked. */
export async function offerToPlan(
  { task, offered }: Pick<ResearchStateValue, "task" | "offered">,
  servers: ToolServers,
  msLeft: number,
  effects: Effects,
): Promise<PlanningOffer> {
  const planned = msLeft > 0 && overdrawn(task.limits, effects.spent(), "gather", NO_CALL) === null;
  return planned ? listOffered({ task, offered }, servers, effects, msLeft) : { offered, ledger: [] };
}

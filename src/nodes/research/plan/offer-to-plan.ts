import { overdrawn } from "../../../domain/budget.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { ToolServers } from "../../../domain/ports/tool-servers.ts";
import type { LedgerEntry } from "../../../domain/report.ts";
import type { OfferedTool } from "../../../domain/tool.ts";
import type { ResearchStateValue } from "../../../graphs/research/state.ts";
import { listMore, listOffered, unlisted } from "../../tool-servers/list-offered.ts";

/** How often a server that cannot be asked is tried in a run. */
const MAX_LISTINGS = 3;

const NO_CALL = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** What servers offer to the planner, and to the todos after it; null where they have not been asked. */
export interface PlanningOffer {
  readonly offered: OfferedTool[] | null;
  readonly ledger: readonly LedgerEntry[];
}

type Before = Pick<ResearchStateValue, "task" | "offered" | "ledger" | "needsMorePlanning">;

/**
 * Asks the servers in scope before the first plan, once for the whole run, and those that could not be asked anew before a plan that
 * comes later, after todos or an answer of the user. Where no model may plan any more, none is asked.
 */
export async function offerToPlan(before: Before, servers: ToolServers, msLeft: number, effects: Effects): Promise<PlanningOffer> {
  const { task, offered, ledger, needsMorePlanning } = before;
  const planned = msLeft > 0 && overdrawn(task.limits, effects.spent(), "gather", NO_CALL) === null;
  if (!planned) return { offered, ledger: [] };
  if (offered === null) return listOffered({ task, offered }, servers, effects, msLeft);
  // Where the planner has only not finished, no time has passed in which a server could have come back.
  const tried = needsMorePlanning ? [] : [...unlisted(ledger, offered)];
  const ids = tried.filter(([, times]) => times < MAX_LISTINGS).map(([server]) => server);
  return listMore({ task, offered, ids }, servers, effects, msLeft);
}

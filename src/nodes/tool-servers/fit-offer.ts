import { estimateTokens } from "../../domain/estimate-tokens.ts";
import type { OfferedTool } from "../../domain/tool.ts";

/** The share of a model's context that the tools of servers may take. */
const SHARE = 0.25;

export interface Fitted {
  readonly kept: OfferedTool[];
  readonly leftOut: OfferedTool[];
}

/**
 * As many tools as the model has room for beside its work: each server's first one, then each server's second one, and so on, so that a
 * server with many takes nothing from the others. In the order in which they were offered; those that are there `already` keep their room.
 */
export function fitOffer(tools: readonly OfferedTool[], contextTokens: number, already: readonly OfferedTool[] = []): Fitted {
  const taken = new Set<OfferedTool>();
  let left = Math.floor(contextTokens * SHARE) - already.reduce((sum, tool) => sum + tokensOf(tool), 0);
  for (const tool of serversInTurn(tools)) {
    const tokens = tokensOf(tool);
    if (tokens > left) continue;
    left -= tokens;
    taken.add(tool);
  }
  return { kept: tools.filter((tool) => taken.has(tool)), leftOut: tools.filter((tool) => !taken.has(tool)) };
}

function tokensOf({ name, description, parameters }: OfferedTool): number {
  return estimateTokens(`${name} ${description} ${JSON.stringify(parameters)}`);
}

/** Each server's first tool, then each server's second one, and so on. */
export function serversInTurn(tools: readonly OfferedTool[]): OfferedTool[] {
  const servers = [...Map.groupBy(tools, ({ server }) => server).values()];
  const longest = Math.max(0, ...servers.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => servers.flatMap((own) => own[index] ?? [])).flat();
}

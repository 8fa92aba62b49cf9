import type { Effects } from "../../domain/ports/effects.ts";
import type { ServerFailure, ToolListing, ToolServers } from "../../domain/ports/tool-servers.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import { isServerId, type OfferedTool } from "../../domain/tool.ts";
import { type DossierError, toDossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { fitOffer } from "./fit-offer.ts";

const LIST_TIMEOUT_MS = 20_000;
/** The method that servers are asked by, which is the target of the ledger. */
const LISTING = "tools/list";
const MAX_NAMES_LENGTH = 300;

export interface Offer {
  readonly offered: OfferedTool[];
  readonly ledger: LedgerEntry[];
}

/** What the servers in the scope of a run offer, once for the whole run; a server that cannot be asked is told, and the run goes on. */
export async function listOffered(
  { task, offered }: { readonly task: Task; readonly offered: OfferedTool[] | null },
  servers: ToolServers,
  effects: Effects,
  msLeft: number,
): Promise<Offer> {
  if (offered !== null) return { offered, ledger: [] };
  return listMore({ task, offered: [], ids: task.tools.filter(isServerId) }, servers, effects, msLeft);
}

/** What there is, and what the servers of `ids` offer beside it. */
export async function listMore(
  { task, offered, ids }: { readonly task: Task; readonly offered: OfferedTool[]; readonly ids: readonly string[] },
  servers: ToolServers,
  effects: Effects,
  msLeft: number,
): Promise<Offer> {
  // Without a model nobody could call them.
  if (ids.length === 0 || task.models === null) return { offered, ledger: [] };
  const since = effects.now();
  const { tools, failures } = await ask(ids, servers, effects, msLeft);
  const ms = effects.elapsedMs(since);
  const { kept, leftOut } = fitOffer(tools, task.models.contextTokens, offered);
  const ledger = [...failures, ...tooMany(leftOut)].map(({ server, failure, message }): LedgerEntry => {
    const detail = stripUnknownAddresses(message, []);
    effects.emit({ type: "source-failed", source: server, query: "", failure, message: detail });
    return { what: "tool", source: server, target: LISTING, outcome: "failed", results: 0, failure, detail, ms };
  });
  return { offered: [...offered, ...kept], ledger };
}

/** The servers that could not be asked, each with how often it was tried in vain. */
export function unlisted(ledger: readonly LedgerEntry[], offered: readonly OfferedTool[]): ReadonlyMap<string, number> {
  const failed = ledger.filter(({ target, source, failure }) => target === LISTING && failure !== "too_large" && isServerId(source));
  const silent = failed.filter(({ source }) => offered.every(({ server }) => server !== source));
  return new Map([...Map.groupBy(silent, ({ source }) => source)].map(([server, entries]) => [server, entries.length]));
}

/** Servers some of whose tools the model has no room for. */
function tooMany(leftOut: readonly OfferedTool[]): ServerFailure[] {
  return [...Map.groupBy(leftOut, ({ server }) => server)].map(([server, tools]) => {
    const names = tools
      .map(({ name }) => name)
      .join(", ")
      .slice(0, MAX_NAMES_LENGTH);
    return {
      server,
      failure: "too_large",
      message: `${tools.length} of its tools were not offered, as the model has no room for them: ${names}`,
    };
  });
}

async function ask(ids: readonly string[], servers: ToolServers, effects: Effects, msLeft: number): Promise<ToolListing> {
  try {
    return await effects.perform<ToolListing>({
      kind: "listing",
      request: { servers: [...ids] },
      timeoutMs: Math.max(1, Math.min(LIST_TIMEOUT_MS, msLeft)),
      live: (signal) => servers.list(ids, signal),
    });
  } catch (thrown) {
    effects.signal.throwIfAborted();
    return { tools: [], failures: ids.map((server) => ({ server, ...failureOf(toDossierError(thrown)) })) };
  }
}

function failureOf({ code, message }: DossierError): { readonly failure: "timeout" | "unreachable"; readonly message: string } {
  return { failure: code === "timeout" ? "timeout" : "unreachable", message };
}

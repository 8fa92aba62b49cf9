import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Usage } from "../domain/run.ts";
import { isTurnOver } from "../util/turns.ts";
import type { Statements } from "./run-statements.ts";

type ModelUsage = Usage["models"][number];

/** Records never change, so each receipt is read once. One takes some 200 bytes. */
const MAX_RECEIPTS = 20_000;

/** Returns a function that counts the usage of a run from its journal, so that it is current while the run is running. */
export function createUsageReader(sql: Pick<Statements, "counted" | "receipt">): (runId: string) => Promise<Usage> {
  const receipts = new LRUCache<string, ModelUsage>({ max: MAX_RECEIPTS });

  function receiptOf(runId: string, segment: number, epoch: number, ord: number): ModelUsage {
    const key = `${runId} ${segment} ${epoch} ${ord}`;
    const known = receipts.get(key);
    if (known !== undefined) return known;
    const text = sql.receipt.get(runId, segment, epoch, ord)?.receipt ?? "[]";
    const [model, inputTokens, outputTokens, costUsd, estimated] = JSON.parse(text) as unknown[];
    const receipt: ModelUsage = {
      model: typeof model === "string" ? model : "",
      calls: 1,
      inputTokens: Number(inputTokens ?? 0),
      outputTokens: Number(outputTokens ?? 0),
      costUsd: Number(costUsd ?? 0),
      estimated: Number(estimated ?? 0),
    };
    receipts.set(key, receipt);
    return receipt;
  }

  /** Reads one model call at a time, in turns of the event loop: SQLite parses an answer of a megabyte for tens of milliseconds. */
  return async (runId) => {
    const counted = sql.counted.all(runId, runId);
    const byModel = new Map<string, ModelUsage>();
    for (const { kind, segment, epoch, ord } of counted) {
      if (kind !== "model") continue;
      if (isTurnOver()) await nextTurn();
      const receipt = receiptOf(runId, segment, epoch, ord);
      byModel.set(receipt.model, add(byModel.get(receipt.model), receipt));
    }
    const models = [...byModel.values()].sort((a, b) => (a.model < b.model ? -1 : 1));
    const calls = (kind: string): number => counted.filter((row) => row.kind === kind).length;
    const sum = (key: "inputTokens" | "outputTokens" | "costUsd"): number => models.reduce((total, one) => total + one[key], 0);
    return {
      modelCalls: calls("model"),
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      toolCalls: calls("tool"),
      sourceRequests: calls("search"),
      downloads: calls("download"),
      costUsd: sum("costUsd"),
      models,
    };
  };
}

function add(one: ModelUsage | undefined, other: ModelUsage): ModelUsage {
  if (one === undefined) return other;
  return {
    model: one.model,
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd + other.costUsd,
    estimated: one.estimated + other.estimated,
  };
}

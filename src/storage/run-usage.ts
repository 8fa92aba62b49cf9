import { sql } from "kysely";
import type { Usage } from "../domain/run.ts";
import { allRows, type Database } from "./database.ts";
import { latestEpochs } from "./run-tables.ts";
import type { JournalRow } from "./tables.ts";

type ModelUsage = Usage["models"][number];

/** Counts the usage of a run from its journal, so that it is current while the run is running. */
export async function usageOf(database: Database, runId: string): Promise<Usage> {
  const counted = await allRows(
    database,
    sql<Pick<JournalRow, "kind" | "receipt">>`select kind, receipt from journal where run_id = ${runId} and counts = 1
      and (segment, epoch) in ${latestEpochs(runId)} order by segment, epoch, ord`,
  );
  const byModel = new Map<string, ModelUsage>();
  for (const { kind, receipt } of counted) {
    if (kind !== "model") continue;
    const one = toUsage(receipt);
    byModel.set(one.model, add(byModel.get(one.model), one));
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
}

function toUsage(receipt: string | null): ModelUsage {
  const [model, inputTokens, outputTokens, costUsd, estimated] = JSON.parse(receipt ?? "[]") as unknown[];
  return {
    model: typeof model === "string" ? model : "",
    calls: 1,
    inputTokens: Number(inputTokens ?? 0),
    outputTokens: Number(outputTokens ?? 0),
    costUsd: Number(costUsd ?? 0),
    estimated: Number(estimated ?? 0),
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

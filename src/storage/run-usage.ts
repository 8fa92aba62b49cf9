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
  for (const { kind, receipt } of counted) if (kind === "model") add(byModel, receipt);
  const models = [...byModel.values()].sort((a, b) => (a.model < b.model ? -1 : 1));
  const calls = (kind: string): number => counted.filter((row) => row.kind === kind).length;
  const sum = (key: "inputTokens" | "outputTokens" | "costUsd"): number => models.reduce((total, one) => total + one[key], 0);
  return {
    ...{ modelCalls: calls("model"), inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") },
    ...{ toolCalls: calls("tool"), sourceRequests: calls("search"), downloads: calls("download"), costUsd: sum("costUsd") },
    models,
  };
}

function add(byModel: Map<string, ModelUsage>, receipt: string | null): void {
  const [name, ...counts] = JSON.parse(receipt ?? "[]") as unknown[];
  const [inputTokens = 0, outputTokens = 0, costUsd = 0, estimated = 0] = counts.map((count) => Number(count ?? 0));
  const model = typeof name === "string" ? name : "";
  const known = byModel.get(model) ?? { model, calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, estimated: 0 };
  known.calls += 1;
  known.inputTokens += inputTokens;
  known.outputTokens += outputTokens;
  known.costUsd += costUsd;
  known.estimated += estimated;
  byModel.set(model, known);
}

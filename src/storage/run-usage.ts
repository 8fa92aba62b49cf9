import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Usage } from "../domain/run.ts";
import { isTurnOver } from "../util/turns.ts";
import type { Statements } from "./run-statements.ts";

type ModelUsage = Usage["models"][number];

/** Records never change, so each receipt is read once. One takes some 200 bytes. */
const MAX_RECEIPTS = 20_000;

/** Counts usage from the journal, so that it is current while a run is running. */
export class RunUsage {
  readonly #sql: Pick<Statements, "counted" | "receipt">;
  readonly #receipts = new LRUCache<string, ModelUsage>({ max: MAX_RECEIPTS });

  constructor(sql: Pick<Statements, "counted" | "receipt">) {
    this.#sql = sql;
  }

  /** Reads one model call at a time, in turns of the event loop: SQLite parses an answer of a megabyte for tens of milliseconds. */
  async of(runId: string): Promise<Usage> {
    const counted = this.#sql.counted.all(runId, runId);
    const byModel = new Map<string, ModelUsage>();
    for (const { kind, segment, epoch, ord } of counted) {
      if (kind !== "model") continue;
      if (isTurnOver()) await nextTurn();
      const receipt = this.#receiptOf(runId, segment, epoch, ord);
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
  }

  #receiptOf(runId: string, segment: number, epoch: number, ord: number): ModelUsage {
    const key = `${runId} ${segment} ${epoch} ${ord}`;
    const known = this.#receipts.get(key);
    if (known !== undefined) return known;
    const text = this.#sql.receipt.get(runId, segment, epoch, ord)?.receipt ?? "[]";
    const [model, inputTokens, outputTokens, costUsd, estimated] = JSON.parse(text) as unknown[];
    const receipt: ModelUsage = {
      model: typeof model === "string" ? model : "",
      calls: 1,
      inputTokens: Number(inputTokens ?? 0),
      outputTokens: Number(outputTokens ?? 0),
      costUsd: Number(costUsd ?? 0),
      estimated: Number(estimated ?? 0),
    };
    this.#receipts.set(key, receipt);
    return receipt;
  }
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

import { describe, expect, it } from "vitest";
import { UNLIMITED } from "../../src/domain/quota.ts";
import type { JournalRecord } from "../../src/domain/recording.ts";
import { createQuotas } from "../../src/storage/spending.ts";
import { claim, DATABASES, newRun, openStoreIn } from "./open-store.ts";

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 0, 1, 12);

function answered(ord: number, more: Partial<JournalRecord> = {}): JournalRecord {
  const result = { model: "m", usage: { inputTokens: 900, outputTokens: 100, estimated: 0 }, costUsd: 0.5 };
  return { ord, after: 0, key: `k${ord}`, kind: "model", request: null, ok: true, result, at: NOON, ...more };
}

const logOf = (records: JournalRecord[]) => ({ take: () => ({ records, events: [] }), putBack: () => undefined });

describe.each(DATABASES)("spending in %s", (name) => {
  it("is summed by owner and day; a failed call and a result that was paid before cost nothing", async () => {
    const store = await openStoreIn(name);
    const { runs, database } = store;
    const time = { now: NOON };
    const quotas = createQuotas(database, () => time.now, UNLIMITED);
    await runs.create({ ...newRun("a"), owner: "李雷" });
    const [run] = await claim(store);
    if (run === undefined) throw new Error("The run was not claimed.");
    const failed = answered(2, { ok: false, result: { code: "timeout", message: "" } });
    await runs.append(run, logOf([answered(0), answered(1, { isCopy: true }), failed]));
    await runs.append(run, logOf([answered(3, { at: NOON + DAY_MS })]));
    const allowed = { tokens: 10_000, costUsd: 2 };
    const left = (owner: string) => quotas.left({ tenant: "t", owner }, allowed);
    expect(await left("李雷")).toEqual({ tokens: 9_000, costUsd: 1.5 });
    expect(await left("韩梅梅")).toEqual(allowed);
    const together = createQuotas(database, () => time.now, { tokens: 1_500, costUsd: null });
    expect(await together.left({ tenant: "t", owner: "韩梅梅" }, allowed)).toEqual({ tokens: 500, costUsd: 2 });
    time.now += DAY_MS;
    expect(await left("李雷")).toEqual({ tokens: 9_000, costUsd: 1.5 });
    time.now += 400 * DAY_MS;
    await quotas.clean();
    time.now = NOON;
    expect(await left("李雷")).toEqual(allowed);
  });
});

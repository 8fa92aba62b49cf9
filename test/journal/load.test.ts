import { expect, it } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { SegmentJournal } from "../../src/domain/ports/journal.ts";
import { DossierError } from "../../src/errors.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";

const PLACE = { node: "a", step: 1, path: ["__pregel_pull", "a"], attempt: 1 };

function open(): SegmentJournal {
  const sink = { record: () => undefined, event: () => undefined, stored: async () => undefined };
  const nothing = { records: [], events: [], cache: [], pauses: [], spent: NOTHING_SPENT, earlier: [] };
  return openJournal({ runId: "r", segment: 0, epoch: 0, ...nothing, mode: "live", sink, clock: () => 1, onDrain: () => undefined });
}

/** A document whose text never arrives; `seen` receives the signal that its loading has. */
const loading = (timeoutMs: number, seen: (signal: AbortSignal) => void) => (effects: Effects) =>
  effects.perform<string>({
    kind: "document",
    request: "文",
    timeoutMs,
    recorded: false,
    live(signal) {
      seen(signal);
      return new Promise(() => undefined);
    },
  });

it("stops loading after the effect's timeout", async () => {
  const journal = open();
  let signal: AbortSignal | null = null;
  const loaded = journal.task(
    PLACE,
    loading(30, (its) => {
      signal = its;
    }),
  );
  await expect(loaded).rejects.toMatchObject({ code: "timeout" });
  expect(signal).toMatchObject({ aborted: true });
  journal.close();
});

it("stops loading when the run is stopped", async () => {
  const journal = open();
  const loaded = journal.task(
    PLACE,
    loading(60_000, () => journal.abandon(new DossierError("draining", "down"))),
  );
  await expect(loaded).rejects.toMatchObject({ code: "draining" });
  journal.close();
});

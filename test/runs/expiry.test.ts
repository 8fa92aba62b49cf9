import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { defineWaiting } from "../helpers/waiting-graph.ts";

const DAY_MS = 86_400_000;

it("cancels a run that gets no answer within MAX_WAITING_DAYS, and no other", async () => {
  let now = Date.parse("2026-11-22T00:00:00Z");
  const parts: Parts = { graphs: [(storage) => defineWaiting(storage.checkpoints)], clock: () => now };
  const environment = { MAX_WAITING_DAYS: "2" };
  const first = await openDossier({ parts, environment });
  const old = await first.start({ question: "谁？", graph: "waiting" });
  expect((await first.finish(old.id)).status).toBe("waiting");
  now += DAY_MS;
  const young = await first.start({ question: "Who?", graph: "waiting" });
  expect((await first.finish(young.id)).status).toBe("waiting");
  await first.close(0);

  now += DAY_MS + 1_000;
  const second = await openDossier({ parts, environment, dir: first.dir });
  await second.recover();
  const ended = await second.runs.get(TENANT, old.id);
  expect([ended.status, ended.termination]).toEqual([
    "cancelled",
    { reason: "cancelled", node: null, detail: "while it was waiting; nobody answered in time" },
  ]);
  expect((await second.events(old.id)).at(-1)).toMatchObject({ type: "run-ended", status: "cancelled" });
  expect((await second.runs.get(TENANT, young.id)).status).toBe("waiting");
});

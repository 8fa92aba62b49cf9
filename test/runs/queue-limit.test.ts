import { expect, it } from "vitest";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { openDossier } from "../helpers/open-dossier.ts";

const NOW = Date.UTC(2026, 0, 1);

it("refuses more queued runs of a tenant than MAX_QUEUED_RUNS, and none of another tenant", async () => {
  const { runs } = await openDossier({ parts: { clock: () => NOW }, environment: { MAX_QUEUED_RUNS: "2" } });
  const start = (tenant: string) =>
    runs.start(tenant, ResearchRequestSchema.parse({ question: "明年再问？", startAfter: "2026-01-03T00:00:00Z" }));
  await start("a");
  const { id } = await start("a");
  await expect(start("a")).rejects.toMatchObject({ code: "queue_full", message: expect.stringContaining("2 of your runs are queued") });
  expect((await runs.list("a", { limit: 9 })).runs).toHaveLength(2);
  expect(await start("b")).toMatchObject({ status: "queued" });
  await runs.cancel("a", id);
  expect(await start("a")).toMatchObject({ status: "queued" });
});

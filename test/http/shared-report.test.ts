import { expect, it } from "vitest";
import { FakeRunService } from "../fakes/fake-run-service.ts";
import { NO_BLOCKS } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";
import { openMemoryTenancy } from "../helpers/memory-tenancy.ts";
import { startApp } from "./app-under-test.ts";

it("answers a link that is revoked while its report is made as one that shows nothing", async () => {
  const tenancy = await openMemoryTenancy();
  const [begun, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runs = new FakeRunService();
  const empty = { claims: [], citations: [], closest: [], sources: [], coverage: coverage(0), ledger: [] };
  const run = runs.add({ report: { ...NO_BLOCKS, ...empty, markdown: "# 灯塔\n\n鲸油。\n" }, question: "灯塔的灯里烧什么？" });
  let asked = 0;
  const get = async () => {
    asked += 1;
    if (asked === 2) begun.resolve();
    await made.promise;
    return run;
  };
  const { url } = await startApp({ tenancy, runs: Object.assign(runs, { get }) });
  const share = () => tenancy.shareLinks.create({ tenant: "t", owner: "李雷" }, run.id, 60_000);
  const [revoked, valid] = [await share(), await share()];
  const reading = [revoked, valid].map(({ secret }) => fetch(`${url}/shared/${secret}`));
  await begun.promise;
  expect(await tenancy.shareLinks.revoke("t", run.id, revoked.link.id)).toBe(true);
  made.resolve();
  expect((await Promise.all(reading)).map(({ status }) => status)).toEqual([404, 200]);
});

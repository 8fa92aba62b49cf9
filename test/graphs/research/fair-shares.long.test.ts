import { expect, it, onTestFinished } from "vitest";
import { contentsOf } from "../../fakes/model-server/seen-request.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { DEEP, deepScript, HARBOURS, settingsOf, startWorld, taskOf } from "./deep-world.ts";
import { expectReplay } from "./roles-under-test.ts";

it("keeps documents, notes and a verdict for the todos that come last, and says which a model did not judge", async () => {
  const web = await startWorld();
  onTestFinished(() => web.close());
  const environment = { ...settingsOf(web.url), MAX_PARALLEL_TODOS: "2" };
  const { dossier, model } = await openWithModel(deepScript(), { environment, parts: { tools: [] }, corpus: {} });
  const asked = async (limits: object) => {
    const from = model.requests.length;
    const run = await dossier.finish((await dossier.start({ ...DEEP, limits })).id);
    expect(run.error).toBeNull();
    const { requests } = model;
    const ofRole = (role: string, harbour: string) =>
      requests.slice(from).filter(({ body }, at) => {
        const said = contentsOf(requests[from + at]!, "user").at(-1) ?? "";
        return body.model === role && said.includes(taskOf(harbour));
      }).length;
    return { run, ofRole };
  };
  const fair = await asked({ downloads: 40, modelCalls: 60 });
  for (const harbour of HARBOURS) {
    // At least two documents are read alone, and the third with a call that is for writing.
    expect(fair.ofRole("reader", harbour)).toBeGreaterThanOrEqual(3);
    expect(fair.ofRole("executor", harbour)).toBe(1);
  }
  await expectReplay({ dossier, run: fair.run });
  const short = await asked({ modelCalls: 14 });
  const unjudged = (short.run.report?.ledger ?? []).filter(({ what, target }) => what === "model" && target === "assessment");
  const judged = HARBOURS.map((harbour) => short.ofRole("executor", harbour));
  expect(judged).toContain(0);
  const expected = judged.flatMap((count, at) => (count === 0 ? [`T${at + 1}`] : []));
  expect(unjudged.map(({ detail }) => detail?.split(":")[0]).toSorted()).toEqual(expected);
}, 60_000);

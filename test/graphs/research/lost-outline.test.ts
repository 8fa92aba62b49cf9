import { expect, it, onTestFinished } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { openWithModel } from "../../helpers/with-model.ts";
import { DEEP, deepScript, factOf, HARBOURS, settingsOf, startWorld } from "./deep-world.ts";
import { expectReplay } from "./roles-under-test.ts";

it.each(["ok", "一切都好。"])("a deep run lists what its todos quote if its outline is only %s, and says so", async (words) => {
  const web = await startWorld();
  onTestFinished(() => web.close());
  const written = deepScript();
  const { dossier } = await openWithModel((request) => (request.body.model === "outline" ? say.text(words) : written(request)), {
    environment: settingsOf(web.url),
    parts: { tools: [] },
    corpus: {},
  });
  const run = await dossier.finish((await dossier.start(DEEP)).id);
  const claims = run.report?.claims.map(({ text }) => text) ?? [];
  for (const harbour of HARBOURS) expect(claims).toContain(factOf(harbour, 2010));
  expect(claims).not.toContain(words);
  expect(run.termination?.reason).toBe("completed");
  expect(run.report?.ledger).toContainEqual(
    expect.objectContaining({
      what: "model",
      target: "report",
      failure: "unreadable",
      detail: expect.stringContaining("citation that holds"),
    }),
  );
  await expectReplay({ dossier, run });
});

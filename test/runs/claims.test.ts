import { expect, it } from "vitest";
import { openDossier } from "../helpers/open-dossier.ts";

it("starts many queued runs in groups of 20, so that others have their turns of the event loop", async () => {
  let now = 0;
  const clock = (): number => now++;
  const dossier = await openDossier({ parts: { clock }, environment: { RUN_CONCURRENCY: "50" } });
  const questions = Array.from({ length: 50 }, (_, i) => `Who built lighthouse number ${i} of Aldermoor?`);
  const runs = await Promise.all(questions.map((question) => dossier.start({ question })));
  for (const { id } of runs) expect(await dossier.finish(id)).toMatchObject({ status: "succeeded" });
  const events = (await Promise.all(runs.map(({ id }) => dossier.events(id)))).flat();
  const groups = Map.groupBy(
    events.filter(({ type }) => type === "run-started"),
    ({ at }) => at,
  );
  expect(Math.max(...[...groups.values()].map(({ length }) => length))).toBe(20);
});

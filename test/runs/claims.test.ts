import { expect, it, vi } from "vitest";
import { startGated } from "../fakes/gated-server.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
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

it("starts no further run while the memory is full, except one alone, and starts them when it is not", async () => {
  let isFull = true;
  const active: number[] = [];
  const onEvent = () => active.push(dossier.operations.work().active);
  const dossier = await openDossier({ parts: { isHeapFull: () => isFull, onEvent } });
  const questions = Array.from({ length: 4 }, (_, i) => `谁建造了奥尔德穆尔的第${i}座灯塔？`);
  const runs = await Promise.all(questions.map((question) => dossier.start({ question })));
  for (const { id } of runs) expect(await dossier.finish(id)).toMatchObject({ status: "succeeded" });
  expect(Math.max(...active)).toBe(1);
  const more = await Promise.all(questions.map((question) => dossier.start({ question: `${question}？` })));
  await expect.poll(() => dossier.operations.work().held).toBe(true);
  isFull = false;
  await expect.poll(() => dossier.operations.work().held).toBe(false);
  for (const { id } of more) expect(await dossier.finish(id)).toMatchObject({ status: "succeeded" });
});

/** A tool that is asked and does not answer. */
async function silentTool() {
  const server = await startGated();
  const analyst = scriptedAnalyst([[["alpha", { query: "灯塔" }]]]);
  return { parts: { analyst, tools: [httpTool("alpha", server.url)] }, untilAsked: () => server.asked(1) };
}

it("collects the garbage once when a full memory holds runs back, because nothing does while the active run waits", async () => {
  let garbage = true;
  let collections = 0;
  const { parts, untilAsked } = await silentTool();
  const collectGarbage = (): void => {
    collections += 1;
    garbage = collections < 1;
  };
  const isHeapFull = vi.fn(() => garbage);
  const dossier = await openDossier({ parts: { ...parts, isHeapFull, collectGarbage } });
  await dossier.start({ question: "谁建造了奥尔德穆尔灯塔？" });
  await untilAsked();
  await expect.poll(() => isHeapFull.mock.calls.length).toBeGreaterThan(1);
  // Nothing is queued, so nothing is held.
  expect(dossier.operations.work()).toMatchObject({ active: 1, held: false });
  await dossier.start({ question: "谁建造了奥尔德穆尔港口？" });
  await expect.poll(() => dossier.operations.work().held).toBe(true);
  await expect.poll(() => dossier.operations.work()).toMatchObject({ active: 2, held: false });
  expect(collections).toBe(1);
});

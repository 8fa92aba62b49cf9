import { expect, it } from "vitest";
import { replay } from "../../../src/compose.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { TENANT } from "../../helpers/open-dossier.ts";
import { child, type Does, onChildren, SUPERVISOR, startTeam } from "./team-under-test.ts";

const asks =
  (question: string): Does =>
  (request, results) => {
    if (results === 0) return say.toolCalls([{ name: "ask_user", arguments: { question } }]);
    const heard = String(request.body.messages.findLast(({ role }) => role === "tool")?.content);
    return say.text(`They said: ${heard}.`);
  };

const DOES: Readonly<Record<string, Does>> = {
  东: asks("去哪里？"),
  west: asks("Which year?"),
  [SUPERVISOR]: () => say.text("All is known."),
};

const TEAM = { pattern: "concurrent", children: [child("东"), child("west", { critical: true }), child("busy")] };
const HOUR_MS = 3_600_000;

it("waits in two children at once, is answered one by one and continues in another process, without counting the wait; and replays", async () => {
  const clock = jumpingClock();
  const busy: Does = () => {
    clock.jump(600);
    return say.text("Busy is done.");
  };
  const first = await startTeam({ ...DOES, busy }, { parts: { clock: clock.now } });
  const waiting = await first.ask("去哪里，哪一年？", TEAM);
  expect(waiting.run.status).toBe("waiting");
  expect(waiting.run.pending.map(({ prompt }) => prompt)).toEqual(["Which year?", "去哪里？"]);
  expect(waiting.run.pending.map(({ path }) => path)).toEqual(["child:west", "child:东"]);
  expect(waiting.children.map(({ id, status, output }) => [id, status, output])).toEqual([
    ["东", "waiting", null],
    ["west", "waiting", null],
    ["busy", "completed", "Busy is done."],
  ]);
  const { id } = waiting.run;
  clock.jump(HOUR_MS);
  await first.dossier.runs.answer(TENANT, id, { answer: "1874", pendingId: waiting.run.pending[0]?.id ?? "" });
  expect((await first.dossier.runs.get(TENANT, id)).pending.map(({ prompt }) => prompt)).toEqual(["去哪里？"]);
  await first.dossier.close(0);

  const second = await startTeam({ ...DOES, busy }, { dir: first.dossier.dir, parts: { clock: clock.now } });
  await second.dossier.recover();
  await second.dossier.runs.answer(TENANT, id, { answer: "海边" });
  const { run, children, child: of } = await second.look(id);
  expect([run.status, run.error]).toEqual(["succeeded", null]);
  expect(children.map(({ id, status, output }) => [id, status, output])).toEqual([
    ["东", "completed", "They said: 海边."],
    ["west", "completed", "They said: 1874."],
    ["busy", "completed", "Busy is done."],
  ]);
  expect(of("busy").executionTimeMs).toBe(600);
  expect([0, 600]).toContain(of("west").executionTimeMs);
  const recording = await readRecording(await second.dossier.recordingLines(id));
  const again = await replay(recording, { tools: [] });
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
});

it("does not wait for an answer that no longer matters because a critical child fails", async () => {
  const asked = Promise.withResolvers<void>();
  const onEvent = onChildren((status) => {
    if (status["东"] === "waiting") asked.resolve();
  });
  const team = await startTeam({ ...DOES, bad: () => asked.promise.then(() => say.status(403)) }, { parts: { onEvent } });
  const { run, child: of } = await team.ask("去哪里？", {
    pattern: "concurrent",
    children: [child("东"), child("bad", { critical: true })],
  });
  expect([run.status, run.error?.code, run.pending]).toEqual(["failed", "child_failed", []]);
  expect([of("东").status, of("东").error?.code]).toEqual(["failed", "cancelled"]);
});

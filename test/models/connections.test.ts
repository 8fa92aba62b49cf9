import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { openWithModel } from "../helpers/with-model.ts";
import { OPTIONS, openModel, REQUEST } from "./model-under-test.ts";

it("does not count the time that a call waits for a connection", async () => {
  const server = await startModelServer([say.hang(), say.text("好")]);
  // The first call holds the only connection longer than the second one may wait for its first token.
  const model = openModel(server, { firstTokenMs: 2_000 }, undefined, 1);
  const [first, second] = [plainEffects(), plainEffects()];
  const held = model.complete(REQUEST, OPTIONS, first).catch(({ code }) => code);
  await expect.poll(() => server.requests.length).toBe(1);
  const waiting = model.complete(REQUEST, OPTIONS, second);
  expect(await held).toBe("timeout");
  expect(await waiting).toMatchObject({ content: "好" });
  expect(second.events[0]).toEqual({ type: "call-waiting", callId: expect.any(String), try: 1, ahead: 0 });
  expect(first.events.filter(({ type }) => type === "call-waiting")).toEqual([]);
});

it("limits the wait of a call by the time that its run has left", async () => {
  const server = await startModelServer([say.hang()]);
  const model = openModel(server, {}, undefined, 1);
  const stop = new AbortController();
  const held = model.complete(REQUEST, OPTIONS, plainEffects({ signal: stop.signal })).catch(() => "stopped");
  await expect.poll(() => server.requests.length).toBe(1);
  const waiting = model.complete(REQUEST, { ...OPTIONS, timeoutMs: 200 }, plainEffects());
  await expect(waiting).rejects.toMatchObject({ code: "timeout", message: expect.stringContaining("left of the run's time") });
  stop.abort(new Error("enough"));
  expect(await held).toBe("stopped");
  expect(server.requests).toHaveLength(1);
});

it("ends a waiting call with the reason of its run", async () => {
  const server = await startModelServer([say.hang()]);
  const model = openModel(server, {}, undefined, 1);
  const stop = new AbortController();
  const held = model.complete(REQUEST, OPTIONS, plainEffects({ signal: stop.signal })).catch(() => "stopped");
  await expect.poll(() => server.requests.length).toBe(1);
  const waiting = model.complete(REQUEST, OPTIONS, plainEffects({ signal: stop.signal }));
  const ends = expect(waiting).rejects.toThrow("enough");
  stop.abort(new Error("enough"));
  await ends;
  await held;
});

it("records the wait, so that a replay emits the same events", async () => {
  const waits = Promise.withResolvers<void>();
  const onEvent: Parts["onEvent"] = (_, { type }) => type === "call-waiting" && waits.resolve();
  const answer = () => waits.promise.then(() => say.text("NO ANSWER: 没有写到。"));
  const { dossier } = await openWithModel(answer, { environment: { MODEL_CONNECTIONS: "1" }, parts: { onEvent } });
  const questions = ["灯塔的灯里烧什么？", "What does the lamp of Aldermoor burn?", "Who built the lighthouse?"];
  const runs = await Promise.all(questions.map((question) => dossier.start({ question })));
  const ended = await Promise.all(runs.map(({ id }) => dossier.finish(id)));
  expect(ended.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  const recordings = await Promise.all(runs.map(async ({ id }) => readRecording(await dossier.recordingLines(id))));
  const waited = recordings.flatMap(({ events }) => events.filter(({ event }) => event.body.includes('"call-waiting"')));
  expect(waited.length).toBeGreaterThan(0);
  for (const recording of recordings) expect((await replay(recording)).difference).toBeNull();
});

import { expect, it } from "vitest";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { Recording } from "../../src/domain/recording.ts";
import { DossierError } from "../../src/errors.ts";
import { TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { type Body, bodies, type Definition, notesOf, openBodies, recordingOf, words } from "../helpers/stream-graph.ts";
import { note } from "../helpers/test-graph.ts";
import { turns } from "../helpers/turns.ts";

const QUESTION = { question: "谁在说话？", graph: "test" };

/** What the model does from one call to the next: emits its words, then ends or continues forever. */
interface Call {
  readonly spoken: readonly string[];
  readonly ends: boolean;
}

/** A model whose calls are scripted in order. */
function scripted(calls: readonly Call[]) {
  const made: string[] = [];
  const live = (request: string) => async (_: AbortSignal, push: (word: string) => void) => {
    const call = calls[made.length];
    made.push(request);
    for (const word of call?.spoken ?? []) {
      push(word);
      await turns(2);
    }
    if (call?.ends !== true) await new Promise(() => undefined);
    return call?.spoken.join("") ?? "";
  };
  return { made, live };
}

type Model = ReturnType<typeof scripted>;

/** Calls, and calls again under the next try if the process died during the call. */
async function persist(effects: Effects, request: string, { live }: Model, attempt = 1): Promise<string> {
  try {
    return await words(effects, request, live(request), 600_000);
  } catch (error) {
    if (!(error instanceof DossierError) || error.code !== "interrupted" || attempt === 4) throw error;
    effects.emit({ type: "call-restarted", callId: "c", try: attempt + 1, reason: error.code });
    return persist(effects, request, { live } as Model, attempt + 1);
  }
}

async function untilSaid(dossier: TestDossier, id: string, word: string): Promise<void> {
  const stop = new AbortController().signal;
  for await (const page of dossier.runs.follow(TENANT, id, { after: 0, signal: stop, heartbeatMs: 1_000 })) {
    if ((page ?? []).some((event) => event.type === "content" && event.delta === word)) return;
  }
  throw new Error(`${word} was never said`);
}

async function crashAt(definition: Definition, word: string): Promise<{ id: string; dir: string }> {
  const dossier = await openBodies(definition);
  const { id } = await dossier.start(QUESTION);
  await untilSaid(dossier, id, word);
  await dossier.close(0);
  return { id, dir: dossier.dir };
}

const typesOf = (recording: Recording): string[] => recording.events.map(({ event }) => JSON.parse(event.body).type);
const restarts = (recording: Recording): number => typesOf(recording).filter((type) => type === "call-restarted").length;

it("repeats a stream that a crash cut off, after everything that the earlier attempt recorded and emitted", async () => {
  const model = scripted([
    { spoken: ["你", "好"], ends: false },
    { spoken: ["你", "好", "！"], ends: true },
  ]);
  const beside: Body = async (effects) => {
    const draw = (index: number) =>
      effects.perform({ kind: "random", request: `beside ${index}`, timeoutMs: 600_000, live: () => turns(4).then(() => index) });
    const other = (async () => {
      for (let index = 0; index < 5; index += 1) note(effects, `beside ${await draw(index)}`);
      return words(effects, "marker", async (_, push) => {
        push("all said");
        return "";
      });
    })();
    // Both streams are told of the crash, whichever of them is still open.
    const [said] = await Promise.all([persist(effects, "hello", model), other]);
    return said;
  };
  const definition = bodies([beside]);
  const { id, dir } = await crashAt(definition, "all said");
  const second = await openBodies(definition, dir);
  const run = await second.finish(id);
  expect(run.report?.markdown).toBe("你好！");
  expect(model.made).toEqual(["hello", "hello"]);

  const recording = await recordingOf(second, id, definition, 10);
  expect(notesOf(recording).filter((text) => !text.startsWith("beside"))).toEqual(["你", "好", "all said", "你", "好", "！"]);
  expect(restarts(recording)).toBe(1);
  const records = recording.segments[0]?.records ?? [];
  const cut = records.findIndex(({ ok }) => !ok);
  expect(records[cut]).toMatchObject({ kind: "model", request: "hello", result: { code: "interrupted" } });
  expect(records.slice(0, cut).map(({ kind }) => kind)).toEqual(expect.arrayContaining(["random", "piece", "model"]));
  const again = typesOf(recording).lastIndexOf("run-started");
  const before = recording.events.slice(0, again).filter(({ event }) => event.origin.startsWith("0.0/"));
  expect(records[cut]?.after).toBe(before.length);
  // Every try counts; the usage of the cut one is unknown.
  expect(run.usage).toMatchObject({ modelCalls: 3, inputTokens: 0, costUsd: 0 });
});

it("repeats it as often as it is cut off, with increasing try numbers", async () => {
  const model = scripted([
    { spoken: ["一"], ends: false },
    { spoken: ["一", "二"], ends: false },
    { spoken: ["一", "二", "三"], ends: true },
  ]);
  const definition = bodies([(effects) => persist(effects, "count", model)]);
  const { id, dir } = await crashAt(definition, "一");
  const second = await openBodies(definition, dir);
  await untilSaid(second, id, "二");
  await second.close(0);
  const third = await openBodies(definition, dir);
  expect((await third.finish(id)).report?.markdown).toBe("一二三");
  const recording = await recordingOf(third, id, definition, 5);
  expect(notesOf(recording)).toEqual(["一", "一", "二", "一", "二", "三"]);
  expect(restarts(recording)).toBe(2);
  const keys = (recording.segments[0]?.records ?? []).flatMap(({ kind, key }) => (kind === "control" ? [] : key.split("#").slice(-1)));
  expect(keys).toEqual(["0+0", "0", "1+0", "1+1", "1", "2+0", "2+1", "2+2", "2"]);
});

it("repeats a stream of which nothing was recorded, without an event about it", async () => {
  const model = scripted([
    { spoken: [], ends: false },
    { spoken: ["好"], ends: true },
  ]);
  const definition = bodies([
    async (effects) => {
      note(effects, "asked");
      return persist(effects, "hello", model);
    },
  ]);
  const { id, dir } = await crashAt(definition, "asked");
  const second = await openBodies(definition, dir);
  expect(await second.finish(id)).toMatchObject({ status: "succeeded", usage: { modelCalls: 1 } });
  const recording = await recordingOf(second, id, definition);
  expect(restarts(recording)).toBe(0);
});

it("cancels during streams, and the recording replays to the same end", async () => {
  const model = scripted([
    { spoken: ["你", "好"], ends: false },
    { spoken: ["早", "安"], ends: false },
  ]);
  const definition = bodies([
    async (effects) => (await Promise.all([persist(effects, "left", model), persist(effects, "right", model)])).join(),
  ]);
  const dossier = await openBodies(definition);
  const { id } = await dossier.start(QUESTION);
  await untilSaid(dossier, id, "安");
  await untilSaid(dossier, id, "好");
  await dossier.runs.cancel(TENANT, id);
  expect((await dossier.finish(id)).status).toBe("cancelled");
  const recording = await recordingOf(dossier, id, definition, 10);
  expect(notesOf(recording)).toHaveLength(4);
});

it("lets a stream end when the process shuts down in time, and continues after it", async () => {
  const model = scripted([
    { spoken: Array.from({ length: 60 }, (_, index) => `词${index}`), ends: true },
    { spoken: ["后来"], ends: true },
  ]);
  const definition = bodies([(effects) => persist(effects, "long", model), (effects) => persist(effects, "next", model)]);
  const first = await openBodies(definition);
  const { id } = await first.start(QUESTION);
  await untilSaid(first, id, "词3");
  await first.close(600_000);
  const second = await openBodies(definition, first.dir);
  const run = await second.finish(id);
  expect(run.report?.markdown.split("\n").at(-1)).toBe("后来");
  expect(model.made).toEqual(["long", "next"]);
  const recording = await recordingOf(second, id, definition, 5);
  expect(recording.segments.map(({ segment }) => segment.input.type)).toEqual(["start", "continue"]);
  expect(notesOf(recording)).toHaveLength(61);
});

it("keeps only finished streams if the segment is restarted on changed code", async () => {
  const model = scripted([
    { spoken: ["说", "完"], ends: true },
    { spoken: ["半"], ends: false },
    { spoken: ["半", "句"], ends: true },
  ]);
  const talk: Body = async (effects) => `${await persist(effects, "whole", model)} ${await persist(effects, "half", model)}`;
  const { id, dir } = await crashAt(bodies([talk], "1"), "半");
  const changed = bodies([talk], "2");
  const second = await openBodies(changed, dir);
  expect((await second.finish(id)).report?.markdown).toBe("说完 半句");
  expect(model.made).toEqual(["whole", "half", "half"]);
  const recording = await recordingOf(second, id, changed, 5);
  expect(typesOf(recording)).toContain("run-restarted");
  expect(restarts(recording)).toBe(0);
  const { segment, records } = recording.segments.at(-1) ?? expect.fail();
  expect(segment.epoch).toBe(1);
  expect(records.map(({ kind, result }) => [kind, result])).toEqual([
    ["model", "说完"],
    ["piece", "半"],
    ["piece", "句"],
    ["model", "半句"],
  ]);
});

it("uses no result twice if a restarted segment is cut off as well", async () => {
  const model = scripted([
    { spoken: ["甲"], ends: true },
    { spoken: ["断"], ends: false },
    { spoken: ["乙"], ends: false },
    { spoken: ["乙"], ends: true },
  ]);
  const once: Body = async (effects) => `${await persist(effects, "same", model)} ${await persist(effects, "cut", model)}`;
  const { id, dir } = await crashAt(bodies([once], "1"), "断");
  const changed = bodies([async (effects) => `${await persist(effects, "same", model)} ${await persist(effects, "same", model)}`], "2");
  const second = await openBodies(changed, dir);
  await untilSaid(second, id, "乙");
  await second.close(0);
  const third = await openBodies(changed, dir);
  expect((await third.finish(id)).report?.markdown).toBe("甲 乙");
  expect(model.made).toEqual(["same", "cut", "same", "same"]);
  await recordingOf(third, id, changed, 5);
});

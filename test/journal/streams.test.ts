import { expect, it, onTestFinished, vi } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { Recording } from "../../src/domain/recording.ts";
import { DossierError } from "../../src/errors.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { notesOf, runBody, speak, words } from "../helpers/stream-graph.ts";
import { note } from "../helpers/test-graph.ts";
import { turns } from "../helpers/turns.ts";

/** Returns the stream records of the first segment. */
function recordsOf(recording: Recording) {
  return (recording.segments[0]?.records ?? []).map(({ kind, ok, result }) => [kind, ok, result]);
}

it("records every piece, and the end, when it arrives, and passes it on after that", async () => {
  const order: string[] = [];
  const journal = openJournal({
    ...{
      runId: "r",
      segment: 0,
      epoch: 0,
      records: [],
      events: [],
      cache: [],
      pauses: [],
      earlier: [],
      spent: NOTHING_SPENT,
      mode: "live",
    },
    sink: {
      record: ({ kind, result }) => order.push(`${kind} ${JSON.stringify(result)}`),
      event: () => undefined,
      stored: async () => undefined,
    },
    clock: () => 1,
    onDrain: () => undefined,
  });
  onTestFinished(() => journal.close());
  const place = { node: "a", step: 1, path: ["__pregel_pull", "a"], attempt: 1 };
  const said = await journal.task(place, (effects) =>
    effects.stream<string, string>({
      kind: "model",
      request: "问",
      timeoutMs: 600_000,
      async live(_, push) {
        push("你");
        push("好");
        await vi.waitFor(() => expect(order).toContain("passed 好"), { interval: 1, timeout: 60_000 });
        push("。");
        return "你好。";
      },
      onPiece: (piece) => order.push(`passed ${piece}`),
    }),
  );
  expect(said).toBe("你好。");
  expect(order).toEqual(['piece "你"', 'piece "好"', "passed 你", "passed 好", 'piece "。"', 'model "你好。"', "passed 。"]);
});

it("keeps the order in which eight parallel streams arrive, and 50 replays of 50 are equal", async () => {
  const { recording } = await runBody(async (effects) => {
    const streams = Array.from({ length: 8 }, async (_, index) => {
      const spoken = Array.from({ length: 12 }, (_, word) => `${index}:${word} 词`);
      const said = await words(effects, `stream ${index % 4}`, (_, push) => speak(spoken, push));
      note(effects, `end of ${index}, ${effects.nextId()}, ${JSON.stringify(effects.spent())}`);
      return said;
    });
    return (await Promise.all(streams)).join();
  }, 50);
  const notes = notesOf(recording);
  expect(notes).toHaveLength(8 * 13);
  const firstEnd = notes.findIndex((text) => text.startsWith("end of"));
  expect(new Set(notes.slice(0, firstEnd).map((text) => text[0])).size).toBe(8);
  for (let index = 0; index < 8; index += 1) {
    const own = notes.filter((text) => text.startsWith(`${index}:`));
    expect(own).toEqual(Array.from({ length: 12 }, (_, word) => `${index}:${word} 词`));
  }
  expect(new Set(notes.flatMap((text) => /end of \d, (\S+),/.exec(text)?.[1] ?? [])).size).toBe(8);
  expect(notes.at(-1)).toContain('"modelCalls":8');
});

it("ignores what is pushed after the end", async () => {
  const late: (() => void)[] = [];
  const { report, recording } = await runBody(async (effects) => {
    const said = await words(effects, "late", async (_, push) => {
      push("in time");
      late.push(() => push("too late"));
      setImmediate(() => push("just too late"));
      return "done";
    });
    for (const push of late) push();
    await effects.perform({ kind: "random", request: "wait", timeoutMs: 600_000, live: () => turns(100).then(() => 1) });
    return said;
  });
  expect(report).toBe("done");
  expect(recordsOf(recording)).toEqual([
    ["piece", true, "in time"],
    ["model", true, "done"],
    ["random", true, 1],
  ]);
});

it("ignores what is pushed after the timeout by a stream that ignores its signal", async () => {
  const ended = Promise.withResolvers<void>();
  const { report, recording } = await runBody(async (effects) => {
    const spoken = words(
      effects,
      "deaf",
      async (signal, push) => {
        push("heard");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        for (let word = 0; word < 40; word += 1) {
          push(`词${word}`);
          await turns(1);
        }
        ended.resolve();
        return "never heard";
      },
      500,
    );
    const error: unknown = await spoken.catch((error: unknown) => error);
    await effects.perform({ kind: "random", request: "wait", timeoutMs: 600_000, live: () => ended.promise.then(() => 1) });
    return error instanceof DossierError ? error.code : "no error";
  });
  expect(report).toBe("timeout");
  expect(recordsOf(recording).map(([kind]) => kind)).toEqual(["piece", "model", "random"]);
  expect(notesOf(recording)).toEqual(["heard"]);
});

interface Refused {
  readonly report: string;
  readonly recording: Recording;
  readonly aborted: boolean[];
}

/** A caller that accepts "good" and then nothing more. */
async function refuse(live: (push: (word: string) => void, signal: AbortSignal) => Promise<string>): Promise<Refused> {
  const aborted: boolean[] = [];
  const body = async (effects: Effects): Promise<string> => {
    const stream = effects.stream<string, string>({
      kind: "model",
      request: "refused",
      timeoutMs: 600_000,
      live: (signal, push) => {
        signal.addEventListener("abort", () => aborted.push(true));
        return live(push, signal);
      },
      onPiece: (piece) => {
        note(effects, piece);
        if (piece === "bad") throw new TypeError("no such word");
      },
    });
    return stream.catch((error: unknown) => `${error}`);
  };
  return { ...(await runBody(body)), aborted };
}

it("ends a stream if the caller refuses a piece: the call is aborted, nothing else is passed on, the caller gets its own error", async () => {
  const { report, recording, aborted } = await refuse(async (push, signal) => {
    for (const word of ["good", "bad", "unseen"]) push(word);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    push("too late");
    return "not heard";
  });
  expect(report).toBe("TypeError: no such word");
  expect(aborted).toEqual([true]);
  expect(notesOf(recording)).toEqual(["good", "bad"]);
  expect(recordsOf(recording)).toEqual([
    ["piece", true, "good"],
    ["piece", true, "bad"],
    ["piece", true, "unseen"],
    ["model", false, { code: "internal", message: "no such word" }],
  ]);
});

it("keeps the end of a finished stream if one of its pieces is refused", async () => {
  const { report, recording } = await refuse(async (push) => {
    for (const word of ["good", "bad", "unseen"]) push(word);
    return "all of it";
  });
  expect(report).toBe("TypeError: no such word");
  expect(notesOf(recording)).toEqual(["good", "bad"]);
  expect(recordsOf(recording).at(-1)).toEqual(["model", true, "all of it"]);
});

it("fails a stream whose pieces are not JSON, and repairs malformed text", async () => {
  const { report, recording } = await runBody(async (effects) => {
    const said = await words(effects, "half a character", async (_, push) => {
      push("\ud83d");
      return "\ud83d";
    });
    const circle: unknown[] = [];
    circle.push(circle);
    const failed = await words(effects, "a circle", async (_, push) => {
      push(circle as never);
      return "not heard";
    }).catch((error: unknown) => (error as DossierError).code);
    return `${said} ${failed}`;
  });
  expect(report).toBe("\ufffd internal");
  expect(notesOf(recording)).toEqual(["\ufffd"]);
});

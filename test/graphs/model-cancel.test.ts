import { describe, expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { httpTool } from "../fakes/http-tool.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { collectEvents, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { turns } from "../helpers/turns.ts";
import { openWithModel } from "../helpers/with-model.ts";

const PARTS = { tools: [httpTool("alpha", "http://127.0.0.1:9")] };
const QUESTION = "灯塔的灯里烧什么？";
const LATER = { "retry-after-ms": "25000" };
const LONG = say.text("答 answer ".repeat(2_000), { pieceLength: 4 });

/** Sends some pieces, waits until the run is being cancelled, and sends more, one in each turn of the event loop, without an end. */
const goesOn = (of: Behavior, { reached, cancelling }: Moments): Behavior => ({
  ...say.hang({ after: 300, of }),
  beforePiece(piece) {
    if (piece < 50) return undefined;
    reached();
    return cancelling.then(() => turns(1));
  },
});

interface Moments {
  readonly reached: () => void;
  readonly cancelling: Promise<void>;
}

interface Trouble {
  readonly does: Behavior | ((moments: Moments) => Behavior);
  readonly onWire: boolean;
}

/** What the model does while the run is cancelled, and whether a request is on the wire then. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  "sends no headers": { does: say.hang({ after: "nothing" }), onWire: true },
  "hangs in the middle of a call's arguments": {
    does: say.hang({ after: 3, of: say.toolCalls([{ name: "alpha", arguments: { query: "q".repeat(200) } }]) }),
    onWire: true,
  },
  "goes on answering": { does: (moments) => goesOn(LONG, moments), onWire: true },
  "asks to wait": { does: say.status(429, undefined, LATER), onWire: false },
};

describe.each(["executor", "agent"])("a run of the %s is cancelled while its model", (graph) => {
  it.each(Object.entries(TROUBLES))("%s", async (_, { does, onWire }) => {
    const { promise: cancelling, resolve: cancel } = Promise.withResolvers<void>();
    const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
    const behavior = typeof does === "function" ? does({ reached, cancelling }) : does;
    const { model, dossier } = await openWithModel(() => behavior, { parts: PARTS });
    const { id } = await dossier.start({ graph, question: QUESTION });
    await expect.poll(() => model.requests[0]?.[onWire ? "at" : "endedAt"] ?? null).not.toBeNull();
    if (behavior.beforePiece) await isReached;
    // By then the first pieces, or the refusal, have been read.
    await turns(50);
    cancel();
    await dossier.runs.cancel(TENANT, id);
    const run = await dossier.finish(id);
    expect(run).toMatchObject({ status: "cancelled", termination: { reason: "cancelled" }, error: null, report: null });
    if (onWire) await expect.poll(() => model.aborted()).toBe(1);
    expect(model.requests).toHaveLength(1);
    await expectReplay(dossier, id);
  });
});

async function expectReplay(dossier: TestDossier, id: string): Promise<void> {
  const recording = await readRecording(await dossier.recordingLines(id));
  const again = await replay(recording, PARTS);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
  expect((await collectEvents(dossier, id)).at(-1)).toMatchObject({ type: "run-ended", status: "cancelled" });
}

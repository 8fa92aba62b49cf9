import { describe, expect, it } from "vitest";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { httpTool } from "../fakes/http-tool.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { collectEvents, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { openWithModel } from "../helpers/with-model.ts";

const PARTS = { tools: [httpTool("alpha", "http://127.0.0.1:9")] };
const QUESTION = "灯塔的灯里烧什么？";
const AT_MOST_MS = 15_000;
const LATER = { "retry-after-ms": "25000" };
const LONG = say.text("答 answer ".repeat(2_000), { pieceLength: 4 });

/** What the model does while the run is cancelled, and whether a request is on the wire then. */
const TROUBLES: Readonly<Record<string, { readonly does: Behavior; readonly onWire: boolean }>> = {
  "sends no headers": { does: say.hang({ after: "nothing" }), onWire: true },
  "sends its headers and nothing else": { does: say.hang({ after: 0 }), onWire: true },
  "hangs in the middle": { does: say.hang({ after: 2 }), onWire: true },
  "hangs in the middle of a call's arguments": {
    does: say.hang({ after: 3, of: say.toolCalls([{ name: "alpha", arguments: { query: "q".repeat(200) } }]) }),
    onWire: true,
  },
  "answers slowly": { does: say.slow(LONG, { delayMs: 10 }), onWire: true },
  "repeats itself slowly": { does: say.slow(say.repetition({ of: "不 no " }), { delayMs: 40 }), onWire: true },
  "asks to wait": { does: say.status(429, undefined, LATER), onWire: false },
  "fails, and is left alone for a while": { does: say.status(503, undefined, LATER), onWire: false },
};

describe.each(["executor", "agent"])("a run of the %s is cancelled while its model", (graph) => {
  it.each(Object.entries(TROUBLES))("%s", async (_, { does, onWire }) => {
    const { model, dossier } = await openWithModel(() => does, { parts: PARTS });
    const { id } = await dossier.start({ graph, question: QUESTION });
    await expect.poll(() => model.requests[0]?.[onWire ? "at" : "endedAt"] ?? null).not.toBeNull();
    // Wait until the first pieces, or the refusal, have been read.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const cancelledAt = performance.now();
    await dossier.runs.cancel(TENANT, id);
    const run = await dossier.finish(id);
    expect(run).toMatchObject({ status: "cancelled", termination: { reason: "cancelled" }, error: null, report: null });
    if (onWire) await expect.poll(() => model.aborted()).toBe(1);
    const endedAt = onWire ? (model.requests[0]?.abortedAt ?? Number.POSITIVE_INFINITY) : performance.now();
    expect(endedAt - cancelledAt).toBeLessThan(AT_MOST_MS);
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

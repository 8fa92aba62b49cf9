import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { httpTool } from "../fakes/http-tool.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { openWithModel } from "../helpers/with-model.ts";

const PARTS = { tools: [httpTool("alpha", "http://127.0.0.1:9")] };
const THOUGHT = { reasoning: "想一想再说。 A thought. ".repeat(12), pieceLength: 6 };

/** The executor decides, is asked for other queries, and writes; the agent's first response makes a call. The first response stops in the middle until `until`. */
const script = (graph: string, until: Promise<void>) => (request: SeenRequest, index: number) => {
  if (index > 0) return offeredTools(request).length > 0 ? say.text("它烧鲸油。") : say.text("NO ANSWER: 没有写到。");
  const first =
    graph === "agent" ? say.toolCalls([{ name: "calculator", arguments: { expression: "1 + 1" } }], THOUGHT) : say.text("Enough.", THOUGHT);
  return say.held(first, { at: 20, until });
};

it.each([
  ["executor", 100_000, 0, 3],
  ["agent", 50, 1, 2],
] as const)(
  "a run of the %s continues in the next process after a stop of %i ms in a stream, cut %i times",
  async (graph, drainMs, cut, requests) => {
    const inStream = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const onEvent: Parts["onEvent"] = (_, { type }) => type === "reasoning" && inStream.resolve();
    const first = await openWithModel(script(graph, goesOn.promise), { parts: { ...PARTS, onEvent } });
    const { id } = await first.dossier.start({ graph, question: "灯塔的灯里烧什么？" });
    await inStream.promise;
    const closed = first.dossier.close(drainMs);
    if (cut === 0) goesOn.resolve();
    await closed;
    expect(first.model.requests).toHaveLength(1);
    expect(first.model.aborted()).toBe(cut);
    const environment = { OPENAI_BASE_URL: first.model.url, OPENAI_MODEL: "scripted" };
    const second = await openDossier({ dir: first.dossier.dir, parts: PARTS, environment });
    await second.recover();
    const run = await second.finish(id);
    expect(run).toMatchObject({ status: "succeeded", error: null });
    const events = await second.events(id);
    expect(events.filter(({ type }) => type === "call-restarted")).toHaveLength(cut);
    expect(events.flatMap((event) => (event.type === "run-started" ? [event.attempt] : []))).toEqual([1, 2]);
    expect(first.model.requests).toHaveLength(requests);
    const recording = await readRecording(await second.recordingLines(id));
    const again = await replay(recording, PARTS);
    expect(again.difference).toBeNull();
    expect(again.events).toEqual(recording.events);
  },
);

import { expect } from "vitest";
import { z } from "zod";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import type { ToolResult } from "../../src/domain/tool.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { seeded } from "../helpers/seeded.ts";
import { turns } from "../helpers/turns.ts";

export const QUESTION = "Who built the lighthouse of Aldermoor?";

export function toolOf(call: (query: string) => Promise<ToolResult>): Tool {
  const schema = z.strictObject({ query: z.string() });
  return {
    name: "alpha",
    description: "a tool",
    kind: "query",
    schema,
    timeoutMs: 600_000,
    call: (args) => call((args as { query: string }).query),
  };
}

export const found = (query: string): ToolResult => ({
  text: query,
  sources: [{ title: query, url: `https://example.org/${query}`, publishedAt: null, snippet: "s", text: `text ${query}` }],
});

const MAX_EVENTS = 40;

/** Cancels a run in the middle of its events, each at another one. `done` resolves when all runs have got so far, or have ended. */
function cancelAtEvents(runs: number, random: () => number) {
  const counts = new Map<string, number>();
  const targets = new Map<string, number>();
  const done = Promise.withResolvers<void>();
  let open = runs;
  const onEvent = (runId: string, type: string, cancel: () => Promise<unknown>): void => {
    if (!targets.has(runId) && targets.size < runs) targets.set(runId, 1 + Math.floor(random() * MAX_EVENTS));
    const target = targets.get(runId);
    if (target === undefined) return;
    const count = (counts.get(runId) ?? 0) + 1;
    counts.set(runId, count);
    if (count !== target && !(type === "run-ended" && count < target)) return;
    void cancel().catch((error) => expect(error.code).toBe("run_finished"));
    open -= 1;
    if (open === 0) done.resolve();
  };
  return { onEvent, done: done.promise };
}

/** Cancels half of eight runs and drains the others, at an event each that depends on the round, and replays all of them. */
export async function endAtAnyInstant(rounds: number): Promise<void> {
  const parts = (random: () => number): Parts => ({
    analyst: scriptedAnalyst([
      [
        ["alpha", { query: "a" }],
        ["alpha", { query: "c" }],
      ],
      [["alpha", { query: "b" }]],
    ]),
    tools: [toolOf((query) => turns(Math.floor(random() * 20)).then(() => found(query)))],
  });
  const check = async (dossier: TestDossier, id: string, random: () => number): Promise<void> => {
    await dossier.finish(id);
    const events = await dossier.events(id);
    expect(events.filter((event) => event.type === "run-restarted")).toEqual([]);
    expect(events.at(-1)?.type).toBe("run-ended");
    expect((await replay(await readRecording(await dossier.recordingLines(id)), parts(random))).difference).toBeNull();
  };
  for (let round = 0; round < rounds; round += 1) {
    const random = seeded(round);
    const { onEvent, done } = cancelAtEvents(4, random);
    const cancelling: Parts = {
      ...parts(random),
      onEvent: ({ runId }, { type }) => onEvent(runId, type, () => first.runs.cancel(TENANT, runId)),
    };
    const first = await openDossier({ parts: cancelling });
    await first.prepare(new AbortController().signal);
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await first.start({ question: QUESTION })).id));
    await done;
    await first.close(round % 2 === 0 ? 0 : 600_000);
    const second = await openDossier({ parts: parts(random), dir: first.dir });
    await second.recover();
    for (const id of ids) await check(second, id, random);
    await second.close(0);
  }
}

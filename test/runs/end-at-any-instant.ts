import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import type { ToolResult } from "../../src/domain/tool.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";

export const QUESTION = "Who built the lighthouse of Aldermoor?";

export function toolOf(call: (query: string) => Promise<ToolResult>): Tool {
  const schema = z.strictObject({ query: z.string() });
  return {
    name: "alpha",
    description: "a tool",
    kind: "query",
    schema,
    timeoutMs: 5_000,
    call: (args) => call((args as { query: string }).query),
  };
}

export const found = (query: string): ToolResult => ({
  text: query,
  sources: [{ title: query, url: `https://example.org/${query}`, publishedAt: null, snippet: "s", text: `text ${query}` }],
});

/** Cancels and drains eight runs at random instants, `rounds` times, and replays all of them. */
export async function endAtAnyInstant(rounds: number): Promise<void> {
  const parts = (): Parts => ({
    analyst: scriptedAnalyst([
      [
        ["alpha", { query: "a" }],
        ["alpha", { query: "c" }],
      ],
      [["alpha", { query: "b" }]],
    ]),
    tools: [toolOf((query) => pause(Math.random() * 4, found(query)))],
  });
  const check = async (dossier: TestDossier, id: string): Promise<void> => {
    await dossier.finish(id);
    const events = await dossier.events(id);
    expect(events.filter((event) => event.type === "run-restarted")).toEqual([]);
    expect(events.at(-1)?.type).toBe("run-ended");
    expect((await replay(await readRecording(await dossier.recordingLines(id)), parts())).difference).toBeNull();
  };
  for (let round = 0; round < rounds; round += 1) {
    const first = await openDossier({ parts: parts() });
    await first.prepare(new AbortController().signal);
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await first.start({ question: QUESTION })).id));
    const cancels = ids.slice(0, 4).map(async (id) => {
      await pause(10 + Math.random() * 60);
      await first.runs.cancel(TENANT, id).catch((error) => expect(error.code).toBe("run_finished"));
    });
    await Promise.all(cancels);
    await first.close(round % 2 === 0 ? 0 : 5_000);
    const second = await openDossier({ parts: parts(), dir: first.dir });
    await second.recover();
    for (const id of ids) await check(second, id);
    await second.close(0);
  }
}

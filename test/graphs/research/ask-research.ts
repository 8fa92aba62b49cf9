import { expect } from "vitest";
import { VERIFIER } from "../../../src/analyst/research-roles.ts";
import type { Parts } from "../../../src/compose/parts.ts";
import { replay } from "../../../src/compose.ts";
import type { RunEvent } from "../../../src/domain/events.ts";
import type { Todo } from "../../../src/domain/plan.ts";
import type { ResearchRequest } from "../../../src/domain/request.ts";
import type { Run } from "../../../src/domain/run.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import { type OpenOptions, openDossier, type TestDossier } from "../../helpers/open-dossier.ts";

export interface Researched {
  readonly dossier: TestDossier;
  readonly run: Run;
  readonly events: readonly RunEvent[];
}

/** One run of the graph, until it ends or waits. */
export async function research(request: Partial<ResearchRequest> & { question: string }, options: OpenOptions): Promise<Researched> {
  const dossier = await openDossier(options);
  const { id } = await dossier.start({ graph: "research", ...request });
  return watch(dossier, id);
}

export async function watch(dossier: TestDossier, id: string): Promise<Researched> {
  const run = await dossier.finish(id);
  return { dossier, run, events: await dossier.events(id) };
}

/** Returns the status of the todos in each event: `T1 executing, T2 pending`. */
export function told(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== "component" || event.component !== "todo-list") return [];
    const { todos } = event.props as unknown as { todos: Todo[] };
    return [statuses(todos)];
  });
}

export function statuses(todos: readonly Todo[] | null): string {
  return (todos ?? []).map(({ id, status }) => `${id} ${status}`).join(", ");
}

/** Expects that the recording of the run replays to the same events. */
export async function expectSameAgain({ dossier, run }: Pick<Researched, "dossier" | "run">, parts: Parts): Promise<void> {
  const recording = await readRecording(await dossier.recordingLines(run.id));
  const again = await replay(recording, { judges: [VERIFIER], ...parts });
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
}

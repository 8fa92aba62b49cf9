import type { Run } from "../../../../src/domain/run.ts";
import { plainTitle } from "../../ui/plain-title.ts";

export interface ThreadGroup {
  readonly threadId: string;
  /** Newest first. */
  readonly runs: readonly Run[];
}

/** Puts the runs of a thread together, at the place of its newest one. */
export function groupThreads(runs: readonly Run[]): ThreadGroup[] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const group = groups.get(run.threadId);
    if (group === undefined) groups.set(run.threadId, [run]);
    else group.push(run);
  }
  return [...groups].map(([threadId, members]) => ({ threadId, runs: members }));
}

export interface DayGroup {
  /** Midnight of the day by the reader's clock, in milliseconds. */
  readonly day: number;
  readonly threads: readonly ThreadGroup[];
}

/** Puts the threads of a day together: the day on which the newest run of each was asked. */
export function groupDays(threads: readonly ThreadGroup[]): DayGroup[] {
  const dayOf = ({ runs: [newest] }: ThreadGroup): number => new Date(newest?.createdAt ?? 0).setHours(0, 0, 0, 0);
  return [...Map.groupBy(threads, dayOf)].map(([day, members]) => ({ day, threads: members }));
}

/** The name that the user gave, otherwise the question. */
export function nameOf({ title, question }: Pick<Run, "title" | "question">): string {
  return plainTitle(title ?? question);
}

import type { Effects } from "./effects.ts";

/** Where LangGraph runs a task: what it puts into a task's `metadata` and `executionInfo`. */
export interface TaskPlace {
  readonly node: string;
  /** LangGraph's own step number, which goes on over the runs of a thread. */
  readonly step: number;
  /** LangGraph's path of the task within its step; tells the siblings of one `Send` apart. */
  readonly path: readonly (string | number)[];
  /** 1 for the first try of this task, more under a retry policy. */
  readonly attempt: number;
  /**
   * The part of the run that this task's own graph is, such as `todo:T1` or `child:critic`; unique among its siblings. What speaks
   * below it has it in the path of its events.
   */
  readonly part?: string;
}

/** One per execution, handed to every node through LangGraph's `context`. */
export interface RunContext {
  /** Runs `body` as the task at `place`, between its `node-started` and `node-ended`. */
  task<T>(place: TaskPlace, body: (effects: Effects) => Promise<T>): Promise<T>;
}

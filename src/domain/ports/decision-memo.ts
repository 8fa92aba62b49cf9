import type { Decision } from "./analyst.ts";

/** Decisions of equal views, bounded; forgetting one costs only another decision. */
export interface DecisionMemo {
  get(key: string): Decision | undefined;
  set(key: string, decision: Decision): void;
}

import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { LoopEnding } from "../../domain/events.ts";
import type { Hit, RankedHit } from "../../domain/hit.ts";
import type { PlannedQuery } from "../../domain/queries.ts";
import type { ToolCall } from "../../domain/tool.ts";
import type { KnownReading, ReadHit } from "../../gathering/reading.ts";
import { latest, runChannels, toolChannels } from "../shared/channels.ts";

export const ExecutorState = Annotation.Root({
  ...runChannels(),
  ...toolChannels(),
  round: latest(0),
  calls: latest<ToolCall[]>([]),
  /** Those of the user, else the last ones that the model gave. */
  queries: latest<readonly PlannedQuery[]>([]),
  loopEnding: latest<LoopEnding | null>(null),
  spent: latest<SpentBudget | null>(null),
  ranked: latest<RankedHit[]>([]),
  /** What is read in place of pages that turn out to be older than the user's `since`. */
  spare: latest<RankedHit[]>([]),
  read: latest<ReadHit[]>([]),
  known: latest<readonly KnownReading[]>([]),
  /** What documents of an earlier round name as their sources. */
  leads: latest<readonly Hit[]>([]),
  /** What the documents of this run name. */
  named: latest<readonly Hit[]>([]),
});

export type ExecutorStateValue = typeof ExecutorState.State;
export type ExecutorUpdate = Partial<typeof ExecutorState.Update>;

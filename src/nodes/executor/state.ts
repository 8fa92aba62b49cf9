import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { LoopEnding } from "../../domain/events.ts";
import type { Hit, RankedHit } from "../../domain/hit.ts";
import type { PlannedQuery } from "../../domain/queries.ts";
import type { ReadOutcome } from "../../domain/shared-reads.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { latest, runChannels, toolChannels } from "../shared/channels.ts";

export interface ReadHit extends Omit<ReadOutcome, "title"> {
  readonly hit: RankedHit;
}

/** A document that the run has already read. Its text is in the document store. */
export interface KnownReading {
  readonly sourceId: string;
  readonly contentHash: string;
  /** Where it was read. */
  readonly address?: string;
  /** The title of the document, if that of the hit is none. */
  readonly title?: string;
}

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

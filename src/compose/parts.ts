import type { JudgingRole } from "../analyst/research-roles.ts";
import type { DomainEvent } from "../domain/events.ts";
import type { Analyst, ResearchAnalyst } from "../domain/ports/analyst.ts";
import type { ClaimedRun } from "../domain/ports/run-store.ts";
import type { DocumentExtractor, SearchSource } from "../domain/ports/sources.ts";
import type { Tool } from "../domain/ports/tools.ts";
import type { WorkerPool } from "../domain/ports/workers.ts";
import type { Roles } from "../domain/roles.ts";
import type { GraphDefinition } from "../graphs/registry.ts";
import type { NetworkOptions } from "../network/network.ts";
import type { Storage } from "../storage/storage.ts";

export interface AnalystParts {
  readonly analyst?: Analyst;
  readonly research?: ResearchAnalyst;
  /** They replace those that are built in. */
  readonly judges?: readonly JudgingRole[];
  readonly roles?: Roles;
  readonly promptsDir?: string;
}

/** `tools` replace all tools; `sources` are added. The caller closes `extractor` and `workers`. */
export interface SourceParts {
  /** Whether searches of the corpus use what is indexed while it is being indexed. By default they wait for up to 15 s. */
  readonly partialIndex?: boolean;
  /** Whether the user named the folder for this run, so that it alone is searched by default, whatever `SOURCES` names. */
  readonly ownFolder?: boolean;
  readonly tools?: readonly Tool[];
  readonly sources?: readonly SearchSource[];
  readonly extractor?: DocumentExtractor;
  readonly workers?: WorkerPool;
}

export interface LimitParts {
  readonly clock?: () => number;
  readonly network?: Pick<NetworkOptions, "resolve" | "limits">;
}

/** `onEvent` is called before the event is committed. */
export interface ObserverParts {
  readonly onEvent?: (run: ClaimedRun, event: DomainEvent, node: string | null) => void;
  readonly onIndexed?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface Parts extends AnalystParts, SourceParts, LimitParts, ObserverParts {
  readonly graphs?: readonly ((storage: Storage) => GraphDefinition)[];
}

import type { Citation, DraftClaim, Source } from "../report.ts";

/** What an earlier run has borne out: its claims, what they quote, and the sources of these. */
export interface EarlierFindings {
  readonly claims: readonly DraftClaim[];
  readonly citations: readonly Citation[];
  readonly sources: readonly Source[];
}

/**
 * What `earlierRun` has borne out, an earlier run of the tenant and the thread that `runId` belongs to; null for any other run, and where
 * there is nothing or it cannot be read. From then on `runId` uses the documents that it quotes.
 */
export type FindEarlier = (runId: string, earlierRun: string) => Promise<EarlierFindings | null>;

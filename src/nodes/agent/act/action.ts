import type { Hit } from "../../../domain/hit.ts";
import type { LedgerEntry } from "../../../domain/report.ts";
import type { CallResult } from "../../optional-tool/perform-call.ts";
import type { AgentReading } from "../state.ts";

/** What a call of an agent came to. */
export type ActionResult = CallResult & {
  /** The sources the model is shown by their ids; those that the call found, where it does not choose. */
  readonly shown?: readonly Hit[];
  /** Attempts for the ledger, where they are not the call itself. */
  readonly entries?: readonly LedgerEntry[];
  readonly readings?: readonly AgentReading[];
  readonly downloads?: number;
};

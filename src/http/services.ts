import type { ReportFiles } from "../domain/ports/reports.ts";
import type { Operations, RunService } from "../domain/ports/run-service.ts";
import type { Connections } from "./connections.ts";

/** What every route is handed; routes keep no state of their own. */
export interface HttpServices {
  readonly runs: RunService;
  readonly operations: Operations;
  readonly reports: ReportFiles;
  readonly connections: Connections;
  readonly version: string;
  /** Milliseconds of silence after which an event stream carries a comment line. */
  readonly heartbeatMs: number;
  /** Milliseconds a reader of an event stream may take nothing before it is disconnected. */
  readonly stallMs: number;
  /** The same for every other answer. */
  readonly answerStallMs: number;
}

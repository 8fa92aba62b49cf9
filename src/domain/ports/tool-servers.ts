import type { FailureCode } from "../report.ts";
import type { OfferedTool, ToolResult } from "../tool.ts";
import type { ToolContext } from "./tool.ts";

/** A server whose tools could not be listed. */
export interface ServerFailure {
  /** The server's id, as a request's scope names it. */
  readonly server: string;
  readonly failure: FailureCode;
  readonly message: string;
}

/** What servers offer now; those that could not be asked are told, and fail nobody. */
export interface ToolListing {
  readonly tools: readonly OfferedTool[];
  readonly failures: readonly ServerFailure[];
}

/** Servers outside of this program whose tools a run may use. They are connected to when they are first needed. */
export interface ToolServers {
  /** Names are unique in one listing, and the same in every one. @throws the reason of `signal` */
  list(ids: readonly string[], signal: AbortSignal): Promise<ToolListing>;
  /**
   * Calls a tool once; arguments have been checked against its parameters. A server that was lost is connected to anew.
   * @throws DossierError `out_of_scope` before anything is connected to, `unreachable`, `timeout`, `blocked`, `rate_limited`,
   * `document_too_large`, `unreadable`, `invalid_arguments`, `tool_failed`; the reason of the context's signal
   */
  call(offered: Pick<OfferedTool, "server" | "tool" | "kind">, args: unknown, context: ToolContext): Promise<ToolResult>;
}

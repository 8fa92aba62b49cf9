import type { z } from "zod";
import type { FailureCode } from "../report.ts";
import type { OfferedTool, ToolDescription, ToolResult } from "../tool.ts";
import type { CallContext } from "./sources.ts";

export interface ToolContext extends CallContext {
  readonly runId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Something an analyst may call. Arguments reach `call` only after `schema` has accepted them. */
export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolDescription["kind"];
  /** What a control tool does to the loop that calls it: `stop` ends it with the result's text, `wait` asks the user that text. */
  readonly effect?: "stop" | "wait";
  /** Its text is a result although it brings no sources: a calculation, a document. */
  readonly answersInText?: boolean;
  /** The user has to agree to each call before it is made. */
  readonly confirm?: boolean;
  readonly schema: z.ZodType<Arguments>;
  /** Milliseconds one call may take. */
  readonly timeoutMs: number;
  call(args: Arguments, context: ToolContext): Promise<ToolResult>;
}

/** The tools of a deployment by name. */
export interface Toolbox {
  get(name: string): Tool | undefined;
  /** What an analyst is told of those of `names` that exist, in that order. */
  describe(names: readonly string[]): ToolDescription[];
}

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

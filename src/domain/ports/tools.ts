import type { z } from "zod";
import type { FailureCode } from "../report.ts";
import type { OfferedTool, ToolDescription, ToolResult } from "../tool.ts";
import type { CallContext } from "./sources.ts";

export interface ToolContext extends CallContext {
  readonly runId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** `call` only gets arguments that `schema` has accepted. */
export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolDescription["kind"];
  /** For control tools: `stop` ends the loop with the result's text, `wait` asks the user that text. */
  readonly effect?: "stop" | "wait";
  /** Its text counts as a result without sources: a calculation, a document. */
  readonly answersInText?: boolean;
  readonly confirm?: boolean;
  readonly schema: z.ZodType<Arguments>;
  readonly timeoutMs: number;
  call(args: Arguments, context: ToolContext): Promise<ToolResult>;
}

export interface Toolbox {
  get(name: string): Tool | undefined;
  /** Skips unknown names. */
  describe(names: readonly string[]): ToolDescription[];
}

export interface ServerFailure {
  readonly server: string;
  readonly failure: FailureCode;
  readonly message: string;
}

export interface ToolListing {
  readonly tools: readonly OfferedTool[];
  readonly failures: readonly ServerFailure[];
}

export interface ToolServers {
  /** A failing server fails only itself. Names are unique and stable. @throws the reason of `signal` */
  list(ids: readonly string[], signal: AbortSignal): Promise<ToolListing>;
  /**
   * Calls a tool once, reconnecting if needed, with checked arguments.
   * @throws DossierError `out_of_scope` before any connection, `unreachable`, `timeout`, `blocked`, `rate_limited`, `document_too_large`,
   * `unreadable`, `invalid_arguments`, `tool_failed`; the reason of the signal
   */
  call(offered: Pick<OfferedTool, "server" | "tool" | "kind">, args: unknown, context: ToolContext): Promise<ToolResult>;
}

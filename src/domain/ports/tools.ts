import type { z } from "zod";
import type { FailureCode } from "../report.ts";
import type { OfferedTool, ToolDescription, ToolResult } from "../tool.ts";
import type { CallContext } from "./sources.ts";

export interface ToolContext extends CallContext {
  readonly runId: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Of a call that changes something: the same if it reaches the other side twice. */
  readonly idempotencyKey?: string;
}

/** `call` receives only arguments that `schema` accepts. */
export interface Tool<Arguments = unknown> extends Pick<ToolDescription, "name" | "description" | "kind"> {
  /** `stop` ends the agent's loop with the result's text. `wait` asks the user that text as a question. */
  readonly effect?: "stop" | "wait";
  /** Set if a result counts as progress even without sources, such as a calculation. */
  readonly answersInText?: boolean;
  readonly confirm?: boolean;
  readonly schema: z.ZodType<Arguments>;
  readonly timeoutMs: number;
  call(args: Arguments, context: ToolContext): Promise<ToolResult>;
}

export interface Toolbox {
  get(name: string): Tool | undefined;
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
  /** Lists the tools of these servers and the servers that failed, for a run. Tool names are unique and stable. */
  list(ids: readonly string[], signal: AbortSignal, runId: string): Promise<ToolListing>;
  /**
   * Checks the arguments and calls a tool once. @throws DossierError `out_of_scope`, `unreachable`, `timeout`, `blocked`,
   * `rate_limited`, `document_too_large`, `unreadable`, `invalid_arguments`, `tool_failed`
   */
  call(offered: Pick<OfferedTool, "server" | "tool" | "kind">, args: unknown, context: ToolContext): Promise<ToolResult>;
}

import type { z } from "zod";
import type { ToolDescription, ToolResult } from "../tool.ts";
import type { CallContext } from "./http-fetch.ts";

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

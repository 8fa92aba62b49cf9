import type { IncomingHttpHeaders } from "node:http";
import type { Behavior } from "../model-server/behavior.ts";

/** A call of a tool in a history. */
export interface NeutralCall {
  /** Null where the protocol has none. */
  readonly id: string | null;
  readonly name: string;
  /** Parsed, or the text if it is no JSON. */
  readonly args: unknown;
}

export interface NeutralMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly NeutralCall[];
  /** The call that a tool message answers; its name where the protocol has no ids. */
  readonly callId: string | null;
}

export interface NeutralTool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** What a script sees of a request, the same for every protocol. */
export interface NeutralRequest {
  readonly model: string;
  /** All system messages, joined by empty lines. */
  readonly system: string;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[];
  /** The schema of the answer; null if none is requested. */
  readonly schema: object | null;
  /** Null where the protocol has none. */
  readonly schemaName: string | null;
  readonly maxTokens: number | null;
  readonly stream: boolean;
  readonly body: Body;
}

export type Body = Readonly<Record<string, unknown>>;

/** A refusal by the script, sent in the provider's form of an error. */
export interface ScriptedRefusal {
  readonly kind: "refusal";
  readonly status: number;
  readonly message: string;
}

/** What the model of a script says. Behaviors are written with `say` (model-server/behaviors.ts); finish reasons and usage in OpenAI's words. */
export type ScriptedAnswer = Behavior | ScriptedRefusal;

/** One answer per accepted request, in order (one marked with `repeat` serves all that follow), or a function of the request. */
export type ProviderScript =
  | readonly ScriptedAnswer[]
  | ((request: NeutralRequest, index: number) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>);

/** A request as it arrived, with what became of it. */
export interface ProviderRequest {
  readonly neutral: NeutralRequest;
  readonly body: Body;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Null until a status is sent. */
  readonly status: number | null;
  /** Why it was refused. */
  readonly refusal: string | null;
  /** Whether the client closed the connection before the answer had ended. */
  readonly left: boolean;
}

/** Refuses a request from within a script. */
export const refusal = (status: number, message: string): ScriptedRefusal => ({ kind: "refusal", status, message });

/** Returns the answer for an accepted request; undefined if none is left. */
export async function answerFor(script: ProviderScript, request: NeutralRequest, index: number): Promise<ScriptedAnswer | undefined> {
  if (typeof script === "function") return script(request, index);
  const repeating = script.findIndex((answer) => "repeat" in answer && answer.repeat === true);
  return script[repeating !== -1 && index > repeating ? repeating : index];
}

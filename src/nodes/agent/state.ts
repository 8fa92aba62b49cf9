import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { ChatMessage, FinishReason } from "../../domain/chat.ts";
import type { FailureCode } from "../../domain/report.ts";
import { accumulated, counted, latest, runChannels, toolChannels } from "../shared/channels.ts";

/**
 * A message of this run. The loop wrote messages with the mark `nudge`, `continue` or `notes`. `declined` marks the result of a call that
 * was not made, or of a stop call that did not stop the loop. `brief` replaces a tool's result in a shortened conversation.
 */
export type AgentMessage = ChatMessage & { readonly mark?: "nudge" | "continue" | "notes" | "declined"; readonly brief?: string };

export interface AgentReading {
  readonly sourceId: string;
  readonly contentHash: string;
  readonly status: "read" | "snippet" | "failed";
  readonly failure: FailureCode | null;
}

export const AgentState = Annotation.Root({
  ...runChannels(),
  ...toolChannels(),
  /** When the latest response ended, in ms since 1970 on the run's clock. A wait for the user is measured from it. */
  spokeAt: latest(0),
  /** Milliseconds in which this agent waited for its user while other parts of the run worked. */
  waitedMs: counted(),
  /** The messages of this run, the question first. Earlier questions of the thread are in the task. */
  messages: latest<AgentMessage[]>([]),
  /** Why the latest response ended; null before the first response and after the user has answered. */
  finishReason: latest<FinishReason | null>(null),
  thinks: counted(),
  steps: counted(),
  round: counted(),
  /** The ids of the sources that the model was shown, in that order. The model knows the first one as S1. */
  shown: Annotation<string[], readonly string[]>({ reducer: (known, more) => [...new Set([...known, ...more])], default: () => [] }),
  readings: accumulated<AgentReading>(),
  downloads: counted(),
  /** Whether the next request is too large for the model. The node compress then comes first. */
  crowded: latest(false),
  /** The maximum tokens of a request, if the model's server refused one within the configured context; otherwise null. */
  maxInputTokens: latest<number | null>(null),
  forgottenTurns: latest(0),
  /** The result of the call that stopped the loop; null before. */
  finished: latest<string | null>(null),
  /** The budget whose limit stopped the gathering; null if none did. */
  spent: latest<SpentBudget | null>(null),
  failure: latest<{ readonly code: string; readonly message: string } | null>(null),
  /** The answer to a request without tools, from the node `write`. */
  written: latest<string | null>(null),
  /** Whether `written` was cut off at its length limit. */
  cut: latest(false),
  /** The answer in the model's own words; null if it gave none. */
  answer: latest<string | null>(null),
});

export type AgentStateValue = typeof AgentState.State;
export type AgentUpdate = Partial<typeof AgentState.Update>;

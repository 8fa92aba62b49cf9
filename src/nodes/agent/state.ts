import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { ChatMessage, FinishReason } from "../../domain/chat.ts";
import type { FailureCode } from "../../domain/report.ts";
import { accumulated, counted, latest, runChannels, toolChannels } from "../shared/channels.ts";

/**
 * A message of this run. `mark`: the loop wrote it (`nudge`, `continue`, `notes`), or a control call that did not end the loop
 * (`declined`). `brief` replaces a tool's result in a shortened conversation.
 */
export type AgentMessage = ChatMessage & { readonly mark?: "nudge" | "continue" | "notes" | "declined"; readonly brief?: string };

export interface AgentReading {
  readonly sourceId: string;
  readonly contentHash: string;
  readonly status: "read" | "snippet" | "failed";
  readonly failure: FailureCode | null;
}

interface LoopFailure {
  readonly code: string;
  readonly message: string;
}

export const AgentState = Annotation.Root({
  ...runChannels(),
  ...toolChannels(),
  spokeAt: latest(0),
  /** Milliseconds of running time in which this agent waited for its user while others worked. */
  waitedMs: counted(),
  /** This run's messages, the question first. Earlier questions of the thread are in the task. */
  messages: latest<AgentMessage[]>([]),
  /** Why the latest response ended; null before the first response and after the user has answered. */
  finishReason: latest<FinishReason | null>(null),
  thinks: counted(),
  steps: counted(),
  round: counted(),
  /** Ids of sources the model was shown, in that order: the model knows the first one as S1. */
  shown: Annotation<string[], readonly string[]>({ reducer: (known, more) => [...new Set([...known, ...more])], default: () => [] }),
  readings: accumulated<AgentReading>(),
  downloads: counted(),
  crowded: latest(false),
  /** Maximum tokens of a request if the model's server accepts fewer than configured, otherwise null. */
  maxInputTokens: latest<number | null>(null),
  forgottenTurns: latest(0),
  /** The result of the stop tool; null until one has stopped the loop. */
  finished: latest<string | null>(null),
  spent: latest<SpentBudget | null>(null),
  failure: latest<LoopFailure | null>(null),
  /** The model's answer when it was asked for one without tools. */
  written: latest<string | null>(null),
  cut: latest(false),
  /** The answer in the model's own words; null if it gave none. */
  answer: latest<string | null>(null),
});

export type AgentStateValue = typeof AgentState.State;
export type AgentUpdate = Partial<typeof AgentState.Update>;

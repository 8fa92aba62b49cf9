import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { ChatMessage, FinishReason } from "../../domain/chat.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import { accumulated, counted, latest, runChannels, toolChannels } from "../shared/channels.ts";
import type { Told } from "./places.ts";

/** `declined` marks the result of a call that was not made or did not end the loop. `brief` is a shorter result. */
export type AgentMessage = ChatMessage & { readonly mark?: "nudge" | "continue" | "notes" | "declined"; readonly brief?: string };

export const AgentState = Annotation.Root({
  ...runChannels(),
  ...toolChannels(),
  /** When the latest response ended, in milliseconds since 1970. */
  spokeAt: latest(0),
  /** Milliseconds of waiting for the user that do not count against the time limit. */
  waitedMs: counted(),
  /** The first message is the question. Earlier questions and answers are in `task.history`. */
  messages: latest<AgentMessage[]>([]),
  finishReason: latest<FinishReason | null>(null),
  thinks: counted(),
  /** Responses to requests without tools, which ask for the answer. `thinks` counts the others. */
  writes: counted(),
  steps: counted(),
  round: counted(),
  /** The ids of the sources that the model was shown. The model knows the first as S1, the second as S2. */
  shown: Annotation<string[], readonly string[]>({ reducer: (known, more) => [...new Set([...known, ...more])], default: () => [] }),
  /** The pieces of texts that stand in `messages`. */
  told: latest<readonly Told[]>([]),
  readings: accumulated<KnownReading>(),
  downloads: counted(),
  crowded: latest(false),
  /** The maximum tokens of a request after the server refused one as too large, otherwise null. */
  maxInputTokens: latest<number | null>(null),
  forgottenTurns: latest(0),
  /** The texts of the call that ended the loop, or null. */
  finished: latest<{ readonly answer: string; readonly summary: string } | null>(null),
  spent: latest<SpentBudget | null>(null),
  failure: latest<{ readonly code: string; readonly message: string } | null>(null),
  written: latest<string | null>(null),
  /** Whether `written` was cut off at its length limit. */
  cut: latest(false),
  /** Whether the report is an answer of the model. Otherwise rules wrote it. */
  byModel: latest(false),
});

export type AgentStateValue = typeof AgentState.State;
export type AgentUpdate = Partial<typeof AgentState.Update>;

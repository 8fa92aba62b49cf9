import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { ChatMessage, FinishReason } from "../../domain/chat.ts";
import { addFound, type Hit } from "../../domain/hit.ts";
import type { FailureCode, LedgerEntry, Report } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import type { Termination } from "../../domain/run.ts";
import type { OfferedTool, ToolOutcome, Verdict } from "../../domain/tool.ts";

/**
 * A message of this run. `mark` tells what the loop itself said or decided about it: a user's message that is no human's (`nudge`,
 * `continue`, `notes`), and the result of a control call that does not end the loop (`declined`). `brief` is what remains of a tool's
 * result when the conversation is made shorter.
 */
export type AgentMessage = ChatMessage & { readonly mark?: "nudge" | "continue" | "notes" | "declined"; readonly brief?: string };

/** A source whose text lies in the document store. */
export interface AgentReading {
  readonly sourceId: string;
  readonly contentHash: string;
  readonly status: "read" | "snippet" | "failed";
  readonly failure: FailureCode | null;
}

/** What kept the model from going on: an error of the catalogue, in words. */
export interface ModelFailure {
  readonly code: string;
  readonly message: string;
}

const latest = <T>(initial: T) => Annotation<T>({ reducer: (_, update) => update, default: () => initial });
const accumulated = <T>() => Annotation<T[], T[]>({ reducer: (known, found) => [...known, ...found], default: () => [] });
const counted = () => Annotation<number, number>({ reducer: (known, more) => known + more, default: () => 0 });

/** Ids and short texts; whatever is long lies in the document store under its hash. */
export const AgentState = Annotation.Root({
  task: Annotation<Task>,
  /** Milliseconds since 1970, on the run's own clock. */
  startedAt: latest(0),
  /** When the model last spoke, on that clock. */
  spokeAt: latest(0),
  /** Milliseconds of the run's running time in which this agent waited for its user, while others worked. */
  waitedMs: counted(),
  /** Of this run, the question first; the thread's earlier questions and answers are in the task. */
  messages: latest<AgentMessage[]>([]),
  /** Of the latest response; null before the first one and after a human has answered. */
  finishReason: latest<FinishReason | null>(null),
  /** Times the model was asked. */
  thinks: counted(),
  /** Nodes that have run. */
  steps: counted(),
  /** Rounds of calls. */
  round: counted(),
  /** What the servers in scope offer; null before they were asked. */
  offered: latest<OfferedTool[] | null>(null),
  /** What the user said to calls that had to be agreed to and have not been dealt with. */
  verdicts: latest<Verdict[]>([]),
  outcomes: accumulated<ToolOutcome>(),
  /** As each finder found them; one address may stand here more than once. */
  hits: Annotation<Hit[], Hit[]>({ reducer: addFound, default: () => [] }),
  /** Ids of sources the model was shown, in that order: the first is S1 to it. */
  shown: Annotation<string[], string[]>({ reducer: (known, more) => [...new Set([...known, ...more])], default: () => [] }),
  readings: accumulated<AgentReading>(),
  downloads: counted(),
  ledger: accumulated<LedgerEntry>(),
  /** The conversation has to become shorter before the model is asked again. */
  crowded: latest(false),
  /** The most tokens of a request, where the model's server takes less than it was said to. */
  maxInputTokens: latest<number | null>(null),
  /** How many turns of the thread are told no more, the oldest first. */
  forgottenTurns: latest(0),
  /** What the stop tool handed over; null until one has stopped the loop. */
  finished: latest<string | null>(null),
  /** The budget that cut the gathering short, where one did. */
  spent: latest<SpentBudget | null>(null),
  failure: latest<ModelFailure | null>(null),
  /** What the model wrote when it was asked for an answer without tools. */
  written: latest<string | null>(null),
  /** That answer was cut off at its length. */
  cut: latest(false),
  /** The answer in the model's own words; null where it gave none. */
  answer: latest<string | null>(null),
  report: latest<Report | null>(null),
  termination: latest<Termination | null>(null),
});

export type AgentStateValue = typeof AgentState.State;
export type AgentUpdate = Partial<typeof AgentState.Update>;

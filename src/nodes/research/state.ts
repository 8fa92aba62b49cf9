import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import { NOTHING_FOUND } from "../../domain/citations.ts";
import type { Hit, RankedHit } from "../../domain/hit.ts";
import type { NextAction, PlannedTodo, Todo } from "../../domain/plan.ts";
import type { Findings } from "../../domain/ports/analyst.ts";
import type { PlannedQuery } from "../../domain/queries.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/task.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import type { KnownReading, ReadHit } from "../../gathering/reading.ts";
import { accumulated, counted, latest, runChannels } from "../shared/channels.ts";

export interface Gathered {
  readonly findings: Findings;
  readonly hits: readonly Hit[];
  readonly ranked: readonly RankedHit[];
  readonly read: readonly ReadHit[];
  readonly ledger: readonly LedgerEntry[];
}

export interface TodoWork extends Gathered {
  readonly todo: Todo;
  readonly spent: SpentBudget | null;
}

type TodosUpdate = { readonly plan: readonly Todo[] } | { readonly changed: readonly Todo[] };

export const ResearchState = Annotation.Root({
  ...runChannels(),
  /** Null before the MCP servers were asked for their tools. */
  offered: latest<OfferedTool[] | null>(null),
  steps: counted(),
  planCalls: counted(),
  planRound: latest(0),
  needsMorePlanning: latest(false),
  question: latest<string | null>(null),
  asked: accumulated<{ readonly question: string; readonly answer: string }>(),
  approved: latest(false),
  rejections: counted(),
  rejection: latest<string | null>(null),
  /** Whether rules made the latest plan after a rejection. Rules cannot use the user's reason. */
  reasonUnused: latest(false),
  todos: Annotation<Todo[], TodosUpdate>({ reducer: applyTodosUpdate, default: () => [] }),
  work: Annotation<TodoWork[], readonly TodoWork[]>({ reducer: replaceWork, default: () => [] }),
  /** Why the judges reject the results as a whole, or null. */
  feedback: latest<string | null>(null),
  spent: latest<SpentBudget | null>(null),
  /** Whether the latest planning call changed nothing, or what came of it brought nothing new. */
  gaveUp: latest(false),
  /** What the plans before the latest one brought (`extentOf`); null before the first verification. */
  extent: latest<number | null>(null),
});

export type ResearchStateValue = typeof ResearchState.State;
export type ResearchUpdate = Partial<typeof ResearchState.Update>;

/** `id` names the todo of the branch. `downloads` counts the downloads that the run has made. */
export type BranchState = Pick<ResearchStateValue, "task" | "startedAt" | "todos" | "work" | "offered"> & {
  readonly id: string;
  readonly downloads: number;
};

export const TodoState = Annotation.Root({
  /** The run's task with the limits of this todo. The history also contains the findings of the todos in `dependsOn`. */
  task: Annotation<Task>,
  todo: Annotation<PlannedTodo>,
  offered: latest<OfferedTool[] | null>(null),
  startedAt: latest(0),
  round: latest(0),
  /** What the next round searches; null: the todo's description, as a question. */
  query: latest<PlannedQuery | null>(null),
  /** Why there is a next round; null before the second. */
  nextAction: latest<NextAction | null>(null),
  /** The keys (`queryKey`) of what the rounds searched. */
  queries: accumulated<string>(),
  /** Before the first round: the earlier answers of the thread that the todo depends on. */
  findings: latest<Findings>(NOTHING_FOUND),
  /** Whether the latest round brought no new document, no new note and no source to read next. */
  isFruitless: latest(false),
  hits: accumulated<Hit>(),
  ranked: accumulated<RankedHit>(),
  read: accumulated<ReadHit>(),
  known: latest<readonly KnownReading[]>([]),
  /** What the documents of the latest round name as their sources; the next round reads them. */
  named: latest<readonly Hit[]>([]),
  ledger: accumulated<LedgerEntry>(),
  spent: latest<SpentBudget | null>(null),
  failure: latest<string | null>(null),
  /** `exhausted`: completed with its notes, because another look brought nothing new. */
  ending: latest<"completed" | "exhausted" | "failed" | "skipped" | null>(null),
  summary: latest(""),
});

export type TodoStateValue = typeof TodoState.State;
export type TodoUpdate = Partial<typeof TodoState.Update>;

function applyTodosUpdate(known: Todo[], update: TodosUpdate): Todo[] {
  if ("plan" in update) return [...update.plan];
  return known.map((todo) => update.changed.find(({ id }) => id === todo.id) ?? todo);
}

function replaceWork(known: TodoWork[], update: readonly TodoWork[]): TodoWork[] {
  const ids = update.map(({ todo }) => todo.id);
  return [...known.filter(({ todo }) => !ids.includes(todo.id)), ...update];
}

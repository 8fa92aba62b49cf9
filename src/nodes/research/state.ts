import { Annotation } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import type { Hit, RankedHit } from "../../domain/hit.ts";
import type { PlannedTodo, Todo } from "../../domain/plan.ts";
import type { Findings } from "../../domain/ports/research-analyst.ts";
import type { LedgerEntry, Report } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import type { Termination } from "../../domain/run.ts";
import { NOTHING_SPENT, type Spent } from "../../domain/spent.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import type { KnownReading, ReadHit } from "../executor/state.ts";

/** A todo that has ended, with all that the report needs of it. */
export interface TodoWork {
  readonly todo: Todo;
  readonly findings: Findings;
  readonly hits: readonly Hit[];
  readonly ranked: readonly RankedHit[];
  readonly read: readonly ReadHit[];
  readonly ledger: readonly LedgerEntry[];
  /** The budget that cut it short, where one did. */
  readonly spent: SpentBudget | null;
}

/** A question of the planner, and what the user answered. */
export interface AskedUser {
  readonly question: string;
  readonly answer: string;
}

/** Todos that take the place of all others, or those that have changed. */
type TodosUpdate = { readonly plan: readonly Todo[] } | { readonly changed: readonly Todo[] };

const latest = <T>(initial: T) => Annotation<T>({ reducer: (_, update) => update, default: () => initial });
const accumulated = <T>() => Annotation<T[], readonly T[]>({ reducer: (known, more) => [...known, ...more], default: () => [] });
const counted = () => Annotation<number, number>({ reducer: (known, more) => known + more, default: () => 0 });

/** Ids and short texts; whatever is long lies in the document store under its hash. */
export const ResearchState = Annotation.Root({
  task: Annotation<Task>,
  /** Milliseconds since 1970, on the run's own clock. */
  startedAt: latest(0),
  /** What the servers in scope offer, to the planner and to all todos; null before they were asked. */
  offered: latest<OfferedTool[] | null>(null),
  /** Nodes of this graph that have run. */
  steps: counted(),
  /** How often the planner was asked. */
  planCalls: counted(),
  /** Which planning the latest todos are from. */
  planRound: latest(0),
  /** The planner wants to be asked once more before anything is executed. */
  needsMorePlanning: latest(false),
  /** What the planner wants to know of the user; null where nothing is asked. */
  question: latest<string | null>(null),
  asked: accumulated<AskedUser>(),
  approved: latest(false),
  rejections: counted(),
  /** Why the user did not accept the latest plan. */
  rejection: latest<string | null>(null),
  /** The latest plan was made by rules, which cannot use what the user said of the one before it. */
  reasonUnused: latest(false),
  /** The todos of the latest plan, in its order. */
  todos: Annotation<Todo[], TodosUpdate>({ reducer: changedTodos, default: () => [] }),
  /** What todos of this and of earlier plans have found; the latest word on each. */
  work: Annotation<TodoWork[], readonly TodoWork[]>({ reducer: changedWork, default: () => [] }),
  /** What the judges say of the whole; null where they are content, or have not judged the latest plan. */
  feedback: latest<string | null>(null),
  ledger: accumulated<LedgerEntry>(),
  /** The budget that ended the planning or the judging, where one did. */
  spent: latest<SpentBudget | null>(null),
  /** The plan did not change although something was not accepted. */
  gaveUp: latest(false),
  report: latest<Report | null>(null),
  termination: latest<Termination | null>(null),
});

export type ResearchStateValue = typeof ResearchState.State;
export type ResearchUpdate = Partial<typeof ResearchState.Update>;

/** What the branch of one todo is given. */
export interface BranchState {
  readonly id: string;
  readonly task: Task;
  readonly startedAt: number;
  readonly todos: readonly Todo[];
  readonly work: readonly TodoWork[];
  readonly downloads: number;
  readonly offered: OfferedTool[] | null;
}

/** One todo, executed and judged round by round. */
export const TodoState = Annotation.Root({
  /** That of the run, with the limits of this todo, and what the todos that it needs have found among the history. */
  task: Annotation<Task>,
  todo: Annotation<PlannedTodo>,
  /** What the servers in scope offer; null where whoever works on it has to ask them. */
  offered: latest<OfferedTool[] | null>(null),
  startedAt: latest(0),
  round: latest(0),
  /** What the next round looks for; null for the description. */
  query: latest<string | null>(null),
  queries: accumulated<string>(),
  findings: latest<Findings>({ claims: [], citations: [], reason: null }),
  /** How many claims the latest round has added. */
  newClaims: latest(0),
  hits: accumulated<Hit>(),
  ranked: accumulated<RankedHit>(),
  read: accumulated<ReadHit>(),
  /** What other todos have read, which is not fetched again. */
  known: latest<readonly KnownReading[]>([]),
  ledger: accumulated<LedgerEntry>(),
  spent: latest<SpentBudget | null>(null),
  /** What its model calls have taken. */
  used: latest<Spent>(NOTHING_SPENT),
  /** What kept the latest round from its end. */
  failure: latest<string | null>(null),
  ending: latest<"completed" | "failed" | "skipped" | null>(null),
  /** What was found or is missing, in a few words. */
  summary: latest(""),
});

export type TodoStateValue = typeof TodoState.State;
export type TodoUpdate = Partial<typeof TodoState.Update>;

function changedTodos(known: Todo[], update: TodosUpdate): Todo[] {
  if ("plan" in update) return [...update.plan];
  return known.map((todo) => update.changed.find(({ id }) => id === todo.id) ?? todo);
}

function changedWork(known: TodoWork[], update: readonly TodoWork[]): TodoWork[] {
  const ids = update.map(({ todo }) => todo.id);
  return [...known.filter(({ todo }) => !ids.includes(todo.id)), ...update];
}

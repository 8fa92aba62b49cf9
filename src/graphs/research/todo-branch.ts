import type { BaseCheckpointSaver, LangGraphRunnableConfig } from "@langchain/langgraph";
import type { SpentBudget } from "../../domain/budget.ts";
import { joinFindings, NOTHING_FOUND } from "../../domain/citations.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Effects, RunContext } from "../../domain/ports/effects.ts";
import type { Findings } from "../../domain/ports/research-analyst.ts";
import type { Turn as EarlierTurn, Task } from "../../domain/request.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import type { BranchState, ResearchUpdate, TodoStateValue, TodoWork } from "../../nodes/research/state.ts";
import { passOn, sayTodos } from "../../nodes/research/todos.ts";
import { languageOf, wordingFor } from "../../nodes/research/wording.ts";
import { downloadsIn, gatheringMsLeft } from "../../nodes/shared/limits.ts";
import { bindPart, type PartGraph, placeOf, type RunPart, runOf } from "../bind.ts";
import { Schedule } from "./scheduler.ts";
import { type Portion, SharePool } from "./share-pool.ts";
import { knownReadings } from "./work-todo.ts";

interface BranchDeps {
  readonly todoGraph: PartGraph<Partial<TodoStateValue>, TodoStateValue>;
  readonly checkpointer: BaseCheckpointSaver;
}

/** What the branches of one step share. */
interface Step {
  readonly schedule: Schedule;
  pool: SharePool | null;
  recovered: Promise<void> | null;
}

/** How much of what a todo has found is told to those that need it, in UTF-16 code units. */
const MAX_TOLD = 2_000;

/**
 * The branch of one todo: waits until what it needs has ended and there is a slot, then executes it. A failure of the todo is its result;
 * the branches of a step share one schedule, which lives as long as the step does.
 */
export function createTodoBranch(deps: BranchDeps): (state: BranchState, config: LangGraphRunnableConfig) => Promise<ResearchUpdate> {
  const steps = new WeakMap<RunContext, Map<number, Step>>();
  const stepOf = (run: RunContext, step: number, state: BranchState): Step => {
    const known = steps.get(run) ?? new Map<number, Step>();
    steps.set(run, known);
    const { todos, work, task } = state;
    const own = known.get(step) ?? { schedule: new Schedule(todos, work, task.parallelTodos ?? 1), pool: null, recovered: null };
    known.set(step, own);
    return own;
  };
  return (state, config) => {
    const step = stepOf(runOf(config), placeOf(config).step, state);
    step.schedule.join(state.id);
    const runId = String(config.configurable?.["thread_id"]);
    const namespace = String(config.configurable?.["checkpoint_ns"]);
    const branch = bindPart<BranchState, ResearchUpdate>(
      (_, effects, runPart) => runBranch({ state, step, deps, effects, runPart, runId, namespace }),
      ({ id, todos }) => todos.find((todo) => todo.id === id)?.path ?? `todo:${id}`,
    );
    return branch(state, config);
  };
}

interface Branch {
  readonly state: BranchState;
  readonly step: Step;
  readonly deps: BranchDeps;
  readonly effects: Effects;
  readonly runPart: RunPart;
  readonly runId: string;
  /** Of the todo's own graph among the run's checkpoints. */
  readonly namespace: string;
}

async function runBranch(branch: Branch): Promise<ResearchUpdate> {
  const { state, step, effects } = branch;
  const { schedule } = step;
  try {
    // Its siblings are called in this turn of the event loop, one after another.
    await new Promise((resolve) => setImmediate(resolve));
    await recover(branch);
    const turn = await schedule.turn(state.id);
    if (turn.type === "postponed") return {};
    const work = turn.type === "skip" ? skipped(branch, turn.dependency) : await begin(branch);
    schedule.end(work);
    sayTodos(schedule.todos, effects);
    return { work: [work], todos: { changed: [work.todo] } };
  } catch (error) {
    schedule.leave(state.id);
    throw error;
  }
}

/** Where an earlier segment has seen a part of this step, its end is in no state yet. */
async function recover({ step, deps, effects, runId }: Branch): Promise<void> {
  if (step.schedule.complete) return;
  step.recovered ??= earlierWork(deps.checkpointer, runId, effects).then((work) => step.schedule.recover(work));
  await step.recovered;
}

async function begin(branch: Branch): Promise<TodoWork> {
  const { state, step, effects } = branch;
  const todo = todoOf(branch);
  const startedAt = effects.now();
  const seconds = gatheringMsLeft(state, effects) / 1_000;
  if (seconds === 0) return tooLate(todo, branch);
  const among = step.schedule.begin({ ...todo, status: "executing" });
  sayTodos(step.schedule.todos, effects);
  step.pool ??= new SharePool(state.task.limits, effects.spent(), state.downloads);
  const portion = (await resumed(branch, step.pool)) ?? step.pool.take(among);
  return execute(branch, { todo, startedAt, seconds, portion, pool: step.pool });
}

/** What an earlier plan has found for it stays, and what it missed. */
function tooLate(todo: Todo, { state }: Branch): TodoWork {
  const before = state.work.find((one) => one.todo.id === todo.id);
  const ended = failed(todo, before?.todo.feedback ?? wordingFor(state.task).noTime);
  return { ...(before ?? workOf(ended, NOTHING_FOUND)), todo: ended, spent: "time_budget" };
}

/** What a todo that goes on after a wait was given when it began; null for one that begins now. */
async function resumed({ deps, effects, runId, namespace }: Branch, pool: SharePool): Promise<Portion | null> {
  const used = effects.spentEarlier();
  if (used === null) return null;
  const portion = await earlierPortion(deps.checkpointer, { runId, namespace }, effects);
  if (portion !== null) pool.resume(portion, used);
  return portion;
}

interface Execution {
  readonly todo: Todo;
  readonly startedAt: number;
  readonly seconds: number;
  readonly portion: Portion;
  readonly pool: SharePool;
}

async function execute(branch: Branch, { todo, startedAt, seconds, portion, pool }: Execution): Promise<TodoWork> {
  const { state, deps, effects, runPart } = branch;
  const limits = { ...state.task.limits, ...portion, seconds };
  const language = languageOf(state.task);
  const task: Task = { ...state.task, language, limits, history: [...state.task.history, ...toldBy(branch, todo)] };
  const before = state.work.find((one) => one.todo.id === todo.id);
  try {
    const known = knownReadings(branch.step.schedule.work.flatMap(({ read }) => read));
    const done = await runPart(
      deps.todoGraph,
      { task, todo, offered: state.offered, startedAt, known },
      { limits, whole: state.task.limits, lend: () => pool.lend(branch.step.schedule.waiting) },
    );
    pool.giveBack(portion, done.used, downloadsIn(done.ledger));
    return workDone(todo, done, before, effects);
  } catch (error) {
    passOn(error, effects);
    const { code, message } = toDossierError(error);
    const ms = effects.elapsedMs(startedAt);
    return workOf({ ...failed(todo, `${code}: ${message}`), ms }, before?.findings ?? NOTHING_FOUND);
  }
}

/** What the todos that this one needs have found, as turns of the conversation before it. */
function toldBy({ step }: Branch, { dependsOn }: Todo): EarlierTurn[] {
  const needed = step.schedule.executed.filter(({ todo }) => dependsOn.includes(todo.id));
  return needed.map(({ todo, findings }) => {
    const supported = findings.claims.filter((claim) => claim.supported);
    // An agent that has calculated quotes nothing, and what it says is what was needed.
    const said = (supported.length > 0 ? supported : findings.claims).map(({ text }) => text);
    return { question: todo.description, answer: (said.join("\n") || todo.result || "").slice(0, MAX_TOLD).toWellFormed() };
  });
}

function skipped(branch: Branch, dependency: string): TodoWork {
  const feedback = wordingFor(branch.state.task).dependency(dependency);
  return workOf({ ...todoOf(branch), status: "skipped", feedback }, NOTHING_FOUND);
}

function todoOf({ state }: Branch): Todo {
  const todo = state.todos.find(({ id }) => id === state.id);
  if (todo === undefined) throw new DossierError("internal", `There is no todo ${state.id} in the plan.`);
  return todo;
}

/** The longest result of a todo, in UTF-16 code units. */
const MAX_RESULT = 500;

/** What has come of a todo that was executed, beside what an earlier plan has found for it. */
function workDone(todo: Todo, done: TodoStateValue, before: TodoWork | undefined, effects: Effects): TodoWork {
  const { ending, summary, round, spent } = done;
  if (ending === null) throw new DossierError("internal", `The todo ${todo.id} ended without an ending.`);
  const findings = before === undefined ? done.findings : joinFindings([before.findings, done.findings]);
  const told = ending === "completed" ? { result: resultOf(summary, findings), feedback: null } : { result: null, feedback: summary };
  const ended: Todo = { ...todo, status: ending, rounds: round, ms: effects.elapsedMs(done.startedAt), ...told };
  return {
    todo: { ...ended, answeredBy: ending === "completed" ? "execution" : null },
    findings,
    hits: [...(before?.hits ?? []), ...done.hits],
    ranked: [...(before?.ranked ?? []), ...done.ranked],
    read: [...(before?.read ?? []), ...done.read],
    ledger: [...(before?.ledger ?? []), ...done.ledger],
    spent,
  };
}

function resultOf(summary: string, { claims }: Findings): string {
  const first = claims.find(({ supported }) => supported)?.text ?? "";
  return (summary || first).slice(0, MAX_RESULT).toWellFormed();
}

/** A todo that has failed, and why. */
function failed(todo: Todo, feedback: string): Todo {
  return { ...todo, status: "failed", feedback };
}

/** What has come of a todo that was not executed to its end. */
function workOf(todo: Todo, findings: Findings, spent: SpentBudget | null = null): TodoWork {
  return { todo, findings, hits: [], ranked: [], read: [], ledger: [], spent };
}

const READ_TIMEOUT_MS = 30_000;

/**
 * What branches of an unfinished step have come to in the segment before this one: LangGraph keeps it beside its checkpoint until the
 * step ends, and shows it to nobody. An effect, so that a replay gets it from the journal.
 */
function earlierWork(checkpointer: BaseCheckpointSaver, runId: string, effects: Effects): Promise<TodoWork[]> {
  return effects.perform<TodoWork[]>({
    kind: "memo",
    request: { of: "todos of the step" } satisfies JsonValue,
    timeoutMs: READ_TIMEOUT_MS,
    async live() {
      const saved = await checkpointer.getTuple({ configurable: { thread_id: runId, checkpoint_ns: "" } });
      const writes = saved?.pendingWrites ?? [];
      return writes.flatMap(([, channel, value]) => (channel === "work" ? (value as TodoWork[]) : []));
    },
  });
}

/**
 * What the todo was given when it began, in an earlier segment; null where it did not come to a checkpoint. Its own graph goes on with
 * that, whatever it is given now. An effect, as the work of its siblings is.
 * @param namespace of the todo's own graph among the run's checkpoints
 */
function earlierPortion(
  checkpointer: BaseCheckpointSaver,
  { runId, namespace }: { readonly runId: string; readonly namespace: string },
  effects: Effects,
): Promise<Portion | null> {
  return effects.perform<Portion | null>({
    kind: "memo",
    request: { of: "share of the todo" } satisfies JsonValue,
    timeoutMs: READ_TIMEOUT_MS,
    async live() {
      const saved = await checkpointer.getTuple({ configurable: { thread_id: runId, checkpoint_ns: namespace } });
      const { task } = (saved?.checkpoint.channel_values ?? {}) as Partial<TodoStateValue>;
      if (task === undefined) return null;
      const { modelCalls, tokens, costUsd, downloads } = task.limits;
      return { modelCalls, tokens, costUsd, downloads };
    },
  });
}

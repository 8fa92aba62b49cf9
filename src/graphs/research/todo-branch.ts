import type { BaseCheckpointSaver, CheckpointTuple, LangGraphRunnableConfig } from "@langchain/langgraph";
import { type Amounts, Budget, NOTHING_SPENT } from "../../domain/budget.ts";
import { mergeFindings } from "../../domain/citations.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Executed, Findings } from "../../domain/ports/analyst.ts";
import type { Effects, RunContext } from "../../domain/ports/effects.ts";
import { isChecked } from "../../domain/report.ts";
import type { Task, Turn } from "../../domain/task.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { gatheringMsLeft } from "../../gathering/limits.ts";
import { shareRead } from "../../gathering/reader.ts";
import { taskOfNestedRun } from "../../gathering/thread.ts";
import type { BranchState, ResearchUpdate, TodoStateValue, TodoWork } from "../../nodes/research/state.ts";
import { emitTodos, endOf, joinGathered, NOTHING_GATHERED, rethrowControlFlow } from "../../nodes/research/todos.ts";
import { languageOf, textsFor } from "../../nodes/research/user-messages.ts";
import { type BoundNode, runOf, taskPlaceOf } from "../bind.ts";
import { bindNestedRun, type NestedGraph, type RunNested } from "../nested-run.ts";
import { Scheduler } from "./scheduler.ts";
import { knownReadings } from "./work-todo.ts";

interface BranchDeps {
  readonly todoGraph: NestedGraph<Partial<TodoStateValue>, TodoStateValue>;
}

interface StepState {
  readonly scheduler: Scheduler;
  budget?: Budget;
  recovered?: Promise<void>;
}

interface EarlierShare {
  readonly share: Omit<Amounts, "downloads">;
}

/** In UTF-16 code units. */
const MAX_FINDINGS_LENGTH = 2_000;

/** Waits until the scheduler starts the todo, then executes it. A failed todo is a result, not an error. */
export function createTodoBranch(deps: BranchDeps): BoundNode<BranchState, ResearchUpdate> {
  const stepsByRun = new WeakMap<RunContext, Map<number, StepState>>();
  return (state, config) => {
    const { todos, work, task } = state;
    const { step } = taskPlaceOf(config);
    const stepsOfRun = stepsByRun.get(runOf(config)) ?? new Map<number, StepState>();
    stepsByRun.set(runOf(config), stepsOfRun);
    const stepState = stepsOfRun.get(step) ?? { scheduler: new Scheduler(todos, work, task.parallelTodos ?? 1) };
    stepsOfRun.set(step, stepState);
    stepState.scheduler.join(state.id);
    const branch = bindNestedRun<BranchState, ResearchUpdate>(
      (_, effects, runNested) => new TodoBranch({ ...deps, state, stepState, effects, runNested, config }).run(),
      ({ id }) => todos.find((todo) => todo.id === id)?.path ?? `todo:${id}`,
    );
    return branch(state, config);
  };
}

interface BranchOptions extends BranchDeps {
  readonly state: BranchState;
  readonly stepState: StepState;
  readonly effects: Effects;
  readonly runNested: RunNested;
  readonly config: LangGraphRunnableConfig;
}

class TodoBranch {
  readonly #options: BranchOptions;
  readonly #todo: Todo;
  readonly #before: TodoWork | undefined;

  constructor(options: BranchOptions) {
    const { id, todos, work } = options.state;
    const todo = todos.find((one) => one.id === id);
    if (todo === undefined) throw new DossierError("internal", `There is no todo ${id} in the plan.`);
    this.#options = options;
    this.#todo = todo;
    this.#before = work.find((one) => one.todo.id === id);
  }

  async run(): Promise<ResearchUpdate> {
    const { state, stepState, effects } = this.#options;
    const { scheduler } = stepState;
    try {
      // LangGraph calls all branches in one turn of the event loop, so all have joined before the first starts.
      await new Promise((resolve) => setImmediate(resolve));
      if (!scheduler.allJoined) {
        stepState.recovered ??= this.#recover();
        await stepState.recovered;
      }
      const decision = await scheduler.decideStart(state.id);
      if (decision.type === "postponed") return {};
      const work = decision.type === "skip" ? this.#skipped(decision.dependency) : await this.#begin();
      scheduler.end(work);
      emitTodos(scheduler.todos, effects);
      return { work: [work], todos: { changed: [work.todo] } };
    } catch (error) {
      scheduler.leave(state.id);
      throw error;
    }
  }

  /** LangGraph keeps the results of an unfinished step as pending writes, not in the state. */
  async #recover(): Promise<void> {
    const outer = this.#namespace.split("|").slice(0, -1).join("|");
    const work = await this.#readCheckpoint<TodoWork[]>("todos of the step", outer, (saved) => {
      return (saved?.pendingWrites ?? []).flatMap(([, channel, value]) => (channel === "work" ? (value as TodoWork[]) : []));
    });
    this.#options.stepState.scheduler.recover(work);
  }

  async #begin(): Promise<TodoWork> {
    const { state, stepState, effects } = this.#options;
    const startedAt = effects.now();
    const seconds = gatheringMsLeft(state, effects) / 1_000;
    if (seconds === 0) return this.#tooLate();
    const unstarted = stepState.scheduler.begin(this.#todo.id);
    emitTodos(stepState.scheduler.todos, effects);
    stepState.budget ??= this.#budgetOfStep();
    const pool = stepState.budget;
    const earlier = effects.spentEarlier();
    const known = earlier === null ? null : await this.#earlierShare();
    const downloads = effects.downloadsEarlier();
    for (const { address, contentHash, title, publishedAt } of downloads)
      if (contentHash !== null) shareRead(address, { contentHash, title, publishedAt }, effects);
    pool.spend(NOTHING_SPENT, downloads.filter(({ isCounted }) => isCounted).length);
    const budget = pool.allocate({ ...(known?.share ?? pool.firstShare(unstarted)), downloads: 0 }, earlier ?? undefined);
    return this.#execute(budget, startedAt, seconds);
  }

  #budgetOfStep(): Budget {
    const { state, stepState, effects } = this.#options;
    const { limits, depth } = state.task;
    const ceiling = () => Budget.ofRun(limits, effects.spent()).left;
    return Budget.ofTodos(limits, effects.spent(), state.downloads, {
      ceiling,
      waiting: () => stepState.scheduler.unstarted,
      inSections: depth === "deep",
    });
  }

  /** Returns the share with which the todo started before it waited; null if nothing was saved. */
  #earlierShare(): Promise<EarlierShare | null> {
    return this.#readCheckpoint<EarlierShare | null>("share of the todo", this.#namespace, (saved) => {
      const { task } = (saved?.checkpoint.channel_values ?? {}) as Partial<TodoStateValue>;
      if (task === undefined) return null;
      const { modelCalls, tokens, costUsd } = task.limits;
      return { share: { modelCalls, tokens, costUsd } };
    });
  }

  /** Names the checkpoints of this todo: the names of the outer tasks and of this one, separated by `|`. */
  get #namespace(): string {
    return String(this.#options.config.configurable?.["checkpoint_ns"]);
  }

  /** Reads a checkpoint as an effect, so that a replay gets the value from the journal. LangGraph names the checkpointer of the outermost graph. */
  #readCheckpoint<T>(of: string, checkpoint_ns: string, read: (saved: CheckpointTuple | undefined) => T): Promise<T> {
    const { config, effects } = this.#options;
    const thread_id = String(config.configurable?.["thread_id"]);
    const checkpointer = config.configurable?.["__pregel_checkpointer"] as BaseCheckpointSaver | undefined;
    const live = async () => read(await checkpointer?.getTuple({ configurable: { thread_id, checkpoint_ns } }));
    return effects.perform<T>({ kind: "memo", request: { of }, timeoutMs: 30_000, live });
  }

  async #execute(budget: Budget, startedAt: number, seconds: number): Promise<TodoWork> {
    const { state, todoGraph, effects, runNested, stepState } = this.#options;
    const { downloads } = state.task.limits;
    const limits = { ...state.task.limits, ...budget.limits, downloads, seconds };
    // The findings of a todo are notes. Only the report of the whole run shows unverified sentences and is checked by a model.
    const { supportCheck: _, ...own } = taskOfNestedRun(state.task, state.startedAt, effects);
    const history = [...own.history, ...this.#findingsOfDependencies()];
    const notes = own.models !== null && ({ notes: state.task.depth === "deep" ? "each" : "together" } as const);
    const task: Task = { ...own, ...notes, unsupported: "strike", language: languageOf(own), limits, history };
    const known = knownReadings(stepState.scheduler.work.flatMap(({ read }) => read));
    try {
      const done = await runNested(
        todoGraph,
        { task, todo: this.#todo, offered: state.offered, startedAt, known, findings: this.#earlierAnswers() },
        { budget },
      );
      budget.release();
      return this.#done(done);
    } catch (error) {
      // A todo that waits for its user keeps its budget.
      rethrowControlFlow(error, effects);
      budget.release();
      const { code, message } = toDossierError(error);
      const todo = { ...this.#failed(`${code}: ${message}`), ms: effects.elapsedMs(startedAt) };
      return { ...(this.#before ?? NOTHING_GATHERED), todo, spent: null };
    }
  }

  #dependencies(): Executed[] {
    return this.#options.stepState.scheduler.executed.filter(({ todo }) => this.#todo.dependsOn.includes(todo.id));
  }

  #findingsOfDependencies(): Turn[] {
    return this.#dependencies().map(({ todo, findings }) => {
      const checked = findings.claims.filter(isChecked);
      // An agent may calculate an answer without quoting a source, so unquoted sentences are used if there is no quote.
      const texts = (checked.length > 0 ? checked : findings.claims).map(({ text }) => text);
      return { question: todo.description, answer: (texts.join("\n") || todo.result || "").slice(0, MAX_FINDINGS_LENGTH).toWellFormed() };
    });
  }

  #earlierAnswers(): Findings {
    return mergeFindings(this.#dependencies().flatMap(({ todo, findings }) => (todo.answeredBy === "conversation" ? findings : [])));
  }

  #done(done: TodoStateValue): TodoWork {
    const { ending, summary, round, spent } = done;
    if (ending === null) throw new DossierError("internal", `The graph of the todo ${this.#todo.id} ended without setting \`ending\`.`);
    const { findings, hits, ranked, read, ledger } = this.#before === undefined ? done : joinGathered(this.#before, done);
    const ended = endOf(ending, summary, findings);
    const ms = this.#options.effects.elapsedMs(done.startedAt);
    const answeredBy = round === 0 && { answeredBy: "conversation" as const };
    return { todo: { ...this.#todo, rounds: round, ms, ...ended, ...answeredBy }, findings, hits, ranked, read, ledger, spent };
  }

  #skipped(dependency: string): TodoWork {
    const feedback = textsFor(this.#options.state.task).dependency(dependency);
    const { ledger } = this.#before ?? NOTHING_GATHERED;
    return { ...NOTHING_GATHERED, ledger, todo: { ...this.#todo, status: "skipped", feedback }, spent: null };
  }

  #tooLate(): TodoWork {
    const todo = this.#failed(this.#before?.todo.feedback ?? textsFor(this.#options.state.task).noTime);
    return { ...(this.#before ?? NOTHING_GATHERED), todo, spent: "time_budget" };
  }

  #failed(feedback: string): Todo {
    return { ...this.#todo, status: "failed", feedback };
  }
}

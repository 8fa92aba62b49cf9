import type { BaseCheckpointSaver, LangGraphRunnableConfig } from "@langchain/langgraph";
import { type Amounts, Budget } from "../../domain/budget.ts";
import { NOTHING_FOUND } from "../../domain/citations.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Effects, RunContext } from "../../domain/ports/effects.ts";
import type { Findings } from "../../domain/ports/research-analyst.ts";
import type { Turn as EarlierTurn, Task } from "../../domain/request.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import type { BranchState, ResearchUpdate, TodoStateValue, TodoWork } from "../../nodes/research/state.ts";
import { languageOf, textsFor } from "../../nodes/research/texts.ts";
import { emitTodos, joinGathered, NOTHING_GATHERED, rethrowControlFlow } from "../../nodes/research/todos.ts";
import { downloadsIn, gatheringMsLeft } from "../../nodes/shared/limits.ts";
import { bindPart, type PartGraph, placeOf, type RunPart, runOf } from "../bind.ts";
import { Scheduler } from "./scheduler.ts";
import { knownReadings } from "./work-todo.ts";

interface BranchDeps {
  readonly todoGraph: PartGraph<Partial<TodoStateValue>, TodoStateValue>;
  readonly checkpointer: BaseCheckpointSaver;
}

/** The branches of one step share a scheduler and a budget. */
interface Step {
  readonly scheduler: Scheduler;
  budget?: Budget;
  recovered?: Promise<void>;
}

/** The most of a todo's findings and of its result, in UTF-16 code units: for the todos that need it, and for readers. */
const MAX_TOLD = 2_000;
const MAX_RESULT = 500;

/** The branch of one todo: waits for its turn, then executes the todo. A failure of the todo is its result. */
export function createTodoBranch(deps: BranchDeps): (state: BranchState, config: LangGraphRunnableConfig) => Promise<ResearchUpdate> {
  const steps = new WeakMap<RunContext, Map<number, Step>>();
  const stepOf = (run: RunContext, number: number, { todos, work, task }: BranchState): Step => {
    const known = steps.get(run) ?? new Map<number, Step>();
    steps.set(run, known);
    const step = known.get(number) ?? { scheduler: new Scheduler(todos, work, task.parallelTodos ?? 1) };
    known.set(number, step);
    return step;
  };
  return (state, config) => {
    const step = stepOf(runOf(config), placeOf(config).step, state);
    step.scheduler.join(state.id);
    const runId = String(config.configurable?.["thread_id"]);
    const namespace = String(config.configurable?.["checkpoint_ns"]);
    const branch = bindPart<BranchState, ResearchUpdate>(
      (_, effects, runPart) => new TodoBranch({ ...deps, state, step, effects, runPart, runId, namespace }).run(),
      ({ id, todos }) => todos.find((todo) => todo.id === id)?.path ?? `todo:${id}`,
    );
    return branch(state, config);
  };
}

interface Given extends BranchDeps {
  readonly state: BranchState;
  readonly step: Step;
  readonly effects: Effects;
  readonly runPart: RunPart;
  readonly runId: string;
  /** Of the todo's own graph among the run's checkpoints. */
  readonly namespace: string;
}

class TodoBranch {
  readonly #given: Given;
  readonly #todo: Todo;
  /** The work on this todo in an earlier plan. */
  readonly #before: TodoWork | undefined;

  constructor(given: Given) {
    const { id, todos, work } = given.state;
    const todo = todos.find((one) => one.id === id);
    if (todo === undefined) throw new DossierError("internal", `There is no todo ${id} in the plan.`);
    this.#given = given;
    this.#todo = todo;
    this.#before = work.find((one) => one.todo.id === id);
  }

  async run(): Promise<ResearchUpdate> {
    const { state, step, effects } = this.#given;
    const { scheduler } = step;
    try {
      // LangGraph calls the sibling branches in this turn of the event loop: all join before anyone takes a turn.
      await new Promise((resolve) => setImmediate(resolve));
      if (!scheduler.complete) {
        step.recovered ??= this.#recover();
        await step.recovered;
      }
      const turn = await scheduler.turn(state.id);
      if (turn.type === "postponed") return {};
      const work = turn.type === "skip" ? this.#skipped(turn.dependency) : await this.#begin();
      scheduler.end(work);
      emitTodos(scheduler.todos, effects);
      return { work: [work], todos: { changed: [work.todo] } };
    } catch (error) {
      scheduler.leave(state.id);
      throw error;
    }
  }

  /** The end of branches in an earlier segment is not in the state yet: LangGraph keeps it beside its checkpoint until the step ends. */
  async #recover(): Promise<void> {
    const { checkpointer, runId, step } = this.#given;
    const work = await this.#memo<TodoWork[]>({ of: "todos of the step" }, async () => {
      const saved = await checkpointer.getTuple({ configurable: { thread_id: runId, checkpoint_ns: "" } });
      return (saved?.pendingWrites ?? []).flatMap(([, channel, value]) => (channel === "work" ? (value as TodoWork[]) : []));
    });
    step.scheduler.recover(work);
  }

  async #begin(): Promise<TodoWork> {
    const { state, step, effects } = this.#given;
    const startedAt = effects.now();
    const seconds = gatheringMsLeft(state, effects) / 1_000;
    if (seconds === 0) return this.#tooLate();
    const among = step.scheduler.begin(this.#todo.id);
    emitTodos(step.scheduler.todos, effects);
    step.budget ??= this.#budgetOfStep();
    const earlier = effects.spentEarlier();
    const known = earlier === null ? null : await this.#earlierShare();
    const budget = step.budget.allocate(known ?? step.budget.share(among), earlier ?? undefined);
    return this.#execute(budget, startedAt, seconds);
  }

  #budgetOfStep(): Budget {
    const { state, step, effects } = this.#given;
    const { limits } = state.task;
    return Budget.ofTodos(limits, effects.spent(), state.downloads, {
      ceiling: () => Budget.ofRun(limits, effects.spent()).left,
      waiting: () => step.scheduler.waiting,
    });
  }

  /** The share of a todo that goes on after a wait: its graph keeps the limits that it started with. Null if it saved no checkpoint. */
  #earlierShare(): Promise<Amounts | null> {
    const { checkpointer, runId, namespace } = this.#given;
    return this.#memo<Amounts | null>({ of: "share of the todo" }, async () => {
      const saved = await checkpointer.getTuple({ configurable: { thread_id: runId, checkpoint_ns: namespace } });
      const { task } = (saved?.checkpoint.channel_values ?? {}) as Partial<TodoStateValue>;
      if (task === undefined) return null;
      const { modelCalls, tokens, costUsd, downloads } = task.limits;
      return { modelCalls, tokens, costUsd, downloads };
    });
  }

  /** Reads a checkpoint as an effect, so that a replay has it from the journal. */
  #memo<T>(request: JsonValue, live: () => Promise<T>): Promise<T> {
    return this.#given.effects.perform<T>({ kind: "memo", request, timeoutMs: 30_000, live });
  }

  async #execute(budget: Budget, startedAt: number, seconds: number): Promise<TodoWork> {
    const { state, todoGraph, effects, runPart, step } = this.#given;
    const limits = { ...state.task.limits, ...budget.limits, seconds };
    const task: Task = { ...state.task, language: languageOf(state.task), limits, history: [...state.task.history, ...this.#needed()] };
    const known = knownReadings(step.scheduler.work.flatMap(({ read }) => read));
    try {
      const done = await runPart(todoGraph, { task, todo: this.#todo, offered: state.offered, startedAt, known }, budget);
      budget.release(downloadsIn(done.ledger));
      return this.#done(done);
    } catch (error) {
      // A todo that waits for its user keeps its budget.
      rethrowControlFlow(error, effects);
      budget.release(limits.downloads);
      const { code, message } = toDossierError(error);
      const todo = { ...this.#failed(`${code}: ${message}`), ms: effects.elapsedMs(startedAt) };
      return { ...NOTHING_GATHERED, todo, findings: this.#before?.findings ?? NOTHING_FOUND, spent: null };
    }
  }

  /** The findings of the todos that this one needs, as turns of the conversation before it. */
  #needed(): EarlierTurn[] {
    const needed = this.#given.step.scheduler.executed.filter(({ todo }) => this.#todo.dependsOn.includes(todo.id));
    return needed.map(({ todo, findings }) => {
      const supported = findings.claims.filter((claim) => claim.supported);
      // An agent that calculated has no quote, and its words are what is needed.
      const said = (supported.length > 0 ? supported : findings.claims).map(({ text }) => text);
      return { question: todo.description, answer: (said.join("\n") || todo.result || "").slice(0, MAX_TOLD).toWellFormed() };
    });
  }

  #done(done: TodoStateValue): TodoWork {
    const { ending, summary, round, spent } = done;
    if (ending === null) throw new DossierError("internal", `The todo ${this.#todo.id} ended without an ending.`);
    const gathered = this.#before === undefined ? done : joinGathered(this.#before, done);
    const { findings, hits, ranked, read, ledger } = gathered;
    const completed = ending === "completed";
    const todo: Todo = {
      ...this.#todo,
      status: ending,
      rounds: round,
      ms: this.#given.effects.elapsedMs(done.startedAt),
      result: completed ? resultOf(summary, findings) : null,
      feedback: completed ? null : summary,
      answeredBy: completed ? "execution" : null,
    };
    return { todo, findings, hits, ranked, read, ledger, spent };
  }

  #skipped(dependency: string): TodoWork {
    const feedback = textsFor(this.#given.state.task).dependency(dependency);
    return { ...NOTHING_GATHERED, todo: { ...this.#todo, status: "skipped", feedback }, spent: null };
  }

  /** Keeps the findings and the feedback of an earlier plan. */
  #tooLate(): TodoWork {
    const todo = this.#failed(this.#before?.todo.feedback ?? textsFor(this.#given.state.task).noTime);
    return { ...(this.#before ?? NOTHING_GATHERED), todo, spent: "time_budget" };
  }

  #failed(feedback: string): Todo {
    return { ...this.#todo, status: "failed", feedback };
  }
}

function resultOf(summary: string, { claims }: Findings): string {
  const first = claims.find(({ supported }) => supported)?.text ?? "";
  return (summary || first).slice(0, MAX_RESULT).toWellFormed();
}

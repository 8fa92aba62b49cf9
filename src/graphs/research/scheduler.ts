import type { Todo, TodoStatus } from "../../domain/plan.ts";
import type { Executed } from "../../domain/ports/analyst.ts";
import type { TodoWork } from "../../nodes/research/state.ts";
import { executedOf } from "../../nodes/research/todos.ts";

/** `postponed`: the todo runs in the graph's next step. `skip`: a todo that it needs was not answered. */
type StartDecision = { readonly type: "go" } | { readonly type: "postponed" } | { readonly type: "skip"; readonly dependency: string };

/** `absent`: `join` was not called yet. `skipping`: the todo cannot start and is about to end. */
type MemberState = "absent" | "waiting" | "working" | "skipping" | "postponed" | "ended";

interface Member {
  readonly id: string;
  readonly decision: PromiseWithResolvers<StartDecision>;
  state: MemberState;
}

/** Starts a todo when the todos that it needs are completed and one of `slots` is free. Priority decides the order. */
export class Scheduler {
  readonly #slots: number;
  readonly #todos: Map<string, Todo>;
  readonly #work: Map<string, TodoWork>;
  readonly #members: ReadonlyMap<string, Member>;

  constructor(todos: readonly Todo[], work: readonly TodoWork[], slots: number) {
    this.#slots = slots;
    this.#todos = new Map(todos.map((todo) => [todo.id, todo]));
    this.#work = new Map(work.map((one) => [one.todo.id, one]));
    const pending = todos.filter(({ status }) => status === "pending").toSorted((a, b) => a.priority - b.priority);
    this.#members = new Map(pending.map(({ id }) => [id, { id, decision: Promise.withResolvers<StartDecision>(), state: "absent" }]));
  }

  get todos(): Todo[] {
    return [...this.#todos.values()];
  }

  get work(): TodoWork[] {
    return [...this.#work.values()];
  }

  get executed(): Executed[] {
    return executedOf(this).filter(({ todo: { status } }) => status !== "pending" && status !== "executing");
  }

  /** After a wait or restart, todos with stored work do not join. */
  get allJoined(): boolean {
    return this.#at("absent").length === 0;
  }

  get unstarted(): number {
    return this.#at("waiting", "working").filter(({ id }) => this.#statusOf(id) === "pending").length;
  }

  join(id: string): void {
    this.#member(id).state = "waiting";
  }

  /** Ends the todos that did not join but have stored work. Postpones the other todos that did not join. */
  recover(work: readonly TodoWork[]): void {
    for (const member of this.#at("absent")) {
      const known = work.find(({ todo }) => todo.id === member.id);
      if (known === undefined) member.state = "postponed";
      else this.#end(member, known);
    }
  }

  /** Resolves when the todo may start or can no longer start. Call it after all todos have joined. */
  decideStart(id: string): Promise<StartDecision> {
    const { decision } = this.#member(id);
    this.#advance();
    return decision.promise;
  }

  /** Returns how many todos had not started before, this one included. */
  begin(id: string): number {
    const { unstarted } = this;
    const todo = this.#todos.get(id);
    if (todo !== undefined) this.#todos.set(id, { ...todo, status: "executing" });
    return unstarted;
  }

  end(work: TodoWork): void {
    this.#end(this.#member(work.todo.id), work);
    this.#advance();
  }

  /** Removes a todo from this step, for example because it waits for its user. Todos that need it are postponed. */
  leave(id: string): void {
    const member = this.#member(id);
    if (member.state === "ended") return;
    member.state = "postponed";
    this.#advance();
  }

  #end(member: Member, work: TodoWork): void {
    member.state = "ended";
    this.#todos.set(member.id, work.todo);
    this.#work.set(member.id, work);
  }

  #advance(): void {
    // A postponed todo postpones the todos that need it, so this repeats until nothing changes.
    while (this.#at("waiting").some((member) => this.#dismiss(member)));
    for (const member of this.#at("waiting")) {
      if (this.#at("working").length >= this.#slots) return;
      if (!this.#dependenciesOf(member).every((id) => this.#statusOf(id) === "completed")) continue;
      this.#decide(member, "working", { type: "go" });
    }
  }

  /** Returns false if the todo may still start. */
  #dismiss(member: Member): boolean {
    const needed = this.#dependenciesOf(member);
    const dependency = needed.find((id) => this.#statusOf(id) === "failed" || this.#statusOf(id) === "skipped");
    if (dependency !== undefined) return this.#decide(member, "skipping", { type: "skip", dependency });
    return needed.some((id) => this.#members.get(id)?.state === "postponed") && this.#decide(member, "postponed", { type: "postponed" });
  }

  #decide(member: Member, state: MemberState, decision: StartDecision): true {
    member.state = state;
    member.decision.resolve(decision);
    return true;
  }

  #at(...states: readonly MemberState[]): Member[] {
    return [...this.#members.values()].filter(({ state }) => states.includes(state));
  }

  #dependenciesOf({ id }: Member): readonly string[] {
    return (this.#todos.get(id)?.dependsOn ?? []).filter((other) => this.#todos.has(other));
  }

  #statusOf(id: string): TodoStatus | undefined {
    return this.#todos.get(id)?.status;
  }

  #member(id: string): Member {
    const member = this.#members.get(id);
    if (member === undefined) throw new RangeError(`There is no todo ${id} in this step.`);
    return member;
  }
}

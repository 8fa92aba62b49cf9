import type { Todo, TodoStatus } from "../../domain/plan.ts";
import type { Executed } from "../../domain/ports/analyst.ts";
import type { TodoWork } from "../../nodes/research/state.ts";

/** `go`: start. `postponed`: wait for the next step of the graph. `skip`: `dependency` was not answered. */
export type Turn = { readonly type: "go" } | { readonly type: "postponed" } | { readonly type: "skip"; readonly dependency: string };

/** `absent`: has not joined. `away`: takes part only in the next step. `skipping`: cannot start, and has not ended yet. */
type Place = "absent" | "waiting" | "working" | "skipping" | "away" | "ended";

interface Member {
  readonly id: string;
  readonly turn: PromiseWithResolvers<Turn>;
  place: Place;
}

/**
 * Decides when each todo of a step runs: as soon as the todos that it needs have completed and one of `slots` is free, by priority, then
 * in the order of the plan. It knows neither clock nor chance, so equal calls lead to an equal order.
 */
export class Scheduler {
  readonly #slots: number;
  readonly #todos: Map<string, Todo>;
  readonly #work: Map<string, TodoWork>;
  /** The pending todos, in the order in which they may start. */
  readonly #members: ReadonlyMap<string, Member>;

  constructor(todos: readonly Todo[], work: readonly TodoWork[], slots: number) {
    this.#slots = slots;
    this.#todos = new Map(todos.map((todo) => [todo.id, todo]));
    this.#work = new Map(work.map((one) => [one.todo.id, one]));
    const pending = todos.filter(({ status }) => status === "pending").toSorted((a, b) => a.priority - b.priority);
    this.#members = new Map(pending.map(({ id }) => [id, { id, turn: Promise.withResolvers<Turn>(), place: "absent" }]));
  }

  get todos(): Todo[] {
    return [...this.#todos.values()];
  }

  get work(): TodoWork[] {
    return [...this.#work.values()];
  }

  get executed(): Executed[] {
    return this.todos.flatMap((todo) => {
      const work = this.#work.get(todo.id);
      return work === undefined || todo.status === "pending" || todo.status === "executing" ? [] : [{ todo, findings: work.findings }];
    });
  }

  /** Whether every pending todo takes part. If not, the others ended in an earlier segment of the run. */
  get complete(): boolean {
    return this.#at("absent").length === 0;
  }

  get waiting(): number {
    return this.#at("waiting", "working").filter(({ id }) => this.#statusOf(id) === "pending").length;
  }

  join(id: string): void {
    this.#member(id).place = "waiting";
  }

  /** Adds the work of absent todos. An absent todo without work takes part in the next step. */
  recover(work: readonly TodoWork[]): void {
    for (const member of this.#at("absent")) {
      const known = work.find(({ todo }) => todo.id === member.id);
      if (known === undefined) member.place = "away";
      else this.#end(member, known);
    }
  }

  /** Resolves when the todo may start, or cannot. Call it once for each todo, after all have joined. */
  turn(id: string): Promise<Turn> {
    const { turn } = this.#member(id);
    this.#advance();
    return turn.promise;
  }

  /** The todo starts. Returns how many could start before, this one included. */
  begin(id: string): number {
    const { waiting } = this;
    const todo = this.#todos.get(id);
    if (todo !== undefined) this.#todos.set(id, { ...todo, status: "executing" });
    return waiting;
  }

  end(work: TodoWork): void {
    this.#end(this.#member(work.todo.id), work);
    this.#advance();
  }

  /** The todo leaves the step without an end, for example to wait for its user. Todos that need it are postponed. */
  leave(id: string): void {
    const member = this.#member(id);
    if (member.place === "ended") return;
    member.place = "away";
    this.#advance();
  }

  #end(member: Member, work: TodoWork): void {
    member.place = "ended";
    this.#todos.set(member.id, work.todo);
    this.#work.set(member.id, work);
  }

  #advance(): void {
    // A postponed todo postpones others: repeat until nothing changes.
    while (this.#at("waiting").some((member) => this.#dismiss(member)));
    for (const member of this.#at("waiting")) {
      if (this.#at("working").length >= this.#slots) return;
      if (!this.#needed(member).every((id) => this.#statusOf(id) === "completed")) continue;
      this.#call(member, "working", { type: "go" });
    }
  }

  /** Ends the wait of a todo that cannot start in this step. False if it still can. */
  #dismiss(member: Member): boolean {
    const needed = this.#needed(member);
    const dependency = needed.find((id) => this.#statusOf(id) === "failed" || this.#statusOf(id) === "skipped");
    if (dependency !== undefined) return this.#call(member, "skipping", { type: "skip", dependency });
    return needed.some((id) => this.#members.get(id)?.place === "away") && this.#call(member, "away", { type: "postponed" });
  }

  #call(member: Member, place: Place, turn: Turn): true {
    member.place = place;
    member.turn.resolve(turn);
    return true;
  }

  #at(...places: readonly Place[]): Member[] {
    return [...this.#members.values()].filter(({ place }) => places.includes(place));
  }

  #needed({ id }: Member): readonly string[] {
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

import type { Todo, TodoStatus } from "../../domain/plan.ts";
import type { Executed } from "../../domain/ports/research-analyst.ts";
import type { TodoWork } from "../../nodes/research/state.ts";

/** What a todo may do: begin, wait for another step of the graph, or nothing, because of a todo that it needs. */
export type Turn = { readonly type: "go" } | { readonly type: "postponed" } | { readonly type: "skip"; readonly dependency: string };

/** `away`: does not take part in this step any more, and will in the next one. */
type Place = "absent" | "waiting" | "called" | "working" | "away" | "ended";

interface Member {
  readonly id: string;
  readonly turn: PromiseWithResolvers<Turn>;
  place: Place;
  begun: boolean;
}

/**
 * Who of the todos of one step works when: each begins as soon as those that it needs have ended and one of `slots` is free, by
 * priority, then in the order of the plan. Nothing but what its callers say decides, so that the same words lead to the same order.
 */
export class Schedule {
  readonly #slots: number;
  readonly #order: readonly string[];
  readonly #todos: Map<string, Todo>;
  readonly #work: Map<string, TodoWork>;
  readonly #members: ReadonlyMap<string, Member>;

  /** `todos` are those of the plan as the step finds them, the pending ones its members; `work` what the ended ones have found. */
  constructor(todos: readonly Todo[], work: readonly TodoWork[], slots: number) {
    this.#slots = slots;
    this.#order = todos.map(({ id }) => id);
    this.#todos = new Map(todos.map((todo) => [todo.id, todo]));
    this.#work = new Map(work.map((one) => [one.todo.id, one]));
    const pending = todos.filter(({ status }) => status === "pending");
    this.#members = new Map(
      pending.map(({ id }) => [id, { id, turn: Promise.withResolvers<Turn>(), place: "absent" as Place, begun: false }]),
    );
  }

  /** The todos as they stand, in the order of the plan. */
  get todos(): Todo[] {
    return this.#order.flatMap((id) => this.#todos.get(id) ?? []);
  }

  /** The todos of the plan that have ended, with what they found. */
  get executed(): Executed[] {
    return this.#order.flatMap((id) => {
      const todo = this.#todos.get(id);
      const work = this.#work.get(id);
      return todo === undefined || work === undefined || !hasEnded(todo.status) ? [] : [{ todo, findings: work.findings }];
    });
  }

  /** What todos of this and of earlier plans have come to, those of this step that have ended with them. */
  get work(): TodoWork[] {
    return [...this.#work.values()];
  }

  /** Whether every pending todo takes part; where not, an earlier segment has seen the rest of this step. */
  get complete(): boolean {
    return [...this.#members.values()].every(({ place }) => place !== "absent");
  }

  /** How many have not begun, and may in this step. */
  get waiting(): number {
    return [...this.#members.values()].filter(({ place, begun }) => !begun && (place === "waiting" || place === "working")).length;
  }

  join(id: string): void {
    this.#member(id).place = "waiting";
  }

  /** What became of those that are absent; one of which nothing is known takes part in the next step. */
  recover(work: readonly TodoWork[]): void {
    for (const member of this.#members.values()) {
      if (member.place !== "absent") continue;
      const known = work.find(({ todo }) => todo.id === member.id);
      if (known !== undefined) this.#end(member, known);
      else member.place = "away";
    }
  }

  /** To be called once by each that has joined, after all have. */
  turn(id: string): Promise<Turn> {
    const { turn } = this.#member(id);
    this.#advance();
    return turn.promise;
  }

  change(todo: Todo): void {
    this.#todos.set(todo.id, todo);
  }

  /** The todo, whose turn it is, begins: how many had not begun and still may, this one included. */
  begin(todo: Todo): number {
    const { waiting } = this;
    this.#member(todo.id).begun = true;
    this.change(todo);
    return waiting;
  }

  /** The todo has come to its end: whoever needs it may begin, and so may the next one that waits for a slot. */
  end(work: TodoWork): void {
    this.#end(this.#member(work.todo.id), work);
    this.#advance();
  }

  /** The todo leaves the step without an end, to wait for its user for instance; those that need it are postponed. */
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
    // One that is postponed postpones others: until nothing changes.
    while (this.#waiting().some((member) => this.#dismiss(member)));
    const working = [...this.#members.values()].filter(({ place }) => place === "working").length;
    const ready = this.#waiting().filter(({ id }) => this.#needed(id).every((other) => this.#statusOf(other) === "completed"));
    for (const member of ready.sort((a, b) => this.#rank(a) - this.#rank(b)).slice(0, Math.max(0, this.#slots - working))) {
      member.place = "working";
      member.turn.resolve({ type: "go" });
    }
  }

  /** Whether the todo needs not wait any more because it will not begin in this step. */
  #dismiss(member: Member): boolean {
    const needed = this.#needed(member.id);
    const failed = needed.find((id) => this.#statusOf(id) === "failed" || this.#statusOf(id) === "skipped");
    if (failed !== undefined) {
      member.place = "called";
      member.turn.resolve({ type: "skip", dependency: failed });
      return true;
    }
    if (needed.every((id) => this.#members.get(id)?.place !== "away")) return false;
    member.place = "away";
    member.turn.resolve({ type: "postponed" });
    return true;
  }

  #waiting(): Member[] {
    return [...this.#members.values()].filter(({ place }) => place === "waiting");
  }

  #needed(id: string): readonly string[] {
    return (this.#todos.get(id)?.dependsOn ?? []).filter((other) => this.#todos.has(other));
  }

  #statusOf(id: string): TodoStatus | undefined {
    return this.#todos.get(id)?.status;
  }

  /** Smaller begins first. */
  #rank({ id }: Member): number {
    return (this.#todos.get(id)?.priority ?? 0) * this.#order.length + this.#order.indexOf(id);
  }

  #member(id: string): Member {
    const member = this.#members.get(id);
    if (member === undefined) throw new RangeError(`There is no todo ${id} in this step.`);
    return member;
  }
}

/** Whether nothing more will be done for the todo in this step. */
export function hasEnded(status: TodoStatus): boolean {
  return status === "completed" || status === "failed" || status === "skipped";
}

import { describe, expect, it } from "vitest";
import type { Todo, TodoStatus } from "../../../src/domain/plan.ts";
import { Scheduler } from "../../../src/graphs/research/scheduler.ts";
import type { TodoWork } from "../../../src/nodes/research/state.ts";
import { NOTHING_GATHERED, newTodo } from "../../../src/nodes/research/todos.ts";
import { todo } from "../../fakes/scripted-research.ts";

const planned = (id: string, dependsOn: string[] = [], priority = 1): Todo => newTodo(todo(id, `about ${id}`, { dependsOn, priority }), 1);

function ended(one: Todo, status: TodoStatus): TodoWork {
  return {
    todo: { ...one, status },
    ...NOTHING_GATHERED,
    spent: null,
  };
}

/** Every todo takes part; the calls are written down. */
function begun(todos: readonly Todo[], slots: number, present: readonly string[] = todos.map(({ id }) => id)) {
  const scheduler = new Scheduler(todos, [], slots);
  const calls: string[] = [];
  for (const id of present) scheduler.join(id);
  const call = () => {
    for (const id of present)
      void scheduler
        .decideStart(id)
        .then((turn) => calls.push(turn.type === "skip" ? `skip ${id} for ${turn.dependency}` : `${turn.type} ${id}`));
  };
  const taken = async () => {
    await Promise.resolve();
    await Promise.resolve();
    return calls.splice(0);
  };
  return { scheduler, call, taken };
}

describe("a scheduler", () => {
  const [a, b, c] = [planned("甲"), planned("B", ["甲"]), planned("C")];

  it("calls by priority, then in plan order, as many todos as there are slots", async () => {
    const todos = [planned("late", [], 3), planned("first"), planned("second"), planned("third")];
    const { scheduler, call, taken } = begun(todos, 2);
    call();
    expect(await taken()).toEqual(["go first", "go second"]);
    scheduler.end(ended(todos[1]!, "completed"));
    expect(await taken()).toEqual(["go third"]);
    scheduler.end(ended(todos[3]!, "failed"));
    expect(await taken()).toEqual(["go late"]);
  });

  it("calls a todo as soon as its last dependency has ended", async () => {
    const { scheduler, call, taken } = begun([a, b, c], 4);
    call();
    expect(await taken()).toEqual(["go 甲", "go C"]);
    scheduler.end(ended(a, "completed"));
    expect(await taken()).toEqual(["go B"]);
    expect(scheduler.executed.map(({ todo: { id } }) => id)).toEqual(["甲"]);
  });

  it("skips what depends on a failed todo, also indirectly", async () => {
    const last = planned("D", ["B"]);
    const { scheduler, call, taken } = begun([a, b, last], 1);
    call();
    expect(await taken()).toEqual(["go 甲"]);
    scheduler.end(ended(a, "failed"));
    expect(await taken()).toEqual(["skip B for 甲"]);
    scheduler.end(ended(b, "skipped"));
    expect(await taken()).toEqual(["skip D for B"]);
  });

  it("postpones what depends on a todo that waits for its user, and gives its slot to the next one", async () => {
    const last = planned("D", ["B"]);
    const { scheduler, call, taken } = begun([a, b, c, last], 1);
    call();
    expect(await taken()).toEqual(["go 甲"]);
    scheduler.leave("甲");
    expect((await taken()).sort()).toEqual(["go C", "postponed B", "postponed D"]);
  });

  it("knows the todos that ended in an earlier segment of the step, and postpones what depends on the others", async () => {
    const [known, unknown] = [planned("known"), planned("unknown")];
    const todos = [known, unknown, planned("after known", ["known"]), planned("after unknown", ["unknown"])];
    const { scheduler, call, taken } = begun(todos, 2, ["after known", "after unknown"]);
    expect(scheduler.allJoined).toBe(false);
    scheduler.recover([ended(known, "completed")]);
    call();
    expect((await taken()).sort()).toEqual(["go after known", "postponed after unknown"]);
    expect(scheduler.todos.map(({ status }) => status)).toEqual(["completed", "pending", "pending", "pending"]);
  });

  it("counts, for the shares of the budgets, the todos that have not started and still may", async () => {
    const { scheduler, call, taken } = begun([a, b, c], 2);
    call();
    await taken();
    expect(scheduler.begin("甲")).toBe(3);
    expect(scheduler.begin("C")).toBe(2);
    scheduler.end(ended(a, "completed"));
    await taken();
    expect(scheduler.begin("B")).toBe(1);
  });
});

import { expect, it } from "vitest";
import type { RunEvent } from "../../../src/domain/events.ts";
import { scriptedResearch, todo } from "../../fakes/scripted-research.ts";
import { expectSameAgain, research, statuses } from "./ask-research.ts";

const QUESTION = "奥尔德穆尔灯塔的历史和现状如何？";

const BUILDER = "Who built the lighthouse of Aldermoor?";
const WALL = "What is the harbour wall made of?";
const LAMP = "What does the lamp of the lighthouse of Aldermoor burn?";
const NOWHERE = "Who painted the portrait of Isolde Farrow?";
const STEPS = "How many steps does the keeper of the lighthouse climb every evening?";
const YEAR = "奥尔德穆尔灯塔建于哪一年？";

/** T3 needs T1 and T2, T5 needs T4; T6 depends on nothing and has the highest priority. */
const PLAN = [
  todo("T1", BUILDER, { priority: 2 }),
  todo("T2", WALL, { priority: 2 }),
  todo("T3", LAMP, { priority: 3, dependsOn: ["T1", "T2"] }),
  todo("T4", NOWHERE, { priority: 2 }),
  todo("T5", STEPS, { priority: 3, dependsOn: ["T4"] }),
  todo("T6", YEAR, { priority: 1 }),
];

/** Returns `>T1` for the start of a todo, `<T1` for its end. */
function order(events: readonly RunEvent[]): string[] {
  const seen = new Map<string, string>();
  return events.flatMap((event) => {
    if (event.type !== "component" || event.component !== "todo-list") return [];
    const { todos } = event.props as unknown as { todos: { id: string; status: string }[] };
    return todos.flatMap(({ id, status }) => {
      const before = seen.get(id);
      seen.set(id, status);
      if (before === status || status === "pending") return [];
      return status === "executing" ? [`>${id}`] : [`<${id} ${status}`];
    });
  });
}

it("starts each todo when its dependencies have ended and a slot is free, replans what failed, and lists what stays open", async () => {
  const parts = {
    research: scriptedResearch({
      plan: ({ todos }, call) => {
        if (call === 1) return { todos: PLAN };
        // The failed todo is reworded, the todo that was skipped because of it is dropped.
        const failed = todos.find(({ id }) => id === "T4");
        return failed?.status === "failed" && call === 2 ? { todos: [todo("T4", "Who designed the harbour wall of Aldermoor?")] } : {};
      },
      assess: ({ todo: { id } }) => (id === "T2" ? { nextAction: "skip", summary: "墙的材料与问题无关" } : {}),
    }),
  };
  const done = await research({ question: QUESTION }, { parts, environment: { MAX_PARALLEL_TODOS: "2" } });
  const { run, events } = done;
  expect(run.error).toBeNull();
  const steps = order(events);
  // First by priority, then by plan order: two at a time.
  expect(steps.slice(0, 2).sort()).toEqual([">T1", ">T6"]);
  const at = (step: string): number => steps.findIndex((one) => one.startsWith(step));
  expect(at(">T2")).toBeGreaterThan(Math.min(at("<T6"), at("<T1")));
  expect(at("<T4 failed")).toBeLessThan(at("<T5 skipped"));
  expect(steps).toContain("<T3 skipped");
  expect(steps.filter((step) => step.endsWith("T5"))).toEqual([">T5"]);
  expect(statuses(run.todos)).toBe("T1 completed, T2 skipped, T3 skipped, T4 completed, T5 completed, T6 completed");
  expect(run.termination?.reason).toBe("completed");
  expect(run.report?.missing).toEqual([WALL, LAMP]);
  const needed = parts.research.assessed.find(({ todo: { id } }) => id === "T5");
  expect(needed?.history.map(({ question }) => question)).toEqual(["Who designed the harbour wall of Aldermoor?"]);
  const working = events.reduce<{ now: number; most: number }>(
    ({ now, most }, event) => {
      const path = /^todo:[^/]+$/.test(event.path) && "node" in event && event.node === "work";
      const next = now + (path && event.type === "node-started" ? 1 : 0) - (path && event.type === "node-ended" ? 1 : 0);
      return { now: next, most: Math.max(most, next) };
    },
    { now: 0, most: 0 },
  );
  expect(working).toEqual({ now: 0, most: 2 });
  await expectSameAgain(done, { research: parts.research });
});

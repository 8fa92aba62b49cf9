import type { Executed } from "../../domain/ports/research-analyst.ts";
import type { ResearchStateValue } from "./state.ts";

/** The todos of the latest plan that have been worked on, with what they found. */
export function executedOf({ todos, work }: Pick<ResearchStateValue, "todos" | "work">): Executed[] {
  return todos.flatMap((todo) => {
    const done = work.find((one) => one.todo.id === todo.id);
    return done === undefined ? [] : [{ todo, findings: done.findings }];
  });
}

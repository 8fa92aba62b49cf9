import type { RunView } from "../../view-model/run-view.ts";
import { type Speaker, speakerOf } from "./step-groups.ts";
import { readWorks, type Work } from "./work-list.tsx";

/** What the todo asks; the id of an agent, or of a todo that is not known. */
export function nameOf({ kind, id }: Speaker, works: readonly Work[]): string {
  return (kind === "todo" && works.find((work) => work.id === id)?.text) || id;
}

/** Names who speaks on a path such as `todo:T1/round:2`. */
export function speakerName(path: string, view: Pick<RunView, "todos" | "children">): string {
  return nameOf(speakerOf(path), [...readWorks(view.todos), ...readWorks(view.children)]) || path;
}

import type { Pending } from "../../../../src/domain/run.ts";
import { parseJson } from "../../../../src/util/json-fields.ts";
import { keptText } from "../../ui/use-kept-text.ts";
import { type EditedTodo, readPlan, writePlan } from "./plan-edit.ts";

/** Where the words for an entry are kept until they are sent. */
export function draftName(runId: string, { id }: Pick<Pending, "id">): string {
  return `answer ${runId} ${id}`;
}

/** What was typed for an entry and not sent; empty if nothing was. */
export function draftWords(runId: string, pending: Pending): string {
  const text = keptText(draftName(runId, pending));
  if (pending.kind !== "plan") return text;
  return (
    readDraft(text)
      ?.map(({ description }, index) => `${index + 1}. ${description}`)
      .join("\n") ?? ""
  );
}

/** Reads an edited plan that was kept; null if there is none. */
export function readDraft(text: string): EditedTodo[] | null {
  const todos = readPlan({ todos: parseJson(text) });
  return todos.length === 0 ? null : todos;
}

export function writeDraft(todos: readonly EditedTodo[]): string {
  return JSON.stringify((writePlan(todos) as { todos?: unknown }).todos ?? []);
}

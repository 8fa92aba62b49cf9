import type { ServerResponse } from "node:http";
import type { HttpApp } from "./http-app.ts";

/** What may no longer be read ends within a second. */
const LOOK_MS = 500;

export type WatchAnswer = (id: string, answer: ServerResponse) => void;

/**
 * Returns a function that notes an open answer and the id of what allows it. Twice a second `stillAllowed` returns those ids that still allow
 * something, and the answers of the others are cut.
 */
export function watchAnswers(app: HttpApp, stillAllowed: (ids: readonly string[]) => Promise<ReadonlySet<string>>): WatchAnswer {
  const open = new Map<string, Set<ServerResponse>>();
  let isLooking = false;
  const look = async (): Promise<void> => {
    const ids = [...open.keys()];
    const allowed = await stillAllowed(ids);
    for (const id of ids) if (!allowed.has(id)) for (const answer of open.get(id) ?? []) answer.destroy();
  };
  const timer = setInterval(() => {
    if (isLooking || open.size === 0) return;
    isLooking = true;
    look()
      // If the database cannot be reached, answers stay open until the next look.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return (id, answer) => {
    if (answer.closed || answer.destroyed) return;
    const answers = open.get(id) ?? new Set();
    open.set(id, answers.add(answer));
    answer.once("close", () => {
      answers.delete(answer);
      if (answers.size === 0 && open.get(id) === answers) open.delete(id);
    });
  };
}

/** Looks at each id on its own. `check` throws or returns false where an id allows nothing any more. */
export async function allowedAmong(ids: readonly string[], check: (id: string) => Promise<boolean>): Promise<Set<string>> {
  const checked = await Promise.all(ids.map(async (id) => ((await check(id)) ? [id] : [])));
  return new Set(checked.flat());
}

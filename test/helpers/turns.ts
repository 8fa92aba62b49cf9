import { setImmediate as nextTurn } from "node:timers/promises";

/** Lets the event loop go round so many times: what would happen without a pause has happened by then. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

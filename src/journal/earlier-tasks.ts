import type { EarlierSegment } from "../domain/ports/journal.ts";
import { addSpent, NOTHING_SPENT, type Spent } from "../domain/spent.ts";

/** What the tasks of earlier segments have taken; each is known by its place (`TaskScope`), which it keeps when it goes on. */
export class EarlierTasks {
  readonly #spent = new Map<string, Spent>();

  constructor(segments: readonly EarlierSegment[]) {
    for (const segment of segments) this.#add(segment);
  }

  /** With what the tasks below it have taken; null for a task that did not begin in an earlier segment. */
  spentBy(place: string): Spent | null {
    return this.#spent.get(place) ?? null;
  }

  #add({ begun, calls }: EarlierSegment): void {
    const steps = new Map(begun.map(({ origin, step }) => [pathOf(origin), step]));
    for (const path of steps.keys()) {
      const [place = ""] = placesOf(path, steps);
      this.#spent.set(place, this.#spent.get(place) ?? NOTHING_SPENT);
    }
    for (const call of calls) {
      const path = call.key.slice(0, call.key.indexOf("#"));
      for (const place of placesOf(path, steps)) this.#spent.set(place, addSpent(this.#spent.get(place) ?? NOTHING_SPENT, call));
    }
  }
}

/** The path of the task that said an event: what stands between its segment and its ordinal. */
function pathOf(origin: string): string {
  return origin.slice(origin.indexOf("/") + 1, origin.lastIndexOf("@"));
}

/** The places of a task and of all above it, its own first: its path with LangGraph's own steps. */
function placesOf(path: string, steps: ReadonlyMap<string, number>): string[] {
  const levels = path.split("/");
  const own = levels.map((level, at) => {
    const step = steps.get(levels.slice(0, at + 1).join("/"));
    return step === undefined ? level : level.replace(/^\d+/, String(step));
  });
  return own.map((_, at) => own.slice(0, own.length - at).join("/"));
}

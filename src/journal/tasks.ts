import type { TaskPlace } from "../domain/ports/effects.ts";
import type { EarlierSegment } from "../domain/ports/journal.ts";
import { addSpent, NOTHING_SPENT, type Spent } from "../domain/spent.ts";

interface ScopeOptions extends Pick<TaskScope, "node" | "step" | "path" | "speaker"> {
  readonly place?: string;
  readonly voice?: string;
}

/**
 * One task of one graph level: the part of a journal key and of an event's origin that tells where something happened.
 * Two executions of the same graph on the same input give equal scopes, in whatever thread and process they run.
 */
export class TaskScope {
  readonly node: string;
  readonly step: number;
  /** Of the whole chain of levels, outermost first. */
  readonly path: string;
  /** Like `path`, with LangGraph's own steps: a task that goes on in a later segment has the same one there, and no other task has it. */
  readonly place: string;
  /** What events carry: the part of the run that this task belongs to, empty at the top. */
  readonly speaker: string;
  /** What the events of tasks below this one carry. */
  readonly #voice: string;
  readonly #requests = new Map<string, number>();
  #events = 0;
  #ids = 0;
  #childBase: number | undefined;

  constructor({ node, step, path, place = path, speaker, voice = path }: ScopeOptions) {
    this.node = node;
    this.step = step;
    this.path = path;
    this.place = place;
    this.speaker = speaker;
    this.#voice = voice;
  }

  /** The name of the next effect of this kind and request; equal requests in one task are told apart by an ordinal. */
  nextKey(kind: string, requestHash: string): string {
    const request = `${this.path}#${kind}#${requestHash.slice(0, 32)}`;
    const ordinal = this.#requests.get(request) ?? 0;
    this.#requests.set(request, ordinal + 1);
    return `${request}#${ordinal}`;
  }

  nextId(): string {
    return `${this.path}:${this.#ids++}`;
  }

  nextOrigin(): string {
    return `${this.path}@${this.#events++}`;
  }

  /**
   * The scope of a task below this one. LangGraph counts a thread's steps on and on, so they are taken relative to the
   * first one seen at this level.
   */
  child(place: TaskPlace): TaskScope {
    this.#childBase ??= place.step;
    const step = place.step - this.#childBase;
    const tries = place.attempt > 1 ? `~${place.attempt}` : "";
    const siblings = place.path
      .slice(1)
      .map(String)
      .filter((part) => part !== place.node);
    const named = (at: number): string => [`${at}:${place.node}`, ...siblings].join(".") + tries;
    const path = joined(this.path, named(step));
    const voice = place.part === undefined ? path : joined(this.#voice, place.part);
    const lasting = joined(this.place, named(place.step));
    return new TaskScope({ node: place.node, step: place.step, path, place: lasting, speaker: this.#voice, voice });
  }
}

function joined(above: string, own: string): string {
  return above === "" ? own : `${above}/${own}`;
}

/** The scope above the first tasks of a segment. */
export function rootScope(): TaskScope {
  return new TaskScope({ node: "", step: 0, path: "", speaker: "" });
}

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

/**
 * How many tasks work by themselves, waiting for no effect. A task may give way to others while it works; what it says after that
 * must not depend on how many turns of the event loop it took, so nothing is let through before it waits or has ended.
 */
export class WorkingTasks {
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  /** A task begins. One that runs a part of the run waits for others without an effect, and is not counted. */
  begin(isPart: boolean): WorkingTask {
    let open = isPart ? Number.POSITIVE_INFINITY : 0;
    let ended = false;
    const add = (difference: 1 | -1): void => {
      if (open === 0 && !ended) this.#count += difference;
    };
    add(1);
    return {
      async whileWaiting(wait) {
        add(-1);
        open += 1;
        try {
          return await wait();
        } finally {
          open -= 1;
          add(1);
        }
      },
      end() {
        add(-1);
        ended = true;
      },
    };
  }
}

export interface WorkingTask {
  /** The task waits for an effect; while it waits for several it does not count either. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}

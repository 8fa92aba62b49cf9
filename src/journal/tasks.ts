import { z } from "zod";
import { addSpent, NOTHING_SPENT, type Spent } from "../domain/budget.ts";
import type { EarlierDownload, TaskPlace } from "../domain/ports/effects.ts";
import type { EarlierSegment } from "../domain/ports/journal.ts";

interface ScopeOptions extends Pick<TaskScope, "node" | "step" | "path" | "eventPath"> {
  readonly place?: string;
  readonly pathBelow?: string;
}

/** A task has the same names in journal keys and event origins whenever the graph runs on the same input. */
export class TaskScope {
  readonly node: string;
  readonly step: number;
  /** The names of the outer tasks and of this task, separated by `/`. */
  readonly path: string;
  /** Like `path`, but with LangGraph's step numbers, which are unique across segments. */
  readonly place: string;
  /** The path of the nested run that contains this task; empty outside nested runs. */
  readonly eventPath: string;
  readonly #pathBelow: string;
  readonly #requests = new Map<string, number>();
  #events = 0;
  #ids = 0;
  #childBase: number | undefined;

  constructor({ node, step, path, place = path, eventPath, pathBelow = path }: ScopeOptions) {
    this.node = node;
    this.step = step;
    this.path = path;
    this.place = place;
    this.eventPath = eventPath;
    this.#pathBelow = pathBelow;
  }

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

  child({ node, step, path, attempt, nestedRun }: TaskPlace): TaskScope {
    this.#childBase ??= step;
    const tries = attempt > 1 ? `~${attempt}` : "";
    const siblings = path.slice(1).filter((one) => String(one) !== node);
    const named = (at: number): string => [`${at}:${node}`, ...siblings].join(".") + tries;
    const own = joinPath(this.path, named(step - this.#childBase));
    const pathBelow = nestedRun === undefined ? own : joinPath(this.#pathBelow, nestedRun);
    return new TaskScope({ node, step, path: own, place: joinPath(this.place, named(step)), eventPath: this.#pathBelow, pathBelow });
  }
}

function joinPath(above: string, own: string): string {
  return above === "" ? own : `${above}/${own}`;
}

export class EarlierTasks {
  readonly #spent = new Map<string, Spent>();
  readonly #downloads = new Map<string, EarlierDownload[]>();

  constructor(segments: readonly EarlierSegment[]) {
    for (const segment of segments) this.#add(segment);
  }

  /** Includes inner tasks. Returns null if the task did not start in an earlier segment. */
  spentBy(place: string): Spent | null {
    return this.#spent.get(place) ?? null;
  }

  downloadsBy(place: string): readonly EarlierDownload[] {
    return this.#downloads.get(place) ?? [];
  }

  #add({ begun, calls }: EarlierSegment): void {
    const steps = new Map(begun.map(({ origin, step }) => [origin.slice(origin.indexOf("/") + 1, origin.lastIndexOf("@")), step]));
    for (const path of steps.keys()) {
      const [place = ""] = placesOf(path, steps);
      this.#spent.set(place, this.#spent.get(place) ?? NOTHING_SPENT);
    }
    for (const call of calls) {
      const path = call.key.slice(0, call.key.indexOf("#"));
      for (const place of placesOf(path, steps)) {
        this.#spent.set(place, addSpent(this.#spent.get(place) ?? NOTHING_SPENT, call));
        if (call.kind === "download") this.#downloads.set(place, [...this.downloadsBy(place), toDownload(call)]);
      }
    }
  }
}

const text = z.string().catch("");
const RequestSchema = z.object({ url: text, isNamed: z.boolean().catch(false) }).catch({ url: "", isNamed: false });
const ResultSchema = z
  .object({ contentHash: z.string().nullable(), title: text, publishedAt: z.string().nullable().catch(null) })
  .catch({ contentHash: null, title: "", publishedAt: null });
const ErrorSchema = z.object({ code: text }).catch({ code: "" });

function toDownload({ request, ok, result }: EarlierSegment["calls"][number]): EarlierDownload {
  const { url: address, isNamed } = RequestSchema.parse(request);
  const isForbidden = !ok && ErrorSchema.parse(result).code === "forbidden_address";
  return { address, ...ResultSchema.parse(ok ? result : null), isCounted: !(isNamed && isForbidden) };
}

function placesOf(path: string, steps: ReadonlyMap<string, number>): string[] {
  const levels = path.split("/");
  const own = levels.map((level, at) => {
    const step = steps.get(levels.slice(0, at + 1).join("/"));
    return step === undefined ? level : level.replace(/^\d+/, String(step));
  });
  return own.map((_, at) => own.slice(0, own.length - at).join("/"));
}

/** No result is released while a task runs code, so that timing does not change the order of events. */
export class WorkingTasks {
  #count = 0;

  get any(): boolean {
    return this.#count > 0;
  }

  /** A task with a nested run never delays a release, because it waits for its inner tasks. */
  begin(isNested: boolean): WorkingTask {
    let open = isNested ? Number.POSITIVE_INFINITY : 0;
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
  /** The task does not delay the release of results while `wait` runs. Calls may overlap. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}

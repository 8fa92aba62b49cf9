import type { TaskPlace } from "../domain/ports/effects.ts";

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

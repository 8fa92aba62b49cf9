import type { DomainEvent } from "../domain/events.ts";
import type { Difference, JournalOptions } from "../domain/ports/journal.ts";
import type { LoggedEvent } from "../domain/recording.ts";
import { TaskScope } from "./tasks.ts";

/** The time of the latest recorded result or event, in milliseconds since 1970. It never goes back. */
export class RunClock {
  now = 0;
  readonly #read: () => number;

  constructor(read: () => number) {
    this.#read = read;
  }

  /** Returns the time for what happens now. */
  tick(): number {
    return Math.max(this.now, this.#read());
  }

  advance(at: number): void {
    this.now = Math.max(this.now, at);
  }
}

const END_PATH = "end";

interface EventLogOptions extends Pick<JournalOptions, "mode" | "segment" | "epoch" | "events"> {
  readonly clock: RunClock;
  readonly onDifference: (difference: Difference) => void;
}

/** Gives each event of an attempt its origin and time, and compares what is emitted again with what is recorded. */
export class EventLog {
  /** How many events this attempt has emitted, also those that are recorded. */
  count = 0;
  readonly #options: EventLogOptions;
  readonly #logged: ReadonlyMap<string, LoggedEvent>;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#logged = new Map(options.events.map((event) => [event.origin, event]));
  }

  /** `isNew` tells that the event is to be written. */
  log(scope: TaskScope, build: (at: number) => DomainEvent): { logged: LoggedEvent; event: DomainEvent; isNew: boolean } {
    const { segment, epoch, clock, mode } = this.#options;
    const origin = `${segment}.${epoch}/${scope.nextOrigin()}`;
    const known = this.#logged.get(origin);
    const at = known?.at ?? clock.tick();
    clock.advance(at);
    const event = build(at);
    const logged = { origin, at, path: scope.eventPath, body: JSON.stringify(event) };
    const isEqual = this.#compare(logged, known);
    this.count += 1;
    return { logged, event, isNew: isEqual && (known === undefined || mode === "replay") };
  }

  /** The last event of a run comes from no task. */
  logEnd(event: DomainEvent): { logged: LoggedEvent; isNew: boolean } {
    return this.log(new TaskScope({ node: "", step: 0, path: END_PATH, eventPath: "" }), () => event);
  }

  /** Returns the first recorded event that was not emitted again. */
  get missing(): LoggedEvent | undefined {
    return this.#options.events.slice(this.count).find((event) => !event.origin.includes(`/${END_PATH}@`));
  }

  /** A replay compares events by position, and a recovery by origin. */
  #compare(logged: LoggedEvent, known: LoggedEvent | undefined): boolean {
    const { mode, events, onDifference } = this.#options;
    const expected = mode === "replay" ? events[this.count] : known;
    if (expected === undefined && mode !== "replay") return true;
    if (expected?.origin === logged.origin && expected.body === logged.body) return true;
    onDifference({ place: logged.origin, message: `recorded ${shorten(expected?.body ?? "nothing")}, now ${shorten(logged.body)}` });
    return false;
  }
}

export function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}

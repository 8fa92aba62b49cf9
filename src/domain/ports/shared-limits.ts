export interface Place {
  /** Called once if the caller has to wait. */
  readonly onWait?: () => void;
  readonly signal: AbortSignal;
}

/** Limits that hold for all processes together. Where they cannot be asked for, each process keeps its own. */
export interface SharedLimits {
  /** Waits until `spacingMs` have passed since the latest turn for `key`. */
  turn(key: string, spacingMs: number, signal: AbortSignal): Promise<void>;
  /** Waits for one of so many places, and returns what gives it back. */
  enter(key: string, places: number, place: Place): Promise<() => void>;
}

/** For a process that is alone. */
export const OWN_LIMITS: SharedLimits = { turn: async () => undefined, enter: async () => () => undefined };

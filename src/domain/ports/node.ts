import type { Effects } from "./effects.ts";

/** A step of a graph: reads its state, reaches outside only through `effects`, returns a small update. */
export type GraphNode<State, Update> = (state: State, effects: Effects) => Promise<Update>;

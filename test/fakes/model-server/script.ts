import type { Behavior } from "./behavior.ts";
import type { SeenRequest } from "./seen-request.ts";

/**
 * One behavior per answered request, in order (one marked with `repeat` serves all that follow), or a function of the request and its
 * number among the answered ones, from 0. Refused requests use up no entry of the script.
 */
export type Script = readonly Behavior[] | ((request: SeenRequest, index: number) => Behavior | undefined | Promise<Behavior | undefined>);

/** Returns the behavior for an answered request; undefined if none is left. */
export async function behaviorFor(script: Script, request: SeenRequest, index: number): Promise<Behavior | undefined> {
  if (typeof script === "function") return script(request, index);
  const repeating = script.findIndex((behavior) => behavior.repeat === true);
  return script[repeating !== -1 && index > repeating ? repeating : index];
}

import type { Behaviour } from "./behaviour.ts";
import type { SeenRequest } from "./seen-request.ts";

/**
 * One behavior per answered request, in order (one marked with `repeat` serves all that follow), or a function of the request and its
 * number among the answered ones, from 0. Refused requests use up no entry of the script.
 */
export type Script =
  | readonly Behaviour[]
  | ((request: SeenRequest, index: number) => Behaviour | undefined | Promise<Behaviour | undefined>);

/** Returns the behavior for an answered request; undefined if none is left. */
export async function behaviourFor(script: Script, request: SeenRequest, index: number): Promise<Behaviour | undefined> {
  if (typeof script === "function") return script(request, index);
  const repeating = script.findIndex((behaviour) => behaviour.repeat === true);
  return script[repeating !== -1 && index > repeating ? repeating : index];
}

import type { Told } from "../../model-server/behavior.ts";
import type { Refusal } from "../../model-server/refusal.ts";
import type { Body, NeutralRequest } from "../neutral.ts";

/** A server that speaks OpenAI's protocol and refuses what one of the real ones refuses. */
export interface Flavour {
  readonly name: string;
  /** Returns why it refuses a request that is correct otherwise. */
  faultOf(body: Body, neutral: NeutralRequest): Refusal | undefined;
  /** The body of an error. */
  errorBody(refusal: Refusal): unknown;
  /** How its model says what the script says. */
  tell?(told: Told): Told;
  /** What it adds to each chunk of a stream, or to a completion. */
  decorate?(chunk: Body): Body;
}

/** Returns the body that OpenAI sends. */
export const plainError = ({ error }: Refusal): unknown => ({ error });

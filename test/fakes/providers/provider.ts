import type { IncomingHttpHeaders } from "node:http";
import type { Behavior } from "../model-server/behavior.ts";
import type { Wire } from "../model-server/play.ts";
import type { Body, NeutralRequest } from "./neutral.ts";

/** A refusal in a provider's form. */
export interface ProviderRefusal {
  readonly status: number;
  /** A string is sent as plain text. */
  readonly body: unknown;
  /** What `refused` records. */
  readonly message: string;
  /** The frames of an error in a stream of status 200, in place of a status. */
  readonly frames?: readonly string[];
}

/** What is asked: the path without its query, the query and the body. */
export interface Asking {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** An accepted request, numbered from 0. */
export interface Accepted {
  readonly neutral: NeutralRequest;
  readonly serial: number;
}

/** A protocol: how requests are read and refused, and how answers are written. */
export interface Provider {
  /** What a client's base URL has after host and port. */
  readonly basePath: string;
  /** Whether `POST path` asks the model. */
  asksModel(path: string): boolean;
  read(asking: Asking): NeutralRequest;
  /** Returns why the real server would refuse it; undefined if it would not. */
  refusalOf(asking: Asking, neutral: NeutralRequest): ProviderRefusal | undefined;
  /** Returns any refusal in the provider's form. */
  refuse(status: number, message: string): ProviderRefusal;
  wire(behavior: Behavior, accepted: Accepted): Wire;
  /** Answers other paths with JSON; undefined if there is nothing. */
  answer?(route: string, body: Body): unknown;
}

/** Returns the first refusal of checks that run in order, each only if none before it refused. */
export function firstRefusal<Refusal>(checks: readonly (() => Refusal | undefined)[]): Refusal | undefined {
  for (const check of checks) {
    const refusal = check();
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

import { useEffect, useState } from "react";
import type { Estimate, SentWords } from "../../../../src/domain/estimate.ts";
import { estimate } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { timeZone } from "../../ui/time-zone.ts";
import { type AskOptions, draftOf } from "./ask-draft.ts";
import { readableLimits } from "./ask-limits.ts";
import { queriesFault } from "./ask-queries.ts";
import { completed } from "./ask-team.ts";

const PAUSE_MS = 300;

/** Null while it is not known. */
export type Estimated = { readonly estimate: Estimate; readonly question: string } | { readonly problem: Problem } | null;

/** Stands for a question that is not there yet, or whose words change nothing. */
const ANY_QUESTION = "…";

/** What the user gives. Of files the names are enough. */
export interface Given {
  readonly urls: readonly string[];
  readonly fileNames: readonly string[];
  readonly threadId: string | null;
}

/**
 * What the request would take, asked of the server after each change; or why it could not be started. The latest answer stays until the next
 * one is there. @param question null if it cannot be asked yet
 */
export function useEstimate(question: string | null, options: AskOptions, given: Given): Estimated {
  const [estimated, setEstimated] = useState<Estimated>(null);
  // Only for this graph the words of the question change what an estimate tells.
  const asked = options.graph === "executor" ? (question ?? ANY_QUESTION) : ANY_QUESTION;
  const material = JSON.stringify(given);
  useEffect(() => {
    const { fileNames, ...more } = JSON.parse(material) as Given;
    const stop = new AbortController();
    const queries = queriesFault(options) === null ? options.queries : null;
    const askable = { ...options, queries, team: completed(options.team), limits: readableLimits(options.limits) };
    const draft = draftOf(asked, askable, { timeZone: timeZone(), ...more });
    const ask = (): void => {
      estimate(draft, fileNames, stop.signal).then(
        (answer) => stop.signal.aborted || setEstimated({ estimate: answer, question: asked }),
        (error: unknown) => stop.signal.aborted || setEstimated({ problem: asProblem(error) }),
      );
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked, options, material]);
  return estimated;
}

/** What goes to sources outside this machine; empty while there is no question, or a model decides it. */
export function sentOf(estimated: Estimated): readonly SentWords[] {
  if (estimated === null || "problem" in estimated || estimated.question === ANY_QUESTION) return [];
  return estimated.estimate.sent ?? [];
}

export function problemOf(estimated: Estimated): Problem | null {
  return estimated !== null && "problem" in estimated ? estimated.problem : null;
}

import { useEffect, useState } from "react";
import type { ThreadDocument } from "../../../../src/domain/ports/material.ts";
import { textsIn } from "../../../../src/util/json-fields.ts";
import { getRun, getThreadMaterial } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useAddress } from "../../app/router.tsx";
import type { AskOptions } from "./ask-draft.ts";
import { optionsOf } from "./asked-options.ts";

/** The documents of an earlier run's thread, which a run of the same thread uses. */
export interface KeptDocuments {
  readonly threadId: string;
  readonly documents: readonly ThreadDocument[];
}

interface Again {
  readonly question: string;
  readonly options: AskOptions;
  readonly urls: readonly string[];
  readonly kept: KeptDocuments | null;
}

/** With `?from=` and the id of a run, fills the form with its question, options, addresses and documents. Returns why it could not be. */
export function useAskAgain(fill: (again: Again) => void): Problem | null {
  const [problem, setProblem] = useState<Problem | null>(null);
  const from = useAddress().query.get("from");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is filled once for each run
  useEffect(() => {
    if (from === null || from === "") return;
    const stop = new AbortController();
    readAgain(from, stop.signal).then(
      (again) => stop.signal.aborted || fill(again),
      (error: unknown) => stop.signal.aborted || setProblem(asProblem(error)),
    );
    return () => stop.abort();
  }, [from]);
  return problem;
}

async function readAgain(runId: string, signal: AbortSignal): Promise<Again> {
  const run = await getRun(runId, signal);
  // A thread to which nothing was given has no material.
  const { documents, urls } = await getThreadMaterial(run.threadId, signal).catch(() => ({ documents: [], urls: [] }));
  const given = [...textsIn(run.request?.["urls"]), ...urls.map(({ url }) => url)];
  return {
    question: run.question,
    options: optionsOf(run),
    urls: [...new Set(given)],
    kept: documents.length === 0 ? null : { threadId: run.threadId, documents },
  };
}

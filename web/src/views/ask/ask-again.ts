import { useEffect } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { getRun } from "../../api/endpoints.ts";
import { useAddress } from "../../app/router.tsx";
import { type AskOptions, chooseDepth, chooseGraph, DEFAULT_OPTIONS, DEPTHS, LIMITS, STYLES } from "./ask-draft.ts";

interface Again {
  readonly question: string;
  readonly options: AskOptions;
}

/** With `?from=` and the id of a run, fills the form with its question and options. What is typed meanwhile is not replaced. */
export function useAskAgain(fill: (again: Again) => void): void {
  const from = useAddress().query.get("from");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is filled once for each run
  useEffect(() => {
    if (from === null || from === "") return;
    const stop = new AbortController();
    getRun(from, stop.signal).then(
      (run) => stop.signal.aborted || fill({ question: run.question, options: optionsOf(run) }),
      // The form stays empty; the run may have been deleted.
      () => {},
    );
    return () => stop.abort();
  }, [from]);
}

/** Reads the request of a run field by field: an older version may have stored another one. */
export function optionsOf({ graph, language = "auto", request = {} }: Pick<Run, "graph" | "language" | "request">): AskOptions {
  const { depth, report, limits, sources, planApproval } = request;
  const form = fieldsOf(report);
  const base = chooseGraph({ ...DEFAULT_OPTIONS, language }, graph);
  return {
    ...chooseDepth(base, DEPTHS.find((one) => one === depth) ?? DEFAULT_OPTIONS.depth),
    style: STYLES.find((one) => one === form["style"]) ?? DEFAULT_OPTIONS.style,
    instructions: typeof form["instructions"] === "string" ? form["instructions"] : "",
    planApproval: graph === "research" && planApproval === true,
    limits: { ...DEFAULT_OPTIONS.limits, ...Object.fromEntries(LIMITS.map((name) => [name, textOf(fieldsOf(limits)[name])])) },
    sources: Array.isArray(sources) ? sources.filter((one) => typeof one === "string") : null,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "number" ? String(value) : "";
}

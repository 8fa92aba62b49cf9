import { useCallback } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { listRuns } from "../../api/endpoints.ts";
import { formatDuration } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { runWords } from "./run-words.ts";

/** Fewer say nothing of the next one. */
const LEAST = 3;
const ASKED = 12;

/** How long the latest runs of the same graph and depth took: the time to expect. */
export function UsualTime({ run: { graph, request } }: { readonly run: Run }) {
  const say = useWords(runWords);
  const { language } = useLanguage();
  const load = useCallback((signal: AbortSignal) => listRuns({ graph, status: "succeeded", limit: ASKED }, signal), [graph]);
  const { data } = useResource(load);
  if (data === null) return null;
  const usual = usualMs(data.runs, request?.["depth"]);
  return <span className="quiet">{usual === null ? say("usualUnknown") : say("usual", { time: formatDuration(usual, language) })}</span>;
}

/** Returns the median in milliseconds, or null if too few runs of this depth are known. */
export function usualMs(runs: readonly Pick<Run, "startedAt" | "endedAt" | "request">[], depth: unknown): number | null {
  const times = runs.flatMap(({ startedAt, endedAt, request }) => {
    // A run that asks for a plan's approval waits for its user.
    if (startedAt === null || endedAt === null || request?.["planApproval"] === true || request?.["depth"] !== depth) return [];
    return [Date.parse(endedAt) - Date.parse(startedAt)];
  });
  if (times.length < LEAST) return null;
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? null;
}

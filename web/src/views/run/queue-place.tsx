import { useCallback, useEffect } from "react";
import { listRuns } from "../../api/endpoints.ts";
import { useWords } from "../../i18n/language.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { runWords } from "./run-words.ts";

const RENEW_MS = 3_000;

/** How many queued runs are older. The list has at most 100, newest first. */
export function QueuePlace({ createdAt }: { readonly createdAt: string }) {
  const say = useWords(runWords);
  const { data, reload } = useResource(useCallback((signal: AbortSignal) => listRuns({ status: "queued", limit: 100 }, signal), []));
  useEffect(() => {
    const timer = setInterval(reload, RENEW_MS);
    return () => clearInterval(timer);
  }, [reload]);
  if (data === null) return null;
  const before = data.runs.filter((run) => run.createdAt < createdAt).length;
  return <span className="quiet">{before === 0 ? say("queuedNext") : say("queuedBehind", { count: before })}</span>;
}

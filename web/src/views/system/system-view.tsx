import { useCallback } from "react";
import { listSources } from "../../api/endpoints.ts";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";

export function SystemView() {
  const { data, problem, reload } = useResource(useCallback((signal: AbortSignal) => listSources(signal), []));
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (data === null) return <Loading />;
  return (
    <ul>
      {data.sources.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

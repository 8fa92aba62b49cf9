import { useCallback } from "react";
import { getHealth, getModels, getReadiness, listGraphs, listSources } from "../../api/endpoints.ts";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { CorpusCard } from "./corpus-card.tsx";
import { ModelsCard } from "./models-card.tsx";
import { ServiceCard } from "./service-card.tsx";
import { SessionCard } from "./session-card.tsx";
import { SourceTable } from "./source-table.tsx";
import "./system.css";
import { systemWords } from "./system-words.ts";

/** What the server has, how it did when last tried, and what to set. */
export function SystemView() {
  const say = useWords(systemWords);
  const load = useCallback(async (signal: AbortSignal) => {
    const [health, ready, models, { sources }, { graphs }] = await Promise.all([
      getHealth(signal),
      getReadiness(signal),
      getModels(signal),
      listSources(signal),
      listGraphs(signal),
    ]);
    return { health, ready, models, sources, graphs };
  }, []);
  const { data, problem, reload } = useResource(load);
  if (problem !== null && data === null) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (data === null) return <Loading />;
  const { health, ready, models, sources, graphs } = data;
  const isServer = (kind: string): boolean => kind === "mcp";
  return (
    <div className="system stack">
      <header className="stack">
        <div className="row">
          <h1>{say("title")}</h1>
          <Button kind="quiet" onPress={reload}>
            {say("reload")}
          </Button>
        </div>
        <p className="quiet system-lead">{say("lead")}</p>
      </header>
      {problem !== null && <ProblemNotice problem={problem} onRetry={reload} />}
      <div className="system-cards">
        <ServiceCard version={health.version} ready={ready} graphs={graphs} />
        <ModelsCard models={models} />
        <CorpusCard />
        <SessionCard />
      </div>
      <SourceTable title={say("sources")} sources={sources.filter(({ kind }) => kind !== "tool" && !isServer(kind))} />
      <SourceTable title={say("tools")} sources={sources.filter(({ kind }) => kind === "tool")} empty={say("noTools")} />
      <SourceTable title={say("servers")} sources={sources.filter(({ kind }) => isServer(kind))} empty={say("noServers")} />
    </div>
  );
}

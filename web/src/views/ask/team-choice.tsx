import { useCallback, useEffect } from "react";
import { getGraph } from "../../api/endpoints.ts";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { isTooLong, LengthFault } from "../../ui/length-fault.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { addAgent, instruct, isComplete, MAX_AGENTS, NEW_TEAM, type OwnTeam, removeAgent } from "./ask-team.ts";
import { askWords } from "./ask-words.ts";

export interface TeamChoiceProps {
  /** The name of a team of the server, agents that the user writes, or null for the server's default team. */
  readonly team: string | OwnTeam | null;
  readonly onChange: (team: string | OwnTeam | null) => void;
  /** Of characters of an agent's task; undefined while it is not known. */
  readonly maxPrompt: number | undefined;
}

const OWN = "";

/** Teams of the server, or agents of one's own. */
export function TeamChoice({ team, onChange, maxPrompt }: TeamChoiceProps) {
  const say = useWords(askWords);
  const { data, problem, reload } = useResource(useCallback((signal: AbortSignal) => getGraph("team", signal), []));
  const teams = data?.teams ?? [];
  const chosen = team ?? (teams.find(({ name }) => name === "default") ?? teams[0])?.name ?? NEW_TEAM;
  const isPreset = data !== null && team === null && chosen !== "default";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a server without a default team gets what is shown
  useEffect(() => {
    if (isPreset) onChange(chosen);
  }, [isPreset]);
  if (problem !== null) return <ProblemNotice problem={problem} title={say("teamsFailed")} onRetry={reload} />;
  if (data === null) return <Loading />;
  const choose = (name: string): void => onChange(name === OWN ? NEW_TEAM : name);
  return (
    <>
      <select aria-label={say("team")} value={typeof chosen === "string" ? chosen : OWN} onChange={({ target }) => choose(target.value)}>
        {teams.map(({ name, children }) => (
          <option key={name} value={name}>
            {name}: {children.join(", ")}
          </option>
        ))}
        <option value={OWN}>{say("ownTeam")}</option>
      </select>
      {typeof chosen !== "string" && <OwnAgents team={chosen} onChange={onChange} maxPrompt={maxPrompt} />}
    </>
  );
}

interface OwnAgentsProps extends Pick<TeamChoiceProps, "maxPrompt"> {
  readonly team: OwnTeam;
  readonly onChange: (team: OwnTeam) => void;
}

function OwnAgents({ team, onChange, maxPrompt }: OwnAgentsProps) {
  const say = useWords(askWords);
  const { children, pattern } = team;
  // The stages of a hybrid team name its agents, so they stay.
  const isFixed = pattern === "hybrid";
  return (
    <>
      {!isFixed && (
        <label>
          <input
            type="checkbox"
            checked={pattern === "sequential"}
            onChange={({ target }) => onChange({ ...team, pattern: target.checked ? "sequential" : "concurrent" })}
          />
          {say("oneAfterAnother")}
        </label>
      )}
      <ol className="ask-agents">
        {children.map(({ id, prompt }) => (
          <li key={id}>
            <textarea
              rows={2}
              aria-label={say("agentTask", { name: id })}
              placeholder={say("agentTask", { name: id })}
              value={prompt}
              aria-invalid={isTooLong(prompt.trim(), maxPrompt)}
              onChange={({ target }) => onChange(instruct(team, id, target.value))}
            />
            <LengthFault text={prompt.trim()} max={maxPrompt} />
            {!isFixed && children.length > 1 && (
              <Button kind="quiet" aria-label={say("removeAgent", { name: id })} onPress={() => onChange(removeAgent(team, id))}>
                ×
              </Button>
            )}
          </li>
        ))}
      </ol>
      {!isComplete(team) && <p className="quiet">{say("agentsNeedTasks")}</p>}
      {!isFixed && (
        <div className="row">
          <Button kind="quiet" isDisabled={children.length >= MAX_AGENTS} onPress={() => onChange(addAgent(team))}>
            {say("addAgent")}
          </Button>
        </div>
      )}
    </>
  );
}

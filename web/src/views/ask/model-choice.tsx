import { useCallback, useId } from "react";
import type { ModelsState } from "../../../../src/domain/ports/run-service.ts";
import type { ModelRole } from "../../../../src/domain/roles.ts";
import { listOfferedModels } from "../../api/endpoints.ts";
import { useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { useResource } from "../../ui/use-resource.ts";
import type { AskOptions } from "./ask-draft.ts";
import { askWords } from "./ask-words.ts";

/** The roles that a model has in a graph. */
const ROLES: Readonly<Record<string, readonly ModelRole[]>> = {
  executor: ["decision", "writer", "support"],
  research: ["planner", "decision", "reader", "executor", "verifier", "summary", "outline", "section", "support"],
  agent: ["agent"],
  team: ["agent", "supervisor"],
};

export interface ModelChoiceProps {
  readonly options: AskOptions;
  readonly models: ModelsState;
  readonly onChange: (options: AskOptions) => void;
}

/** The model of this run, and of single roles. The model server may know more names than it lists, so they are typed; known ones are offered. */
export function ModelChoice({ options, models, onChange }: ModelChoiceProps) {
  const say = useWords(askWords);
  const list = useId();
  const { data, problem } = useResource(useCallback((signal: AbortSignal) => listOfferedModels(signal), []));
  const failure = data?.failure ?? problem?.message ?? null;
  const known = [...new Set([models.default ?? "", ...Object.values(models.roles), ...(data?.models ?? [])])].filter((name) => name !== "");
  const roles = ROLES[options.graph] ?? [];
  const setRole = (role: ModelRole, name: string): void => onChange({ ...options, models: { ...options.models, [role]: name } });
  const placeholder = (name: string | null): string => (name ? say("modelOfServer", { name }) : say("serverModel"));
  const isSet = roles.some((role) => (options.models[role] ?? "") !== "");
  return (
    <>
      <datalist id={list}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <input
        aria-label={say("model")}
        list={list}
        placeholder={placeholder(models.default)}
        value={options.model}
        onChange={({ target }) => onChange({ ...options, model: target.value })}
      />
      {data !== null && data.models.length > 0 && <p className="quiet">{say("offered", { count: data.models.length })}</p>}
      {failure !== null && (
        <p className="quiet" role="status">
          {say("notOffered", { failure })}
        </p>
      )}
      <Fold className="ask-roles" summary={say("roleModels")} startsOpen={isSet}>
        {() => (
          <div className="ask-limits ask-role-models">
            {roles.map((role) => (
              <label key={role}>
                <span className="quiet">
                  {say(`role_${role as "agent"}`)} <code>{role}</code>
                </span>
                <input
                  list={list}
                  placeholder={placeholder(options.model || models.roles[role] || models.default)}
                  value={options.models[role] ?? ""}
                  onChange={({ target }) => setRole(role, target.value)}
                />
              </label>
            ))}
          </div>
        )}
      </Fold>
    </>
  );
}

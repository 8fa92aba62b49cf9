import { type ReactNode, useId } from "react";
import type { Accepted } from "../../../../src/domain/accepted.ts";
import type { ModelsState } from "../../../../src/domain/ports/run-service.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { isTooLong, LengthFault } from "../../ui/length-fault.tsx";
import { useGraphName } from "../graph-names.ts";
import { type AskOptions, chooseDepth, chooseGraph, DEPTHS, STYLES } from "./ask-draft.ts";
import { hasFaults, readLimits } from "./ask-limits.ts";
import { askWords } from "./ask-words.ts";
import { EstimateLine } from "./estimate-line.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { ModelChoice } from "./model-choice.tsx";
import { QueriesField } from "./queries-field.tsx";
import { SourceChoice } from "./source-choice.tsx";
import { TeamChoice } from "./team-choice.tsx";
import { type Estimated, problemOf } from "./use-estimate.ts";

export interface AskOptionsFormProps {
  readonly options: AskOptions;
  readonly onChange: (options: AskOptions) => void;
  /** Null while it is not known. */
  readonly models: ModelsState | null;
  readonly estimated: Estimated;
  /** Null while it is not known. */
  readonly accepted: Accepted | null;
}

const GRAPHS = ["executor", "research", "agent", "team"] as const;
const MODEL_GRAPHS: readonly string[] = ["agent", "team"];
const LANGUAGES = ["auto", "en", "zh", "de", "fr", "es", "ja"] as const;

export function AskOptionsForm({ options, onChange, models, estimated, accepted }: AskOptionsFormProps) {
  const say = useWords(askWords);
  const graphName = useGraphName();
  const hasModel = models?.configured ?? true;
  return (
    <div className="ask-fields">
      <Choice title={say("graph")}>
        {GRAPHS.map((graph) => (
          <label key={graph} className="ask-graph">
            <input
              type="radio"
              name="graph"
              checked={options.graph === graph}
              disabled={!hasModel && MODEL_GRAPHS.includes(graph)}
              onChange={() => onChange(chooseGraph(options, graph))}
            />
            <span>
              <b>{graphName(graph)}</b> <span className="quiet">{say(`graph_${graph}`)}</span>
            </span>
          </label>
        ))}
        {options.graph === "research" && (
          <>
            <Tick
              label={say("planApproval")}
              isOn={options.planApproval}
              onChange={(planApproval) => onChange({ ...options, planApproval })}
            />
            {options.depth === "deep" && (
              <Tick label={say("clarify")} isOn={options.clarify} onChange={(clarify) => onChange({ ...options, clarify })} />
            )}
          </>
        )}
      </Choice>
      {options.graph === "team" && (
        <Choice title={say("team")}>
          <TeamChoice
            team={options.team}
            maxPrompt={accepted?.characters.agentPrompt}
            onChange={(team) => onChange({ ...options, team })}
          />
        </Choice>
      )}
      {models?.configured === true && (
        <Choice title={say("model")}>
          <ModelChoice options={options} models={models} onChange={onChange} />
        </Choice>
      )}
      <Choice title={say("depth")}>
        <div className="row">
          {DEPTHS.map((depth) => (
            <label key={depth}>
              <input type="radio" name="depth" checked={options.depth === depth} onChange={() => onChange(chooseDepth(options, depth))} />
              {say(`depth_${depth}`)}
            </label>
          ))}
        </div>
        {options.depth === "deep" && <p className="quiet">{say("deepHelp")}</p>}
        {!hasFaults(readLimits(options.limits, accepted?.limits ?? null)) && <EstimateLine estimated={estimated} />}
      </Choice>
      <Form options={options} onChange={onChange} hasModel={hasModel} max={accepted?.characters.instructions} />
      <Choice title={say("limits")}>
        <LimitFields
          typed={options.limits}
          onChange={(limits) => onChange({ ...options, limits })}
          caps={accepted?.limits ?? null}
          allowed={estimated !== null && "estimate" in estimated ? estimated.estimate.limits : null}
          hasModel={hasModel}
        />
      </Choice>
      <Choice title={say("sources")}>
        <label>
          <span>{say("since")}</span>
          <input type="date" value={options.since} onChange={({ target }) => onChange({ ...options, since: target.value })} />
        </label>
        {hasModel && options.graph === "executor" && (
          <QueriesField
            options={options}
            // A model writes them if the field is empty.
            onChange={(text) => onChange({ ...options, queries: text.trim() === "" ? null : text })}
            hasModel
            problem={problemOf(estimated)}
          />
        )}
        <SourceChoice chosen={options.sources} onChange={(sources) => onChange({ ...options, sources })} />
      </Choice>
    </div>
  );
}

interface TickProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Tick({ label, isOn, onChange }: TickProps) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}

function Choice({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="ask-choice">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface FormProps extends Pick<AskOptionsFormProps, "options" | "onChange"> {
  readonly hasModel: boolean;
  /** Of characters of the instructions. */
  readonly max: number | undefined;
}

function Form({ options, onChange, hasModel, max }: FormProps) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const names = new Intl.DisplayNames([language], { type: "language" });
  const help = useId();
  return (
    <Choice title={say("style")}>
      <div className="row">
        <select
          aria-label={say("style")}
          aria-describedby={help}
          value={options.style}
          disabled={!hasModel}
          onChange={({ target }) => onChange({ ...options, style: STYLES.find((style) => style === target.value) ?? "default" })}
        >
          {STYLES.map((style) => (
            <option key={style} value={style}>
              {say(`style_${style}`)}
            </option>
          ))}
        </select>
        <label>
          {say("language")}
          <select value={options.language} onChange={({ target }) => onChange({ ...options, language: target.value })}>
            {LANGUAGES.map((tag) => (
              <option key={tag} value={tag}>
                {tag === "auto" ? say("languageAuto") : names.of(tag)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <input
        aria-label={say("instructions")}
        placeholder={say("instructions")}
        value={options.instructions}
        disabled={!hasModel}
        aria-invalid={isTooLong(options.instructions.trim(), max)}
        onChange={({ target }) => onChange({ ...options, instructions: target.value })}
      />
      <LengthFault text={options.instructions.trim()} max={max} />
      {!hasModel && (
        <p className="quiet" id={help}>
          {say("needsModelHelp")}
        </p>
      )}
    </Choice>
  );
}

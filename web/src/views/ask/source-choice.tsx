import { useCallback } from "react";
import type { SourceState } from "../../../../src/domain/ports/run-service.ts";
import { listSources } from "../../api/endpoints.ts";
import { formatMoment } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { useFailureText } from "../failure-text.ts";
import { useKindName } from "../source-kinds.ts";
import { useSourceName } from "../source-names.ts";
import { askWords } from "./ask-words.ts";

export const KINDS = ["upload", "corpus", "web", "scholar", "encyclopedia", "filing", "market", "tool", "mcp"] as const;
export type Kind = (typeof KINDS)[number] | "other";

export function groupByKind(sources: readonly SourceState[]): [Kind, SourceState[]][] {
  const groups = Map.groupBy(sources, ({ kind }): Kind => KINDS.find((known) => known === kind) ?? "other");
  return [...KINDS, "other" as const].flatMap((kind): [Kind, SourceState[]][] => {
    const members = groups.get(kind);
    return members === undefined ? [] : [[kind, members]];
  });
}

export interface SourceChoiceProps {
  /** Null: all. */
  readonly chosen: readonly string[] | null;
  readonly onChange: (chosen: readonly string[] | null) => void;
}

/** Sources by kind, each with what it lacks and how it did when last tried. */
export function SourceChoice({ chosen, onChange }: SourceChoiceProps) {
  const say = useWords(askWords);
  const sourceName = useSourceName();
  const kindName = useKindName();
  const { data, problem, reload } = useResource(useCallback((signal: AbortSignal) => listSources(signal), []));
  if (problem !== null) return <ProblemNotice problem={problem} title={say("sourcesFailed")} onRetry={reload} />;
  if (data === null) return <Loading />;
  const usable = data.sources.filter(({ configured }) => configured).map(({ id }) => id);
  const selected = chosen ?? usable;
  const ticked = usable.filter((id) => selected.includes(id));
  const last = ticked.length === 1 ? ticked[0] : undefined;
  const toggle = (id: string): void => {
    // A run without a source finds nothing.
    if (id === last) return;
    const next = selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id];
    onChange(next.length === usable.length ? null : next);
  };
  return (
    <>
      <div className="row">
        <span className="quiet">{chosen === null ? say("allSources") : say("someSources", { count: chosen.length })}</span>
        {chosen !== null && (
          <Button kind="quiet" onPress={() => onChange(null)}>
            {say("useAll")}
          </Button>
        )}
      </div>
      <div className="ask-kinds">
        {groupByKind(data.sources).map(([kind, members]) => (
          <fieldset key={kind}>
            <legend>{kindName(kind)}</legend>
            {members.map((source) => (
              <label key={source.id} className="ask-source">
                <input
                  type="checkbox"
                  checked={source.configured && selected.includes(source.id)}
                  disabled={!source.configured}
                  aria-disabled={last === source.id}
                  onChange={() => toggle(source.id)}
                />
                <span>
                  {sourceName(source)} <SourceNote source={source} />
                  {last === source.id && <span className="quiet ask-last-source">{say("lastSource")}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
}

function SourceNote({ source: { id, configured, setting, lastTry } }: { readonly source: SourceState }) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const failureText = useFailureText();
  if (!configured && setting === undefined) return null;
  if (!configured)
    return <span className="quiet">{setting === "SOURCES" ? say("lacksName", { id }) : say("lacks", { setting: setting ?? "" })}</span>;
  if (lastTry === null) return <span className="quiet">{say("untried")}</span>;
  const time = formatMoment(lastTry.at, language);
  if (lastTry.reachable) return <span className="tag tag-good">{say("works", { time })}</span>;
  return <span className="tag tag-attention">{say("broken", { time, failure: failureText(lastTry.failure) })}</span>;
}

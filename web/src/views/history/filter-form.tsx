import { useCallback, useEffect, useState } from "react";
import { listGraphs } from "../../api/endpoints.ts";
import { useWords } from "../../i18n/language.tsx";
import { statusWords } from "../../ui/status-tag.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { useGraphName } from "../graph-names.ts";
import { type HistoryFilter, STATUSES } from "./history-filter.ts";
import { historyWords } from "./history-words.ts";

/** A search begins when so long nothing was typed. */
const PAUSE_MS = 250;

interface FilterFormProps {
  readonly filter: HistoryFilter;
  readonly onChange: (filter: HistoryFilter) => void;
}

export function FilterForm({ filter, onChange }: FilterFormProps) {
  const say = useWords(historyWords);
  const sayStatus = useWords(statusWords);
  const graphName = useGraphName();
  const { data } = useResource(useCallback((signal: AbortSignal) => listGraphs(signal), []));
  const graphs = new Set([...(data?.graphs.map(({ name }) => name) ?? []), ...(filter.graph === null ? [] : [filter.graph])]);
  return (
    <search className="row history-filter">
      <SearchField text={filter.text} onSearch={(text) => onChange({ ...filter, text })} />
      <label>
        <span>{say("status")}</span>
        <select
          value={filter.status ?? ""}
          onChange={({ target }) => onChange({ ...filter, status: STATUSES.find((status) => status === target.value) ?? null })}
        >
          <option value="">{say("any")}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {sayStatus(status)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{say("graph")}</span>
        <select value={filter.graph ?? ""} onChange={({ target }) => onChange({ ...filter, graph: target.value || null })}>
          <option value="">{say("any")}</option>
          {[...graphs].map((name) => (
            <option key={name} value={name}>
              {graphName(name)}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}

function SearchField({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) {
  const say = useWords(historyWords);
  const [typed, setTyped] = useState(text);
  // The address may change under the field: back, or "show all runs".
  useEffect(() => setTyped(text), [text]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => onSearch(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label className="history-search">
      <span className="hidden-text">{say("search")}</span>
      <input type="search" value={typed} maxLength={200} placeholder={say("search")} onChange={({ target }) => setTyped(target.value)} />
    </label>
  );
}

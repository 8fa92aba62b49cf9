import { useId, useLayoutEffect, useRef } from "react";
import type { Problem } from "../../api/problem.ts";
import { formatList } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { LengthFault } from "../../ui/length-fault.tsx";
import type { AskOptions } from "./ask-draft.ts";
import { MAX_QUERIES, MAX_QUERY, queriesFault, queriesOf } from "./ask-queries.ts";
import { askWords } from "./ask-words.ts";

export interface QueriesFieldProps {
  readonly options: AskOptions;
  readonly onChange: (text: string) => void;
  readonly hasModel: boolean;
  /** Why the server would refuse the request; null if it would not, or that is not known. */
  readonly problem: Problem | null;
  readonly autoFocus?: boolean;
}

/** What to search for, one text a line. What is wrong with it stands below. */
export function QueriesField({ options, onChange, hasModel, problem, autoFocus = false }: QueriesFieldProps) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const about = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const queries = queriesOf(options) ?? [];
  const fault = queriesFault(options);
  const wordless = fault === null ? refusedQueries(problem, queries) : [];
  const longest = queries.reduce((long, query) => (query.length > long.length ? query : long), "");
  const said =
    fault === "none"
      ? say("noQueries")
      : fault === "tooMany"
        ? say("manyQueries", { count: queries.length, max: MAX_QUERIES })
        : wordless.length > 0
          ? say("wordlessQueries", { queries: formatList(wordless, language) })
          : null;
  return (
    <div className="ask-queries">
      <label>
        <span>{say("queries")}</span>
        <textarea
          ref={field}
          dir="auto"
          rows={Math.min(MAX_QUERIES, Math.max(2, (options.queries ?? "").split("\n").length))}
          aria-invalid={fault !== null || wordless.length > 0}
          aria-describedby={about}
          value={options.queries ?? ""}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      <div id={about}>
        <p className="quiet">{say("queriesHelp", { max: MAX_QUERIES })}</p>
        {hasModel && <p className="quiet">{say("queriesOfModel")}</p>}
        <LengthFault text={longest} max={MAX_QUERY} />
        {said !== null && (
          <p className="field-fault" role="status">
            <bdi>{said}</bdi>
          </p>
        )}
      </div>
    </div>
  );
}

/** The server refuses what has operators only; the field has checked all else. */
function refusedQueries(problem: Problem | null, queries: readonly string[]): string[] {
  const places = (problem?.faults ?? []).flatMap(({ path }) => /^\/queries\/(\d+)$/.exec(path)?.[1] ?? []);
  return places.flatMap((place) => queries[Number(place)] ?? []);
}

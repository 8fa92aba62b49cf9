import { useCallback, useState } from "react";
import type { SentWords as Sent } from "../../../../src/domain/estimate.ts";
import type { SourceState } from "../../../../src/domain/ports/run-service.ts";
import { listSources } from "../../api/endpoints.ts";
import { formatList } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { useSourceName } from "../source-names.ts";
import type { AskOptions } from "./ask-draft.ts";
import { groupSent, linesOf, queriesFault } from "./ask-queries.ts";
import { askWords } from "./ask-words.ts";
import { QueriesField } from "./queries-field.tsx";
import { type Estimated, problemOf, sentOf } from "./use-estimate.ts";

export interface SentWordsProps {
  readonly question: string;
  readonly options: AskOptions;
  readonly onChange: (options: AskOptions) => void;
  readonly estimated: Estimated;
  readonly hasModel: boolean;
}

/** Which words go to which sources outside this machine. Without a model, which would write others, the user can change them here. */
export function SentWords({ question, options, onChange, estimated, hasModel }: SentWordsProps) {
  const say = useWords(askWords);
  const [isOpened, setOpened] = useState(false);
  const { data, problem } = useResource(useCallback((signal: AbortSignal) => listSources(signal), []));
  const sent = sentOf(estimated);
  const isOwn = options.queries !== null;
  const isOfQuestion = estimated !== null && "question" in estimated && estimated.question === question;
  const isField = !hasModel && isOwn;
  // A button that was pressed stays while the next estimate is not there, and keeps the focus.
  if (options.graph !== "executor" || (sent.length === 0 && !isField && !isOpened)) return null;
  const toggle = (): void => {
    // While the estimate is of an earlier question, its words would be taken. Disabling the button would take its focus.
    if (!isOwn && !isOfQuestion) return;
    setOpened(true);
    onChange({ ...options, queries: isOwn ? null : linesOf(sent) });
  };
  return (
    <section className="ask-sent" aria-label={say("queries")}>
      {queriesFault(options) === null && (data !== null || problem !== null) && <Lines sent={sent} sources={data?.sources ?? []} />}
      {isField && (
        <QueriesField
          options={options}
          onChange={(queries) => onChange({ ...options, queries })}
          hasModel={false}
          problem={problemOf(estimated)}
          autoFocus={isOpened}
        />
      )}
      {!hasModel && (
        <Button kind="quiet" onPress={toggle}>
          {say(isOwn ? "wordsOfQuestion" : "changeWords")}
        </Button>
      )}
    </section>
  );
}

interface LinesProps {
  readonly sent: readonly Sent[];
  /** Those that have a name. */
  readonly sources: readonly SourceState[];
}

function Lines({ sent, sources: named }: LinesProps) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const sourceName = useSourceName();
  const names = new Map(named.map((source) => [source.id, sourceName(source)]));
  return (
    <div role="status">
      {groupSent(sent).map(({ sources, words }) => (
        <p key={sources.join()}>
          <span className="quiet">
            {say("sentTo", {
              sources: formatList(
                sources.map((id) => names.get(id) ?? id),
                language,
              ),
            })}
          </span>
          {language === "zh" ? "" : " "}
          <b dir="auto">{words.join(" · ")}</b>
        </p>
      ))}
    </div>
  );
}

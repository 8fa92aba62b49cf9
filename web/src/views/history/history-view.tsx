import { type ReactNode, useId, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { Link, navigate, useAddress } from "../../app/router.tsx";
import { formatDay } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { CompareBar } from "./compare-bar.tsx";
import { FilterForm } from "./filter-form.tsx";
import { groupDays, groupThreads, nameOf, type ThreadGroup } from "./group-threads.ts";
import { filterOf, type HistoryFilter, historyAddress, isFiltered } from "./history-filter.ts";
import "./history.css";
import { historyWords } from "./history-words.ts";
import { RunRow } from "./run-row.tsx";
import { type RunPages, useRunPages } from "./use-run-pages.ts";

/** All runs, newest first, those of a thread together. The filter is in the address. */
export function HistoryView() {
  const say = useWords(historyWords);
  const { query } = useAddress();
  const filter = filterOf(query);
  const pages = useRunPages(filter);
  const [chosen, setChosen] = useState<readonly Run[]>([]);
  const [deleted, setDeleted] = useState("");
  const choose = (run: Run): void => {
    const others = chosen.filter(({ id }) => id !== run.id);
    setChosen(others.length < chosen.length ? others : [...others.slice(-1), run]);
  };
  const onDeleted = (run: Run): void => {
    pages.remove(run.id);
    setChosen(chosen.filter(({ id }) => id !== run.id));
    setDeleted(say("deleted", { name: nameOf(run) }));
  };
  return (
    <div className="history stack">
      <div className="row history-head">
        <h1>{say("title")}</h1>
        <Link to="/replay">{say("openRecording")}</Link>
      </div>
      <FilterForm filter={filter} onChange={(next) => navigate(historyAddress(next), { replace: true })} />
      {filter.threadId !== null && (
        <p className="row quiet">
          {say("onlyThread")} <Link to={historyAddress({ ...filter, threadId: null })}>{say("clear")}</Link>
        </p>
      )}
      <p className="hidden-text" role="status">
        {deleted}
      </p>
      {pages.problem !== null && <ProblemNotice problem={pages.problem} onRetry={pages.hasLoaded ? pages.loadMore : pages.reload} />}
      {pages.hasLoaded ? (
        <>
          <div className="history-days" aria-busy={pages.isLoading}>
            {groupDays(groupThreads(pages.runs)).map(({ day, threads }) => (
              <Day key={day} day={day}>
                {threads.map((group) => (
                  <li key={group.threadId} className="history-group">
                    <Thread group={group} filter={filter}>
                      {(run) => (
                        <RunRow
                          run={run}
                          isChosen={chosen.some(({ id }) => id === run.id)}
                          onChoose={() => choose(run)}
                          onChanged={pages.put}
                          onDeleted={() => onDeleted(run)}
                        />
                      )}
                    </Thread>
                  </li>
                ))}
              </Day>
            ))}
          </div>
          <End pages={pages} filter={filter} />
        </>
      ) : (
        pages.problem === null && <Loading />
      )}
      {chosen.length > 0 && <CompareBar chosen={chosen} onClear={() => setChosen([])} />}
    </div>
  );
}

/** The threads of one day, under its name. */
function Day({ day, children }: { readonly day: number; readonly children: ReactNode }) {
  const { language } = useLanguage();
  const id = useId();
  return (
    <section className="history-day" aria-labelledby={id}>
      <h2 id={id}>{formatDay(day, language)}</h2>
      <ol className="bare history-groups">{children}</ol>
    </section>
  );
}

interface ThreadProps {
  readonly group: ThreadGroup;
  readonly filter: HistoryFilter;
  readonly children: (run: Run) => ReactNode;
}

/** Of a long thread, so many of the latest runs are shown at first. */
const SHOWN = 3;

function Thread({ group: { threadId, runs }, filter, children }: ThreadProps) {
  const say = useWords(historyWords);
  const [isOpen, setOpen] = useState(false);
  const [first] = runs;
  const shown = isOpen || filter.threadId !== null ? runs : runs.slice(0, SHOWN);
  if (runs.length === 1 && first !== undefined) return children(first);
  return (
    <section className="history-thread" aria-label={say("thread", { count: runs.length })}>
      <p className="quiet row">
        {say("thread", { count: runs.length })}
        {filter.threadId === null && (
          <Link to={historyAddress({ text: "", status: null, graph: null, threadId })}>{say("wholeThread")}</Link>
        )}
      </p>
      <ol className="bare history-runs">
        {shown.map((run) => (
          <li key={run.id}>{children(run)}</li>
        ))}
      </ol>
      {shown.length < runs.length && (
        <Button kind="quiet" onPress={() => setOpen(true)}>
          {say("showRest", { count: runs.length - shown.length })}
        </Button>
      )}
    </section>
  );
}

/** What comes after the last run that is shown. */
function End({ pages: { runs, cursor, isLoading, loadMore }, filter }: { readonly pages: RunPages; readonly filter: HistoryFilter }) {
  const say = useWords(historyWords);
  if (cursor !== null) {
    return (
      <div className="stack history-end">
        {runs.length === 0 && <p className="quiet">{say("nothingSoFar")}</p>}
        <Button onPress={loadMore} isDisabled={isLoading}>
          {say(isLoading ? "loadingMore" : "more")}
        </Button>
      </div>
    );
  }
  if (runs.length > 0) return <p className="quiet history-end">{say("end", { count: runs.length })}</p>;
  if (isFiltered(filter)) {
    return (
      <Notice title={say("nothing")}>
        <Link to="/history">{say("clear")}</Link>
      </Notice>
    );
  }
  return (
    <Notice title={say("empty")}>
      <p>{say("emptyHelp")}</p>
      <Link to="/">{say("ask")}</Link>
    </Notice>
  );
}

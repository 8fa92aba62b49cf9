import { memo } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { useWords } from "../../i18n/language.tsx";
import { Notice } from "../../ui/notice.tsx";
import { isEnded } from "../../view-model/ended.ts";
import type { RunView } from "../../view-model/run-view.ts";
import "../components/components.css";
import { PlainMarkdown } from "../components/plain-markdown.tsx";
import { RunProgress } from "../run/run-progress.tsx";
import { replayWords } from "./replay-words.ts";

/** A run at one moment: what it did, what it asked, and at its end its report as text. */
export const Moment = memo(function Moment({ view, run }: { readonly view: RunView; readonly run: Run }) {
  const say = useWords(replayWords);
  return (
    <div className="stack">
      {view.pending.map(({ id, prompt }) => (
        <Notice key={id} tone="attention" title={say("asked")}>
          <p className="component-text">{prompt}</p>
        </Notice>
      ))}
      <RunProgress view={view} graph={run.graph} limits={run.limits} />
      {isEnded(view.status) && typeof run.report?.markdown === "string" && (
        <section className="card stack" aria-label={say("report")}>
          <h2>{say("report")}</h2>
          <PlainMarkdown text={run.report.markdown} />
        </section>
      )}
    </div>
  );
});

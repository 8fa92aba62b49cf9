import { useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { verdictOf } from "../../../../src/words/verdict.ts";
import { Link } from "../../app/router.tsx";
import { formatMoment, formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { runAddress } from "../../ui/addresses.ts";
import { sayCode } from "../../ui/say-problem.ts";
import { StatusTag } from "../../ui/status-tag.tsx";
import { useGraphName } from "../graph-names.ts";
import { DeleteForm } from "./delete-form.tsx";
import { nameOf } from "./group-threads.ts";
import { historyWords } from "./history-words.ts";
import { RenameForm } from "./rename-form.tsx";
import { RunActions } from "./run-actions.tsx";

interface RunRowProps {
  readonly run: Run;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onChanged: (run: Run) => void;
  readonly onDeleted: () => void;
}

/** One run: its name, how it went, and what can be done with it. */
export function RunRow({ run, isChosen, onChoose, onChanged, onDeleted }: RunRowProps) {
  const say = useWords(historyWords);
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const name = nameOf(run);
  const close = (): void => setOpen(null);
  return (
    <article className="history-run">
      <div className="history-text">
        {open === "rename" ? (
          <RenameForm run={run} onClose={close} onRenamed={onChanged} />
        ) : (
          <Link to={runAddress(run.id)} className="history-name clamp">
            {name}
          </Link>
        )}
        {run.title !== undefined && <p className="quiet clamp">{say("asked", { question: run.question })}</p>}
        <RunFacts run={run} />
        {run.report?.claims[0] !== undefined && <p className="quiet clamp">{run.report.claims[0].text}</p>}
        {open === "delete" && <DeleteForm run={run} onClose={close} onDeleted={onDeleted} />}
      </div>
      <label className="history-tick quiet">
        <input type="checkbox" checked={isChosen} onChange={onChoose} aria-label={say("choose", { name })} />
        {say("compare")}
      </label>
      <RunActions run={run} onRename={() => setOpen("rename")} onDelete={() => setOpen("delete")} onChanged={onChanged} />
    </article>
  );
}

function RunFacts({ run: { status, graph, createdAt, report, error } }: { readonly run: Run }) {
  const say = useWords(historyWords);
  const { language } = useLanguage();
  const graphName = useGraphName();
  const count = report?.claims.length ?? 0;
  const strength = report === null ? "unjudged" : verdictOf(report, language).strength;
  return (
    <p className="row quiet">
      <StatusTag status={status} isEmpty={report?.claims.length === 0} />
      <time dateTime={createdAt} title={formatTime(createdAt, language)}>
        {formatMoment(createdAt, language)}
      </time>
      <span>{graphName(graph)}</span>
      {count > 0 && <span>{say("sentences", { count })}</span>}
      {strength !== "unjudged" && <span>{say(`answers_${strength}`)}</span>}
      {error !== null && <span>{sayCode(error.code, language) ?? error.code}</span>}
    </p>
  );
}

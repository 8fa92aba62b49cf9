import { useEffect, useState } from "react";
import type { Estimate } from "../../../../src/domain/estimate.ts";
import { estimate } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { formatCompact, formatDuration, formatList, formatMoney, formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { sayProblem } from "../../ui/say-problem.ts";
import { timeZone } from "../../ui/time-zone.ts";
import { type AskOptions, draftOf } from "./ask-draft.ts";
import { readableLimits } from "./ask-limits.ts";
import { completed } from "./ask-team.ts";
import { askWords } from "./ask-words.ts";

const PAUSE_MS = 300;

/** Null while it is not known. */
export type Estimated = { readonly estimate: Estimate } | { readonly problem: Problem } | null;

/** What the request would take, asked of the server after each change; or why it could not be started. */
export function useEstimate(question: string, options: AskOptions): Estimated {
  const [estimated, setEstimated] = useState<Estimated>(null);
  // The words of the question change nothing, so a keystroke asks for nothing.
  const isEmpty = question.trim() === "";
  useEffect(() => {
    const stop = new AbortController();
    const askable = { ...options, team: completed(options.team), limits: readableLimits(options.limits) };
    const draft = draftOf(isEmpty ? "?" : "…", askable, { timeZone: timeZone() });
    const ask = (): void => {
      estimate(draft, stop.signal).then(
        (answer) => stop.signal.aborted || setEstimated({ estimate: answer }),
        (error: unknown) => stop.signal.aborted || setEstimated({ problem: asProblem(error) }),
      );
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [isEmpty, options]);
  return estimated;
}

export function EstimateLine({ estimated }: { readonly estimated: Estimated }) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  if (estimated === null) return <p className="quiet">{say("estimating")}</p>;
  if ("problem" in estimated) {
    const { line, fields } = sayProblem(estimated.problem, language);
    return (
      <p className="field-fault" role="status">
        {[line, ...fields].join(" ")}
      </p>
    );
  }
  return <Parts estimate={estimated.estimate} />;
}

function Parts({ estimate: { modelCalls, documents, tokens, costUsd, seconds, lowered } }: { readonly estimate: Estimate }) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const range = ({ from, to }: { from: number; to: number }, form: (value: number) => string): string => {
    if (from === to) return form(to);
    return from === 0 ? say("upTo", { value: form(to) }) : `${form(from)}–${form(to)}`;
  };
  const number = (value: number): string => formatNumber(value, language);
  const parts = [
    modelCalls.to > 0 ? say("calls", { range: range(modelCalls, number) }) : null,
    say("documents", { range: range(documents, number) }),
    tokens.to > 0 ? say("tokens", { range: range(tokens, (value) => formatCompact(value, language)) }) : null,
    costUsd !== null && costUsd.to > 0 ? say("cost", { range: range(costUsd, (value) => formatMoney(value, language)) }) : null,
    say("seconds", { time: formatDuration(seconds.to * 1_000, language) }),
  ].filter((part) => part !== null);
  return (
    <p className="quiet" role="status">
      {parts.join(" · ")}
      {lowered.length > 0 && ` (${say("lowered", { names: formatList(lowered, language) })})`}
    </p>
  );
}

import type { Run } from "../../../../src/domain/run.ts";
import { formatCompact, formatDuration, formatElapsed, formatMoney, formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Meter } from "../../ui/meter.tsx";
import type { RunView } from "../../view-model/run-view.ts";
import { runWords } from "./run-words.ts";

/** How much of its limits the run has used. Limits of what it does not use are left out. */
export function Budgets({
  view,
  limits,
  elapsedMs,
}: {
  readonly view: RunView;
  readonly limits: Run["limits"];
  readonly elapsedMs: number;
}) {
  const say = useWords(runWords);
  const { language } = useLanguage();
  if (limits === undefined) return null;
  const { modelCalls, inputTokens, outputTokens, costUsd } = view.spent;
  const number = (value: number): string => formatNumber(value, language);
  const compact = (value: number): string => formatCompact(value, language);
  const money = (value: number): string => formatMoney(value, language);
  const rows = [
    {
      label: "time",
      value: elapsedMs,
      max: limits.seconds * 1_000,
      form: (ms: number) => (ms === elapsedMs ? formatElapsed(ms, view.endedAt !== null, language) : formatDuration(ms, language)),
    },
    { label: "documents", value: view.downloads, max: limits.downloads, form: number },
    { label: "modelCalls", value: modelCalls, max: limits.modelCalls, form: number },
    { label: "tokens", value: inputTokens + outputTokens, max: limits.tokens, form: compact },
    { label: "cost", value: costUsd, max: limits.costUsd ?? 0, form: money },
  ] as const;
  return (
    <div className="budgets">
      {rows
        .filter(({ label, value, max }) => max > 0 && (value > 0 || label === "time"))
        .map(({ label, value, max, form }) => (
          <Meter key={label} label={say(label)} value={value} max={max} text={say("of", { value: form(value), max: form(max) })} />
        ))}
    </div>
  );
}

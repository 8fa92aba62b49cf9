import type { Estimate } from "../../../../src/domain/estimate.ts";
import { formatCompact, formatDuration, formatList, formatMoney, formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { sayProblem } from "../../ui/say-problem.ts";
import { askWords } from "./ask-words.ts";
import type { Estimated } from "./use-estimate.ts";

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

import { useId } from "react";
import type { Estimate } from "../../../../src/domain/estimate.ts";
import { formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { type AskOptions, faultyLimits, LIMITS } from "./ask-draft.ts";
import { askWords } from "./ask-words.ts";

const LABELS = { seconds: "limitSeconds", downloads: "limitDownloads", modelCalls: "limitCalls", costUsd: "limitCost" } as const;
/** Limits of what only models use. */
const OF_MODELS: readonly string[] = ["modelCalls", "costUsd"];

export interface LimitFieldsProps {
  readonly typed: AskOptions["limits"];
  readonly onChange: (typed: AskOptions["limits"]) => void;
  /** What a run of these options may use. Null while it is not known. */
  readonly allowed: Estimate["limits"] | null;
  readonly hasModel: boolean;
}

/** An empty field shows the limit that holds without it. */
export function LimitFields({ typed, onChange, allowed, hasModel }: LimitFieldsProps) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const help = useId();
  const shown = LIMITS.filter((name) => hasModel || !OF_MODELS.includes(name));
  const faulty = faultyLimits(typed);
  const placeholder = (limit: number | null): string => (limit === null ? say("unlimited") : formatNumber(limit, language));
  return (
    <>
      <div className="ask-limits">
        {shown.map((name) => (
          <label key={name}>
            <span className="quiet">{say(LABELS[name])}</span>
            <input
              inputMode="decimal"
              aria-describedby={help}
              aria-invalid={faulty.includes(name)}
              placeholder={allowed === null ? "" : placeholder(allowed[name])}
              value={typed[name]}
              onChange={({ target }) => onChange({ ...typed, [name]: target.value })}
            />
          </label>
        ))}
      </div>
      <p className={faulty.length > 0 ? "ask-fault" : "quiet"} id={help} role="status">
        {say(faulty.length > 0 ? "limitFault" : "limitsHelp")}
      </p>
    </>
  );
}

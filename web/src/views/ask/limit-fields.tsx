import { useId } from "react";
import type { Estimate } from "../../../../src/domain/estimate.ts";
import { formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { LIMITS, type LimitCaps, type LimitFault, type LimitName, readLimits, type TypedLimits } from "./ask-limits.ts";
import { askWords } from "./ask-words.ts";

export const LIMIT_WORDS = {
  seconds: "limitSeconds",
  downloads: "limitDownloads",
  modelCalls: "limitCalls",
  costUsd: "limitCost",
} as const;

/** Limits of what only models use. */
const OF_MODELS: readonly string[] = ["modelCalls", "costUsd"];

interface LimitFieldsProps {
  readonly typed: TypedLimits;
  readonly onChange: (typed: TypedLimits) => void;
  /** What the server allows at most; null while it is not known. */
  readonly caps: LimitCaps | null;
  /** What a run of these options may use. Null while it is not known. */
  readonly allowed: Estimate["limits"] | null;
  readonly hasModel: boolean;
}

/** An empty field shows the limit that holds without it. One that cannot be read is named beside its field, and nothing starts until it is corrected. */
export function LimitFields({ typed, onChange, caps, allowed, hasModel }: LimitFieldsProps) {
  const say = useWords(askWords);
  const { faults } = readLimits(typed, caps);
  return (
    <>
      <div className="ask-limits">
        {LIMITS.filter((name) => hasModel || typed[name] !== "" || !OF_MODELS.includes(name)).map((name) => (
          <LimitField
            key={name}
            name={name}
            value={typed[name]}
            fault={faults[name]}
            cap={caps?.[name] ?? null}
            allowed={allowed === null ? undefined : allowed[name]}
            onChange={(text) => onChange({ ...typed, [name]: text })}
          />
        ))}
      </div>
      <p className="quiet">{say("limitsHelp")}</p>
    </>
  );
}

interface LimitFieldProps {
  readonly name: LimitName;
  readonly value: string;
  readonly fault: LimitFault | undefined;
  readonly cap: number | null;
  /** The limit that holds if the field is empty: null for none, undefined while it is not known. */
  readonly allowed: number | null | undefined;
  readonly onChange: (text: string) => void;
}

const FAULTS = {
  notNumber: "limitNotNumber",
  notWhole: "limitNotWhole",
  ambiguous: "limitAmbiguous",
  tooLow: "limitTooLow",
  tooHigh: "limitTooHigh",
} as const;

function LimitField({ name, value, fault, cap, allowed, onChange }: LimitFieldProps) {
  const say = useWords(askWords);
  const { language } = useLanguage();
  const about = useId();
  const number = (limit: number): string => formatNumber(limit, language);
  const max = cap === null ? "" : number(cap);
  const held = allowed === undefined ? "" : allowed === null ? say("unlimited") : number(allowed);
  return (
    <div>
      <label>
        <span className="quiet">{say(LIMIT_WORDS[name])}</span>
        <input
          inputMode={name === "costUsd" ? "decimal" : "numeric"}
          aria-invalid={fault !== undefined}
          aria-describedby={about}
          placeholder={held}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      <span id={about} className={fault === undefined ? "quiet" : "field-fault"} role={fault === undefined ? undefined : "status"}>
        {fault === undefined ? cap !== null && say("limitCap", { max }) : say(FAULTS[fault], { max })}
      </span>
    </div>
  );
}

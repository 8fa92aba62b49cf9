import type { Limits } from "../../../../src/domain/limits.ts";

export const LIMITS = ["seconds", "downloads", "modelCalls", "costUsd"] as const;
export type LimitName = (typeof LIMITS)[number];

/** The texts of the fields. */
export type TypedLimits = Readonly<Record<LimitName, string>>;

export type LimitFault = "notNumber" | "notWhole" | "ambiguous" | "tooLow" | "tooHigh";

export interface ReadLimits {
  /** Of the fields that have a number. */
  readonly values: Readonly<Partial<Record<LimitName, number>>>;
  /** Of the fields that have something else: nothing may be asked with them. */
  readonly faults: Readonly<Partial<Record<LimitName, LimitFault>>>;
}

export type LimitCaps = Pick<Limits, LimitName>;

const AMOUNT = /^(?:\d+(?:[.,]\d*)?|[.,]\d+)$/;
/** `1,500` and `1.500` are one and a half in some countries, and fifteen hundred in others. */
const MAYBE_THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Reads the limits as typed, also in full-width digits and with a decimal comma. @param caps null if they are not known */
export function readLimits(typed: TypedLimits, caps: LimitCaps | null): ReadLimits {
  const values: Partial<Record<LimitName, number>> = {};
  const faults: Partial<Record<LimitName, LimitFault>> = {};
  for (const name of LIMITS) {
    const read = readLimit(name, typed[name], caps?.[name] ?? null);
    if (typeof read === "number") values[name] = read;
    else if (read !== null) faults[name] = read;
  }
  return { values, faults };
}

/** Returns null for an empty field. */
function readLimit(name: LimitName, typed: string, cap: number | null): number | LimitFault | null {
  const plain = typed.normalize("NFKC").trim();
  const text = name === "costUsd" ? plain.replace(/^(?:US)?\$ ?/i, "") : plain;
  if (text === "") return null;
  const value = AMOUNT.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
  if (!Number.isFinite(value)) return "notNumber";
  if (MAYBE_THOUSANDS.test(text)) return "ambiguous";
  if (name !== "costUsd" && !Number.isInteger(value)) return "notWhole";
  if (name === "seconds" && value < 1) return "tooLow";
  return cap !== null && value > cap ? "tooHigh" : value;
}

/** The texts without those that cannot be read, for an estimate of what stands in the other fields. */
export function readableLimits(typed: TypedLimits): TypedLimits {
  const { faults } = readLimits(typed, null);
  const texts = LIMITS.map((name) => [name, faults[name] === undefined ? typed[name] : ""]);
  return Object.fromEntries(texts) as TypedLimits;
}

export function hasFaults({ faults }: ReadLimits): boolean {
  return Object.keys(faults).length > 0;
}

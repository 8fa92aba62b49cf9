import type { Language } from "./words.ts";

const localeOf = (language: Language) => (language === "zh" ? "zh-CN" : "en");

/** `850 ms`, `12 s`, `3 min 20 s`, `1 h 5 min`. */
export function formatDuration(ms: number, language: Language): string {
  const [short, seconds, minutes, hours] = language === "zh" ? ["毫秒", "秒", "分", "小时"] : ["ms", "s", "min", "h"];
  if (ms < 1_000) return `${Math.round(ms)} ${short}`;
  const whole = Math.round(ms / 1_000);
  if (whole < 60) return `${ms < 10_000 ? (ms / 1_000).toFixed(1) : whole} ${seconds}`;
  if (whole < 3_600) return join([Math.floor(whole / 60), minutes], [whole % 60, seconds]);
  return join([Math.floor(whole / 3_600), hours], [Math.floor((whole % 3_600) / 60), minutes]);
}

/** The time that a run takes: in whole seconds while it goes on, so that it does not flicker. */
export function formatElapsed(ms: number, isOver: boolean, language: Language): string {
  return formatDuration(isOver || ms < 1_000 ? ms : Math.floor(ms / 1_000) * 1_000, language);
}

function join(first: readonly [number, string | undefined], second: readonly [number, string | undefined]): string {
  const [amount, unit] = second;
  return amount === 0 ? first.join(" ") : `${first.join(" ")} ${amount} ${unit}`;
}

export function formatNumber(value: number, language: Language): string {
  return value.toLocaleString(localeOf(language));
}

/** `1,549`, `12K`, `200万`: for counts of tokens. */
export function formatCompact(value: number, language: Language): string {
  if (value < 10_000) return formatNumber(value, language);
  return new Intl.NumberFormat(localeOf(language), { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

export function formatMoney(usd: number, language: Language): string {
  const digits = usd > 0 && usd < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(localeOf(language), { style: "currency", currency: "USD", maximumFractionDigits: digits }).format(usd);
}

export function formatTime(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

export function formatClock(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { timeStyle: "medium" }).format(new Date(iso));
}

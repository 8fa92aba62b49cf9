import { serverNow } from "../api/server-clock.ts";
import type { Language } from "./words.ts";

const localeOf = (language: Language) => (language === "zh" ? "zh-CN" : "en");

/** `850 ms`, `12 s`, `3 min 20 s`, `1 h 5 min`. */
export function formatDuration(ms: number, language: Language): string {
  const [short, seconds, minutes, hours] = language === "zh" ? ["毫秒", "秒", "分", "小时"] : ["ms", "s", "min", "h"];
  if (ms < 1_000) return `${Math.round(ms)} ${short}`;
  const whole = Math.round(ms / 1_000);
  if (whole < 60) return `${ms < 10_000 ? Math.round(ms / 100) / 10 : whole} ${seconds}`;
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

/** Names one after another, as both languages write them. */
export function formatList(names: readonly string[], language: Language): string {
  return names.join(language === "zh" ? "、" : ", ");
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

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** `850 byte`, `12.3 MB`. */
export function formatBytes(bytes: number, language: Language): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const format = new Intl.NumberFormat(localeOf(language), { style: "unit", unit: SIZES[power] ?? "byte", maximumFractionDigits: 1 });
  return format.format(bytes / 1_000 ** power);
}

export function formatTime(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

/** A time of today without its day. */
export function formatMoment(iso: string, language: Language): string {
  const at = new Date(iso);
  if (at.toDateString() !== new Date(serverNow()).toDateString()) return formatTime(iso, language);
  return new Intl.DateTimeFormat(localeOf(language), { timeStyle: "short" }).format(at);
}

const DAY_MS = 86_400_000;

/** `today`, `yesterday`, or the date of a day that begins at `midnight`, in milliseconds. */
export function formatDay(midnight: number, language: Language): string {
  // Rounded, because a day of a clock change is an hour longer or shorter.
  const ago = Math.round((new Date(serverNow()).setHours(0, 0, 0, 0) - midnight) / DAY_MS);
  if (ago === 0 || ago === 1) {
    const name = new Intl.RelativeTimeFormat(localeOf(language), { numeric: "auto" }).format(-ago, "day");
    return name.charAt(0).toUpperCase() + name.slice(1);
  }
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: "full" }).format(midnight);
}

export function formatClock(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { timeStyle: "medium" }).format(new Date(iso));
}

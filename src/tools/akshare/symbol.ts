import type { Market, Security } from "./market-data.ts";

/** `600519`, `sh600519`, `600519.SH`, `00700`, `hk00700`, `700.HK`. */
export const SYMBOL = /^(?:(?:[sS][hHzZ]|[bB][jJ])?\d{6}|\d{6}\.(?:[sS][hHzZsS]|[bB][jJ])|(?:[hH][kK])?\d{5}|\d{1,5}\.[hH][kK])$/;

/** The share that a symbol names; null where no exchange gives out such a code. */
export function readSymbol(symbol: string): Security | null {
  const trimmed = symbol.trim();
  if (!SYMBOL.test(trimmed)) return null;
  const digits = trimmed.replaceAll(/\D/g, "");
  const letters = trimmed.replaceAll(/[^a-z]/gi, "").toLowerCase();
  if (letters === "hk" || digits.length < 6) return security(digits.padStart(5, "0"), "hk");
  const market = marketOf(digits);
  const named = letters === "ss" ? "sh" : letters;
  return market === null || (named !== "" && named !== market) ? null : security(digits, market);
}

/** Where a mainland share is listed, by the ranges in which the exchanges give out codes. */
export function marketOf(code: string): Market | null {
  if (/^(?:60[0135]|68[89]|900)\d{3}$/.test(code)) return "sh";
  if (/^(?:00[0-4]|20[0-2]|30[0-2])\d{3}$/.test(code)) return "sz";
  if (/^(?:4[023]\d|8[2378]\d|92\d)\d{3}$/.test(code)) return "bj";
  return null;
}

function security(code: string, market: Market): Security {
  return { code, market, name: null, englishName: null };
}

/** As in `贵州茅台 (600519, Kweichow Moutai)`. */
export function labelOf({ code, name, englishName }: Security): string {
  const english = englishName?.replace(SUFFIX, "").trim();
  return `${name ?? code}${name === null && !english ? "" : ` (${[...(name === null ? [] : [code]), ...(english ? [english] : [])].join(", ")})`}`;
}

/** What says only that a company is one; its full stops would also look like ends of sentences. */
const SUFFIX = /[\s,]+(?:(?:Co|Corp|Inc|Ltd|Limited|Company|Corporation|Group|Holdings?)\b[\s.,]*)+$/i;

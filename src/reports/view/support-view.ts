import {
  type Claim,
  type ReportContent,
  SUPPORT_SIGNS as SIGNS,
  type StruckSentence,
  signedKind,
  splitReason,
} from "../../domain/report.ts";
import { gapAfter } from "../../util/row-text.ts";
import type { Labels } from "../labels.ts";
import { explainReason, reasonInWords, type SupportLabels } from "../support-labels.ts";
import { cleanText, shorten } from "../text.ts";

/** Returns one line: how many sentences have which support, with the signs that stand behind them, and how many were left out and why. */
export function legendOf(content: ReportContent, labels: Labels): string | null {
  const { claims, coverage, struck } = content;
  const leftOut = struck.length > 0 ? struck.length : (coverage.struck ?? 0);
  const counts = isOnlyQuotes(content) ? labels.onlyQuotes(claims.length) : countsLine(claims, labels.support);
  return joinLines([
    ...(claims.length === 0 ? [] : [counts]),
    ...(leftOut > 0 ? [labels.support.leftOut(leftOut, countReasons(struck, labels.support))] : []),
  ]);
}

function joinLines(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.reduce((before, line) => `${before}${gapAfter(before)}${line}`);
}

function countsLine(claims: readonly Claim[], labels: SupportLabels): string {
  if (claims.every(({ support }) => support === null)) {
    return labels.countsBefore(claims.filter(({ supported }) => supported).length, claims.length);
  }
  const { countOf } = labels;
  const signed = (["computed", "confirmed", "paraphrased", "summary"] as const).flatMap((kind) => {
    const count = claims.filter((claim) => signedKind(claim) === kind).length;
    return count === 0 ? [] : [countOf(count, labels.marks[kind], SIGNS[kind])];
  });
  const quoted = claims.filter(({ support }) => support === "quoted").length;
  const unverified = claims.filter(({ support }) => support === "unverified" || support === null).length;
  const kinds = [
    ...(quoted === 0 ? [] : [countOf(quoted, labels.quoted, signed.length === 0 ? "" : labels.noSign)]),
    ...signed,
    ...(unverified === 0 ? [] : [countOf(unverified, labels.unverifiedMany, "")]),
  ];
  return labels.counts(claims.length, kinds.join(labels.separator));
}

/** Whether there are claims, and each is its quotes, one after the other. */
export function isOnlyQuotes({ claims, citations }: ReportContent): boolean {
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  const isQuote = ({ text, citations: ids }: Claim): boolean => ids.length > 0 && ids.map((id) => quotes.get(id)).join("\n") === text;
  return claims.length > 0 && claims.every(isQuote);
}

function countReasons(struck: readonly StruckSentence[], labels: SupportLabels): [string, number][] {
  const byCode = Map.groupBy(struck, ({ reason }) => splitReason(reason).code);
  return [...byCode.values()].map((members) => [cleanText(reasonInWords(members[0]?.reason ?? "", labels)), members.length]);
}

const MAX_STRUCK = 200;

/** Returns the sentences that were left out, each with the reason in words. */
export function struckRows(struck: readonly StruckSentence[], { support, more }: Labels): (readonly [sentence: string, why: string])[] {
  const rows = struck.slice(0, MAX_STRUCK).map(({ text, reason }) => [cleanText(text), cleanText(explainReason(reason, support))] as const);
  return struck.length > MAX_STRUCK ? [...rows, [more(struck.length - MAX_STRUCK), ""]] : rows;
}

const MAX_MISSING_LENGTH = 300;

/** Returns the line that says whether the report answers the question, and what is missing; null if nothing says so. */
export function answersLine({ answers, missing }: Pick<ReportContent, "answers" | "missing">, { support }: Labels): string | null {
  const items = missing.map((item) => shorten(cleanText(item), MAX_MISSING_LENGTH).replace(/[.。;；]$/u, "")).filter((item) => item !== "");
  const missingLine = items.length === 0 ? [] : [support.missing(items.join(support.separator))];
  return joinLines([...(answers === null ? [] : [support.answers[answers]]), ...missingLine]);
}

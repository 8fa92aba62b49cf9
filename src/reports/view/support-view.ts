import { type Claim, type ReportContent, type StruckSentence, splitReason } from "../../domain/report.ts";
import { gapAfter } from "../../util/row-text.ts";
import { SUPPORT_KINDS, supportKind } from "../../util/support-kinds.ts";
import { isOnlyQuotes, isUncited, verdictOf } from "../../words/verdict.ts";
import type { Labels } from "../labels.ts";
import { explainReason, reasonInWords, type SupportLabels } from "../support-labels.ts";
import { cleanText, shorten } from "../text.ts";

/** Returns one line: how many sentences have which support, and how many were left out and why. Where the verdict says it all it has no counts. */
export function legendOf(content: ReportContent, labels: Labels): string | null {
  const { claims, coverage, struck } = content;
  const leftOut = struck.length > 0 ? struck.length : coverage.removed;
  return joinLines([
    ...(claims.length === 0 || isOnlyQuotes(content) || isUncited(content) ? [] : [countsLine(claims, labels.support)]),
    ...(leftOut > 0 ? [labels.support.leftOut(leftOut, countReasons(struck, labels.support))] : []),
  ]);
}

function joinLines(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.reduce((before, line) => `${before}${gapAfter(before)}${line}`);
}

function countsLine(claims: readonly Claim[], labels: SupportLabels): string {
  const counts = SUPPORT_KINDS.map((kind) => [kind, claims.filter((claim) => supportKind(claim) === kind).length] as const);
  const kinds = counts.flatMap(([kind, count]) => (count === 0 ? [] : [labels.countOf(count, labels.kinds[kind])]));
  return labels.counts(claims.length, kinds.join(labels.separator));
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

/** Returns who judged whether the report answers the question and how, and what is missing. */
export function verdictLine(content: ReportContent, language: "en" | "zh", labels: Labels): string {
  const { text } = verdictOf(content, language);
  return joinLines([text, ...missingLine(content, labels)]) ?? text;
}

export function missingLine({ missing }: Pick<ReportContent, "missing">, { support }: Labels): string[] {
  const items = missing.map((item) => shorten(cleanText(item), MAX_MISSING_LENGTH).replace(/[.。;；]$/u, "")).filter((item) => item !== "");
  return items.length === 0 ? [] : [support.missing(items.join(support.separator))];
}

import { type Claim, type ReportContent, SUPPORT_SIGNS as SIGNS, type StruckSentence, splitReason } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { explainReason, reasonInWords, type SupportCounts, type SupportLabels } from "../support-labels.ts";
import { cleanText, shorten } from "../text.ts";
import { type BlockView, gapAfter } from "./block-view.ts";
import { sentencesIn } from "./report-view.ts";

/** Returns one line: how many sentences have which support, and how many were left out and why. Null if there is neither. */
export function legendOf(content: ReportContent, labels: Labels): string | null {
  const { claims, coverage, struck } = content;
  const counts = claims.length === 0 ? [] : [countsLine(claims, labels.support)];
  const leftOut = struck.length > 0 ? struck.length : (coverage.struck ?? 0);
  const isOnlyQuotes = claims.length > 0 && claims.every(isQuoteIn(content));
  return joinLines([
    ...counts,
    ...(isOnlyQuotes ? [labels.onlyQuotes] : []),
    ...(leftOut > 0 ? [labels.support.leftOut(leftOut, countReasons(struck, labels.support))] : []),
  ]);
}

/** What the signs in the report mean, in one line; null if there are none. */
export function keyOf(blocks: readonly BlockView[], { marks, plain, separator }: SupportLabels): string | null {
  const sentences = blocks.flatMap(sentencesIn);
  const used = new Set(sentences.map(({ mark }) => mark?.sign));
  const named = (["computed", "paraphrased", "confirmed", "summary"] as const).filter((kind) => used.has(SIGNS[kind]));
  if (named.length === 0) return null;
  const number = sentences.find(({ mark, citations }) => mark === null && citations.length > 0)?.citations[0]?.number;
  const unsigned = number === undefined ? [] : [`[${number}] ${plain}`];
  return [...unsigned, ...named.map((kind) => `${SIGNS[kind]} ${marks[kind]}`)].join(separator);
}

function joinLines(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.reduce((before, line) => `${before}${gapAfter(before)}${line}`);
}

function countsLine(claims: readonly Claim[], labels: SupportLabels): string {
  if (claims.every(({ support }) => support === null)) {
    return labels.countsBefore(claims.filter(({ supported }) => supported).length, claims.length);
  }
  const count = (holds: (claim: Claim) => boolean): number => claims.filter(holds).length;
  const counts: SupportCounts = {
    sentences: claims.length,
    quoted: count(({ support }) => support === "quoted"),
    computed: count(({ support }) => support === "computed"),
    confirmed: count(({ support, supported }) => support === "paraphrased" && supported),
    paraphrased: count(({ support, supported }) => support === "paraphrased" && !supported),
    summary: count(({ support }) => support === "summary"),
    unverified: count(({ support }) => support === "unverified" || support === null),
  };
  return labels.counts(counts);
}

/** Whether the claim is its quotes, one after the other. */
function isQuoteIn({ citations }: ReportContent): (claim: Claim) => boolean {
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  return ({ text, citations: ids }) => ids.length > 0 && ids.map((id) => quotes.get(id)).join("\n") === text;
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

/** Returns the line that says whether the report answers the question, and what is missing; null if no model said so. */
export function answersLine({ answers, missing }: Pick<ReportContent, "answers" | "missing">, { support }: Labels): string | null {
  const items = missing.map((item) => shorten(cleanText(item), MAX_MISSING_LENGTH).replace(/[.。;；]$/u, "")).filter((item) => item !== "");
  const missingLine = items.length === 0 ? [] : [support.missing(items.join(support.separator))];
  return joinLines([...(answers === null ? [] : [support.answers[answers]]), ...missingLine]);
}

import { leftOutLine, nameFilesOnce } from "../../domain/left-out.ts";
import { FailureCodeSchema, type LedgerEntry, type ReportContent } from "../../domain/report.ts";
import { searchedLines, verdictOf } from "../../words/verdict.ts";
import type { Labels } from "../labels.ts";
import { asSentence, cleanText, shorten } from "../text.ts";
import { mayLack, rulesNotice } from "./ledger-rows.ts";

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 160;
const MAX_REASON_LENGTH = 800;

function isIncomplete({ what, outcome, detail }: LedgerEntry): boolean {
  return outcome === "failed" || (mayLack(what) && detail !== null);
}

/** Says who found no answer, whether nothing was searched, found or read, and what to try. Omits the reason if `missing` has the reasons of todos. */
export function whyNoAnswer(content: ReportContent, language: "en" | "zh", labels: Labels): string[] {
  const why = whyNothing(content, labels);
  return [verdictOf(content, language).text, ...(why === null ? [] : [asSentence(cleanText(why))]), ...searchedLines(content, language)];
}

function whyNothing({ reason: why, missing, sources, ledger }: ReportContent, labels: Labels): string | null {
  const reason = missing.length > 0 ? null : why;
  const searches = ledger.filter(({ what }) => what === "search");
  const failed = searches.filter(({ outcome }) => outcome === "failed");
  if (searches.length === 0) return reason;
  if (sources.length === 0) return failed.length === searches.length ? labels.couldNotLook : labels.nothingFound;
  return sources.every(({ status }) => status === "found" || status === "failed") ? labels.nothingRead : reason;
}

/** Returns a line for each file that was given and not read. */
export function filesNotRead(ledger: readonly LedgerEntry[]): string[] {
  return nameFilesOnce(ledger.filter(({ what }) => what === "file")).map((entry) => cleanText(leftOutLine(entry)));
}

/** Returns a line for each attempt that failed or left something out, besides files. */
export function notReached(ledger: readonly LedgerEntry[], labels: Labels): string[] {
  const lines = [
    ...new Set(ledger.filter((entry) => entry.what !== "file" && isIncomplete(entry)).map((entry) => cleanText(lineOf(entry, labels)))),
  ];
  const rest = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [labels.more(rest)] : [])];
}

function lineOf(entry: LedgerEntry, labels: Labels): string {
  const { what, source, target, outcome, failure, detail } = entry;
  if (what === "model" && target === "form") return rulesNotice(entry, labels);
  if (outcome !== "failed") {
    const looked = what === "download" ? shorten(target, MAX_LINE_LENGTH) : source;
    return `${labels.whatFailed[what]} ${looked}: ${shorten(detail ?? "", MAX_LINE_LENGTH)}`;
  }
  const known = FailureCodeSchema.safeParse(failure);
  const words = known.success ? labels.failures[known.data] : (failure ?? "");
  const own = what === "model" ? labels.modelFailures : what === "tool" ? labels.toolFailures : labels.downloadFailures;
  const why = own[failure ?? ""] ?? words;
  const place = what === "download" ? shorten(target, MAX_LINE_LENGTH) : source;
  const named = what === "model" && source === "model" ? "" : ` ${place}`;
  const showsDetail = detail !== null && (what !== "model" || labels.tellsModelFailures);
  const reason = showsDetail ? ` — ${shorten(detail, MAX_REASON_LENGTH)}` : "";
  return `${labels.whatFailed[what]}${named}: ${why}${reason}`;
}

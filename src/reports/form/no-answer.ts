import type { ReportContent } from "../../domain/ports/report-renderer.ts";
import { FailureCodeSchema, type LedgerEntry } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { cleanText, shorten } from "./clean-text.ts";

/** The most lines of it; the ledger has all. */
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 160;

/** Whether an attempt failed, or left something out of what it looked at. */
function isIncomplete({ what, outcome, detail }: LedgerEntry): boolean {
  return outcome === "failed" || (what === "search" && detail !== null);
}

type Unanswered = Pick<ReportContent, "reason" | "sources" | "ledger" | "unanswered">;

/** Looked and found nothing, could not look, and did not read are different things. Of a plan the list of what is open says why. */
export function whyNoAnswer({ reason: why, unanswered, sources, ledger }: Unanswered, labels: Labels): string[] {
  const reason = unanswered !== undefined && unanswered.length > 0 ? null : why;
  const searches = ledger.filter(({ what }) => what === "search");
  const failed = searches.filter(({ outcome }) => outcome === "failed");
  const verdict = searches.some(isIncomplete) ? labels.noAnswerAsFar : labels.noAnswer;
  if (searches.length === 0 && sources.length === 0) return [labels.notAnswered, ...(reason === null ? [] : [cleanText(reason)])];
  if (searches.length > 0 && failed.length === searches.length && sources.length === 0) return [labels.couldNotLook];
  if (searches.length > 0 && sources.length === 0) return [verdict, labels.nothingFound];
  if (searches.length > 0 && sources.every(({ status }) => status === "found" || status === "failed")) return [labels.nothingRead];
  return reason === null ? [verdict] : [verdict, cleanText(reason)];
}

/** What could not be searched, called or read, and why, line by line; empty where all could be. */
export function notReached(ledger: readonly LedgerEntry[], labels: Labels): string[] {
  const lines = [...new Set(ledger.filter(isIncomplete).map((entry) => cleanText(lineOf(entry, labels))))];
  const rest = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [labels.more(rest)] : [])];
}

function lineOf({ what, source, target, outcome, failure, detail }: LedgerEntry, labels: Labels): string {
  if (outcome !== "failed") return `${labels.whatFailed[what]} ${source}: ${shorten(detail ?? "", MAX_LINE_LENGTH)}`;
  const known = FailureCodeSchema.safeParse(failure);
  const words = known.success ? labels.failures[known.data] : (failure ?? "");
  const own = what === "model" ? labels.modelFailures : what === "tool" ? labels.toolFailures : {};
  const why = own[failure ?? ""] ?? words;
  const place = what === "download" ? shorten(target, MAX_LINE_LENGTH) : source;
  // Of a model that only its server knows by name, the ledger says `model`.
  const named = what === "model" && source === "model" ? "" : ` ${place}`;
  const told = detail !== null && (what !== "model" || labels.tellsModelFailures);
  const said = told ? ` — ${shorten(detail, MAX_LINE_LENGTH)}` : "";
  return `${labels.whatFailed[what]}${named}: ${why}${said}`;
}

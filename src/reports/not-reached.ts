import { FailureCodeSchema, type LedgerEntry } from "../domain/report.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import type { Labels } from "./labels.ts";

/** The most lines of it; the ledger has all. */
const MAX_LINES = 20;

/** Whether an attempt failed, or left something out of what it looked at. */
export function isIncomplete({ what, outcome, detail }: LedgerEntry): boolean {
  return outcome === "failed" || (what === "search" && detail !== null);
}

/** What could not be searched, called or read, and why; nothing where all could be. */
export function notReached(ledger: readonly LedgerEntry[], labels: Labels): string[] {
  const failed = ledger.filter(isIncomplete);
  if (failed.length === 0) return [];
  const lines = [...new Set(failed.map((entry) => lineOf(entry, labels)))];
  const shown = lines.slice(0, MAX_LINES);
  const rest = lines.length - shown.length;
  return [labels.notReached, [...shown, ...(rest > 0 ? [`- ${labels.more(rest)}`] : [])].join("\n")];
}

function lineOf({ what, source, target, outcome, failure, detail }: LedgerEntry, labels: Labels): string {
  if (outcome !== "failed") return `- ${labels.whatFailed[what]} ${escapeMarkdown(source)}: ${escapeMarkdown(shorten(detail ?? ""))}`;
  const known = FailureCodeSchema.safeParse(failure);
  const words = known.success ? labels.failures[known.data] : (failure ?? "");
  const why = what === "model" ? (labels.modelFailures[failure ?? ""] ?? words) : words;
  const place = what === "download" ? shorten(target) : source;
  // Of a model that only its server knows by name, the ledger says `model`.
  const named = what === "model" && source === "model" ? "" : ` ${escapeMarkdown(place)}`;
  const told = detail !== null && (what !== "model" || labels.tellsModelFailures);
  const said = told ? ` — ${escapeMarkdown(shorten(detail))}` : "";
  return `- ${labels.whatFailed[what]}${named}: ${escapeMarkdown(why)}${said}`;
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160).toWellFormed()}…` : text;
}

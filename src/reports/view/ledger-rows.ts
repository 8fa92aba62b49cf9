import type { FailureCode, LedgerEntry } from "../../domain/report.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import type { Labels } from "../labels.ts";
import { cleanText, placeOf, shorten } from "../text.ts";

/** Returns one sentence for each kind of work that rules did because a model failed. */
export function rulesNotices(ledger: readonly LedgerEntry[], labels: Labels): string[] {
  const failed = ledger.filter(({ what, outcome }) => what === "model" && outcome === "failed");
  return [...new Set(failed.map((entry) => rulesNotice(entry, labels)))];
}

export function rulesNotice({ source, target, failure }: LedgerEntry, labels: Labels): string {
  const did = labels.byRules.did[target] ?? labels.byRules.wrote;
  return cleanText(labels.byRules.say(source, labels.modelFailures[failure ?? ""] ?? failure ?? "", did));
}

/** Whether the `detail` of an attempt may say that something is missing: files of a search, pages of a PDF, or what is irrelevant. */
export function mayLack(what: LedgerEntry["what"]): boolean {
  return what === "search" || what === "download" || what === "rerank";
}

const MAX_PLACE_LENGTH = 160;

/** Returns at most `max` rows, without repeats of an attempt, and the number of rows left out. */
export function ledgerRows(entries: readonly LedgerEntry[], max: number, labels: Labels): { rows: string[][]; leftOut: number } {
  const tried = withoutRepeats(entries);
  return { rows: tried.slice(0, max).map((entry) => ledgerRow(entry, labels)), leftOut: Math.max(tried.length - max, 0) };
}

function withoutRepeats(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const known = new Set<string>();
  return entries.filter(({ what, source, target, asked, outcome }) => {
    const place = JSON.stringify([what, source, target, asked]);
    const repeats = outcome === "reused" && known.has(place);
    known.add(place);
    return !repeats;
  });
}

function ledgerRow(entry: LedgerEntry, labels: Labels): string[] {
  const { what, source, target, outcome, failure, detail, results } = entry;
  const isRead = what === "download" && outcome === "found";
  const outcomeText = isRead ? labels.read : ((outcome === "failed" ? insteadOf(entry, labels) : null) ?? labels.outcomes[outcome]);
  const text = failure === null ? outcomeText : `${outcomeText}${labels.colon}${failureInWords(failure, labels)}`;
  const named = what === "download" ? placeOf(target) : target;
  // Brackets in what a model asked for could look like a citation.
  const place = what === "download" ? named : named.replaceAll(/[[\]【】]/g, " ");
  const count = outcome === "found" && !isRead ? labels.inBrackets(`${results}`) : "";
  const leftOut = outcome !== "failed" && mayLack(what) && detail !== null ? `; ${shorten(detail, MAX_PLACE_LENGTH)}` : "";
  const cut = shorten(place, MAX_PLACE_LENGTH);
  // A cut may have opened a code span.
  const short = what === "download" ? cut : stripUnknownAddresses(cut, []);
  const where = what === "search" ? `“${short}”${askedInWords(entry, labels)}` : short;
  return [
    labels.attempts[what],
    cleanText(place === "" ? source : `${source}${labels.colon}${where}`),
    cleanText(`${text}${count}${leftOut}`),
  ];
}

/** Returns what a query asked for beside its words, such as `(papers; in en; from 2025-01-01)`. */
function askedInWords({ asked = {} }: LedgerEntry, { asked: words, comma, support, inBrackets }: Labels): string {
  const { kinds = [], askedGeneral, askedAll, language, from, to, rewritten, unused = [] } = asked;
  const parts = [
    ...(kinds.length > 0 ? [kinds.map((kind) => words.kinds[kind] ?? kind).join(comma)] : []),
    ...(askedGeneral ? [words.askedGeneral] : []),
    ...(askedAll ? [words.askedAll] : []),
    ...(language === undefined ? [] : [words.language(language)]),
    ...(from === undefined ? [] : [words.from(from)]),
    ...(to === undefined ? [] : [words.to(to)]),
    ...(rewritten ? [words.rewritten] : []),
    ...(unused.length > 0 ? [words.unused(unused.map((value) => value.replaceAll(/[[\]【】]/g, " ")))] : []),
  ];
  return parts.length === 0 ? "" : inBrackets(parts.join(support.separator));
}

/** An unknown code of a later version stays as it is. */
function failureInWords(code: string, { failed, failures, toolFailures, downloadFailures, modelFailures }: Labels): string {
  const known = failures[code as FailureCode] ?? toolFailures[code] ?? downloadFailures[code] ?? modelFailures[code];
  return known === undefined ? code : failed(known);
}

function insteadOf({ what, target }: LedgerEntry, labels: Labels): string | null {
  if (what === "model") return target === "form" ? labels.byRules.notFollowed : labels.byRules.outcome;
  if (what === "download") return labels.notRead;
  return what === "rerank" ? labels.byWords : null;
}

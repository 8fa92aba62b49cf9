import type { LedgerEntry } from "../../domain/report.ts";
import type { Labels } from "../labels.ts";
import { cleanText } from "./clean-text.ts";

/** What a model should have done and rules did, each once. */
export function byRules(ledger: readonly LedgerEntry[], labels: Labels): string[] {
  const failed = ledger.filter(({ what, outcome }) => what === "model" && outcome === "failed");
  const told = failed.map(({ source, target, failure }) => {
    const did = labels.byRules.did[target] ?? labels.byRules.wrote;
    return cleanText(labels.byRules.say(source, labels.modelFailures[failure ?? ""] ?? failure ?? "", did));
  });
  return [...new Set(told)];
}

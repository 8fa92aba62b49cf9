import type { Part } from "../../view-model/part.ts";
import { toArray } from "../../view-model/rows.ts";
import type { NodeStep } from "../../view-model/run-view.ts";

/** What is worth a line of its own: neither that nothing was decided, nor a decision that is only the call of a tool, shown as that. */
export function shownParts({ node, parts }: NodeStep): Part[] {
  return toArray(parts).filter((part) => {
    // The report itself stands above the steps.
    if (part.kind === "call") return !part.isReport;
    if (part.kind === "loop-end") return part.rounds > 0;
    if (part.kind !== "decision") return true;
    if (node === "think") return false;
    return part.queries.length > 0 || part.toolCalls.length > 0 || part.toolsOffered.length > 0;
  });
}

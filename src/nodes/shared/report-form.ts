import type { LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/task.ts";

/** Says that the form that the request asks for is not followed, because only a model can. The style `report` is that of rules, too. */
export function formEntries({ models, modelUnpaid, report = {} }: Pick<Task, "models" | "modelUnpaid" | "report">): LedgerEntry[] {
  const { style = "report", instructions } = report;
  const unused = [...(style === "report" ? [] : ["report.style"]), ...(instructions === undefined ? [] : ["report.instructions"])];
  if (models !== null || unused.length === 0) return [];
  const [failure, why] = modelUnpaid
    ? (["model_unpaid", "the request allows no model call (limits.modelCalls)"] as const)
    : (["model_required", "no model is configured"] as const);
  const detail = `Not followed, because ${why}: ${unused.join(", ")}.`;
  return [{ what: "model", source: "model", target: "form", outcome: "failed", results: 0, failure, detail, ms: 0 }];
}

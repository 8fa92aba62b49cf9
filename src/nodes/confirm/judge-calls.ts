import type { Verdict } from "../../domain/tool.ts";
import type { PlannedCall } from "../optional-tool/plan-calls.ts";

type Performed = Extract<PlannedCall, { type: "perform" }>;

/** The calls that would be made and that the user has to agree to, as long as nothing was said to them. */
export function openCalls(planned: readonly PlannedCall[], verdicts: readonly Verdict[]): Performed[] {
  return planned.filter(
    (plan): plan is Performed =>
      plan.type === "perform" && plan.tool.confirm === true && !verdicts.some(({ callId }) => callId === plan.call.id),
  );
}

/** The same calls, without those that the user has to agree to and did not: what nobody was asked about is not made either. */
export function judged(planned: readonly PlannedCall[], verdicts: readonly Verdict[]): PlannedCall[] {
  return planned.map((plan): PlannedCall => {
    if (plan.type !== "perform" || plan.tool.confirm !== true) return plan;
    const verdict = verdicts.find(({ callId }) => callId === plan.call.id);
    if (verdict?.approve === true) return plan;
    const why = verdict === undefined || verdict.reason === "" ? "" : ` The user says: ${verdict.reason}`;
    const message = `${plan.call.name} was not called: the user did not agree to it.${why}`;
    return { type: "refuse", call: plan.call, code: "not_confirmed", message };
  });
}

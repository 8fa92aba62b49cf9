import { flowOf } from "../../../domain/next-action.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { Assessment, AssessmentView } from "../../../domain/ports/research-analyst.ts";
import type { Models } from "../../../domain/request.ts";
import { addressesIn } from "../../../evidence/addresses-in.ts";
import { type AskDeps, askRole } from "./ask-role.ts";
import { EXECUTOR, type ExecutorProps } from "./roles.ts";
import { short, tellFindings } from "./tell.ts";

const MAX_QUERY_LENGTH = 500;
const MAX_SUMMARY_LENGTH = 2_000;

/** What the model of the executor says of a todo; of contradictions `flowOf` makes one answer. */
export async function assessByModel(view: AssessmentView, models: Models, deps: AskDeps, effects: Effects): Promise<Assessment> {
  const { question, todo, round, roundsLeft, findings } = view;
  const { id, description, doneCriteria, keyFacts } = todo;
  const told = await deps.prompts("messages/executor-state", {
    question,
    id,
    description,
    doneCriteria: doneCriteria || "it is answered",
    keyFacts: keyFacts.map((fact) => `- ${fact}`).join("\n") || "none are named",
    round: String(round),
    roundsLeft: String(roundsLeft),
    findings: tellFindings(id, findings),
  });
  const known = [question, description].flatMap(addressesIn);
  return toAssessment(await askRole(EXECUTOR, { view, models, told, known }, deps, effects));
}

function toAssessment({ summary, nextQuery, ...said }: ExecutorProps): Assessment {
  const flow = flowOf(said);
  const query = short(nextQuery ?? "", MAX_QUERY_LENGTH);
  return { ...flow, summary: short(summary, MAX_SUMMARY_LENGTH), nextQuery: flow.shouldContinue && query !== "" ? query : null };
}

import type { ModelView } from "../../../domain/ports/analyst.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { DoneByRules, ResearchAnalyst, Summary, SummaryView } from "../../../domain/ports/research-analyst.ts";
import type { Models } from "../../../domain/request.ts";
import { DossierError } from "../../../errors.ts";
import { orRules } from "../or-rules.ts";
import { writeInManner } from "../write.ts";
import type { AskDeps } from "./ask-role.ts";
import { assessByModel } from "./assess.ts";
import { planByModel } from "./plan.ts";
import { EXECUTOR, JUDGES, type JudgingRole, PLANNER, type ResearchRole, SUMMARY, VERIFIER } from "./roles.ts";
import { summaryManner } from "./summary-manner.ts";
import { verifyByModel } from "./verify.ts";

export interface ModelResearchDeps extends AskDeps {
  /** Plans, judges and sums up where the model cannot. */
  readonly rules: ResearchAnalyst;
  /** Roles that a deployment has added beside JUDGES; a view names the one that judges. */
  readonly judges?: readonly JudgingRole[];
}

/** Research by a model, and by its rules where the run has none or it cannot be had or paid. */
export function createModelResearch(deps: ModelResearchDeps): ResearchAnalyst {
  const { rules } = deps;
  const judges = new Map([...JUDGES, ...(deps.judges ?? [])].map((role) => [role.name, role]));
  return {
    plan(view, effects) {
      const work = { byModel: (models: Models) => planByModel(view, models, deps, effects), byRules: () => rules.plan(view, effects) };
      return modelOrRules(PLANNER, view, work, effects);
    },
    assess(view, effects) {
      const work = { byModel: (models: Models) => assessByModel(view, models, deps, effects), byRules: () => rules.assess(view, effects) };
      return modelOrRules(EXECUTOR, view, work, effects);
    },
    async verify(view, effects) {
      const role = view.models === null ? VERIFIER : judgeNamed(view.role, judges);
      const work = {
        byModel: (models: Models) => verifyByModel(role, view, models, deps, effects),
        byRules: () => rules.verify(view, effects),
      };
      return modelOrRules(role, view, work, effects);
    },
    summarise(view, effects) {
      const byRules = () => rules.summarise(view, effects);
      const work = { byModel: (models: Models) => summariseByModel(view, models, deps, effects), byRules };
      return modelOrRules(SUMMARY, view, work, effects);
    },
  };
}

function judgeNamed(name: string, judges: ReadonlyMap<string, JudgingRole>): JudgingRole {
  const role = judges.get(name);
  if (role === undefined)
    throw new DossierError("internal", `There is no judging role ${name} here; there are: ${[...judges.keys()].join(", ")}.`);
  return role;
}

interface Work<Result> {
  readonly byModel: (models: Models) => Promise<Result>;
  readonly byRules: () => Promise<Result>;
}

function modelOrRules<Result extends DoneByRules>(
  { model: role, stage: node }: Pick<ResearchRole<never>, "model" | "stage">,
  { models }: ModelView,
  { byModel, byRules }: Work<Result>,
  effects: Effects,
): Promise<Result> {
  return models === null ? byRules() : orRules({ role, node, models, byModel: () => byModel(models), byRules }, effects);
}

async function summariseByModel(
  view: SummaryView,
  models: Models,
  { model, prompts, rules }: ModelResearchDeps,
  effects: Effects,
): Promise<Summary> {
  const written = await writeInManner({ view, models, model, manner: summaryManner(view, prompts) }, effects);
  if (written === null) return rules.summarise(view, effects);
  const { draft, unanswered } = written;
  return { ...draft, unanswered };
}

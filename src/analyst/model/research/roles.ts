import type { z } from "zod";
import {
  ExecutorResponseSchema,
  PlannerResponseSchema,
  SummaryResponseSchema,
  VerifierResponseSchema,
} from "../../../domain/components.ts";
import type { ModelRole } from "../../../domain/roles.ts";
import type { ComponentSchema } from "../components/form.ts";

export type PlannerProps = z.infer<typeof PlannerResponseSchema>["props"];
export type ExecutorProps = z.infer<typeof ExecutorResponseSchema>["props"];
export type VerifierProps = z.infer<typeof VerifierResponseSchema>["props"];
export type SummaryProps = z.infer<typeof SummaryResponseSchema>["props"];

/** A role in the research of a question: all that is needed for one. */
export interface ResearchRole<Props> {
  /** By which views name it. */
  readonly name: string;
  /** The template in `prompts/`, with the places systemContext, language and form. */
  readonly prompt: string;
  /** What it answers; its name is that of the form that servers are asked for. */
  readonly component: ComponentSchema<Props>;
  /** Whose model it is asked of. */
  readonly model: ModelRole;
  /** Where in the research it has its turn; names the node that speaks. */
  readonly stage: "plan" | "assess" | "verify" | "summarise";
}

/** What a role must answer that judges; it may say more. */
export type JudgingRole = ResearchRole<VerifierProps>;

export const PLANNER: ResearchRole<PlannerProps> = {
  name: "planner",
  prompt: "planner",
  component: PlannerResponseSchema,
  model: "planner",
  stage: "plan",
};

export const EXECUTOR: ResearchRole<ExecutorProps> = {
  name: "executor",
  prompt: "executor",
  component: ExecutorResponseSchema,
  model: "executor",
  stage: "assess",
};

export const VERIFIER: JudgingRole = {
  name: "verifier",
  prompt: "verifier",
  component: VerifierResponseSchema,
  model: "verifier",
  stage: "verify",
};

export const SUMMARY: ResearchRole<SummaryProps> = {
  name: "summary",
  prompt: "summary",
  component: SummaryResponseSchema,
  model: "summary",
  stage: "summarise",
};

/** The roles that judge, one after another; a todo holds where all of them say so. An entry here is a judge of every deployment. */
export const JUDGES: readonly JudgingRole[] = [VERIFIER];

/** The roles that come along, in the order of their stages; a deployment may add some that judge. */
export const RESEARCH_ROLES = [PLANNER, EXECUTOR, ...JUDGES, SUMMARY] as const;

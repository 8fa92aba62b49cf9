import { z } from "zod";
import type { JudgingRole } from "../../src/analyst/research-roles.ts";
import { VerifierResponseSchema } from "../../src/domain/components.ts";
import type { Role } from "../../src/domain/roles.ts";

/** A role that a deployment adds: an entry, a judging role with its own schema, which has more fields than a verifier's, and a prompt. */
export const REVIEWER_ENTRY: Role = {
  does: "reviews after the verifier whether sources are good enough",
  placeholders: ["language", "form", "systemContext"],
  messages: {},
};

export const REVIEWER: JudgingRole = {
  name: "reviewer",
  component: z.object({
    type: z.literal("component"),
    component: z.literal("reviewer-response"),
    props: VerifierResponseSchema.shape.props.extend({ risk: z.enum(["low", "high"]) }),
  }),
  model: "verifier",
  stage: "verify",
};

export const REVIEWER_PROMPT =
  "You review what others have verified. Write in {{language}}.\n\nAnswer in this form:\n{{form}}\n\n{{systemContext}}\n";

import type { z } from "zod";
import type { ChatMessage } from "../domain/chat.ts";
import { ExecutorResponseSchema, PlannerResponseSchema, VerifierResponseSchema } from "../domain/components.ts";
import type { QuestionView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { Models } from "../domain/request.ts";
import type { ModelRole } from "../domain/roles.ts";
import { DossierError } from "../errors.ts";
import { askAgain, callModel, FINAL_FAULTS, type ModelDeps, promptOf } from "../writing/call-model.ts";
import { ComponentDisplay } from "../writing/components/component-display.ts";
import { type ComponentSchema, createPropFilter, formatOf, readComponent, readPartial } from "../writing/components/read-component.ts";

export type PlannerProps = z.infer<typeof PlannerResponseSchema>["props"];
export type ExecutorProps = z.infer<typeof ExecutorResponseSchema>["props"];
export type VerifierProps = z.infer<typeof VerifierResponseSchema>["props"];

export interface ResearchRole<Props> {
  /** Also that of its template. */
  readonly name: string;
  readonly component: ComponentSchema<Props>;
  readonly model: ModelRole;
  readonly stage: "plan" | "assess" | "verify";
}

export type JudgingRole = ResearchRole<VerifierProps>;

const role = <Props, Name extends ModelRole>(name: Name, stage: ResearchRole<Props>["stage"], component: ComponentSchema<Props>) =>
  ({ name, component, model: name, stage }) satisfies ResearchRole<Props>;

export const PLANNER = role("planner", "plan", PlannerResponseSchema);
export const EXECUTOR = role("executor", "assess", ExecutorResponseSchema);
export const VERIFIER: JudgingRole = role("verifier", "verify", VerifierResponseSchema);

/** The judges in order. A todo is done if all of them agree. */
export const JUDGES: readonly JudgingRole[] = [VERIFIER];

const MAX_OUTPUT_TOKENS = 4_000;

interface RoleRequest<Props> {
  readonly view: QuestionView;
  readonly models: Models;
  readonly userMessage: string;
  readonly known: readonly string[];
  /** Returns a fault of props that fit the schema, as a sentence for the model, or null. */
  readonly findFault?: (props: Props) => string | null;
}

/**
 * Asks a role and returns the props of its component. Shows the props while they grow, without unknown addresses. The model may correct an
 * unusable answer once. The last unusable answer is shown as plain text.
 * @throws DossierError `model_output` if no answer is usable; the errors of `complete`
 */
export async function askRole<Props>(
  role: ResearchRole<Props>,
  request: RoleRequest<Props>,
  { model, prompts }: ModelDeps,
  effects: Effects,
): Promise<Props> {
  const { view, models, userMessage, known, findFault = () => null } = request;
  const format = formatOf(role.component);
  const readText = createPropFilter(known);
  const place = { name: format.name, node: role.stage, read: (text: string) => readPartial(text, format.name, readText) };
  const shown = new ComponentDisplay(place, effects);
  const asking = {
    ...{ view, models, known, role: role.model, node: role.stage, since: effects.now(), maxOutputTokens: MAX_OUTPUT_TOKENS },
    // The executor assesses a todo after its text is written, so it may use the budget reserved for writing.
    purpose: role.stage === "assess" ? "write" : "gather",
    schema: { name: format.name, schema: format.wire },
    onContent: (piece: string) => shown.push(piece),
    restart: () => shown.restart("Text shown so far, if any, is taken back."),
  } as const;
  const messages = await promptOf(role.name, view, userMessage, prompts, { form: format.sketch });
  const ask = async (own: readonly ChatMessage[]) => {
    const reply = await callModel({ ...asking, messages: own }, model, effects);
    const read = readComponent(reply.content, format, readText, reply.finishReason !== "stop");
    const fault = read.ok ? findFault(read.props) : null;
    const reading: typeof read = fault === null ? read : { ok: false, fault, cut: false };
    return { reply, reading };
  };
  let { reply, reading } = await ask(messages);
  if (!reading.ok && FINAL_FAULTS[reply.finishReason] === undefined) {
    shown.restart("The answer cannot be used as it is; the model corrects it.");
    try {
      ({ reply, reading } = await ask(await askAgain(messages, reply, "component-correction", reading.fault, prompts)));
    } catch (thrown) {
      shown.showAsText(reply.content, known);
      throw thrown;
    }
  }
  if (reading.ok) {
    shown.end(reading.written);
    return reading.props;
  }
  const message = `The ${role.name}'s answer cannot be used: ${reading.fault}`;
  throw new DossierError("model_output", shown.showAsText(reply.content, known) ? `${message} It is shown as text.` : message);
}

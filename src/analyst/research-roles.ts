import type { z } from "zod";
import { type ChatMessage, type ChatReply, textRequest } from "../domain/chat.ts";
import { ExecutorResponseSchema, PlannerResponseSchema, VerifierResponseSchema } from "../domain/components.ts";
import type { JsonValue } from "../domain/json.ts";
import type { QuestionView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import { type Models, modelOf } from "../domain/request.ts";
import type { ModelRole } from "../domain/roles.ts";
import { DossierError } from "../errors.ts";
import { languageName } from "../ranking/language.ts";
import { callOptions } from "../writing/call-options.ts";
import { type ComponentSchema, formatOf } from "../writing/components/component-format.ts";
import { createPropFilter } from "../writing/components/prop-text.ts";
import { type ComponentReading, readComponent } from "../writing/components/read-component.ts";
import { ComponentDisplay } from "../writing/components/shown-component.ts";
import { lastTurns } from "../writing/prompt-text.ts";
import type { ModelDeps } from "../writing/rules-fallback.ts";

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

const MAX_FAULTY = 8_000;
const MAX_OUTPUT_TOKENS = 4_000;

interface RoleRequest<Props> {
  readonly view: QuestionView;
  readonly models: Models;
  readonly userMessage: string;
  readonly known: readonly string[];
  /** Returns a fault of props that fit the schema, as a sentence for the model, or null. */
  readonly findFault?: (props: Props) => string | null;
}

interface Answer<Props> {
  readonly reply: ChatReply;
  readonly reading: ComponentReading<Props>;
}

/**
 * Asks a role and returns the props of its component. Shows the props while they grow, without unknown addresses. The model may correct an
 * unusable answer once. The last unusable answer is shown as plain text.
 * @throws DossierError `model_output` if no answer is usable; the errors of `complete`
 */
export async function askRole<Props>(
  role: ResearchRole<Props>,
  request: RoleRequest<Props>,
  deps: ModelDeps,
  effects: Effects,
): Promise<Props> {
  const { view, models, userMessage, known, findFault } = request;
  const format = formatOf(role.component);
  const readText = () => createPropFilter(known);
  const shown = new ComponentDisplay({ node: role.stage, format, readText }, effects);
  const since = effects.now();
  const places = { language: languageName(view), today: view.today, systemContext: view.systemContext, form: format.sketch };
  const messages: ChatMessage[] = [
    { role: "system", content: await deps.prompts(role.name, places, view.prompts) },
    ...lastTurns(view.history),
    { role: "user", content: userMessage },
  ];
  // The executor assesses a todo after its text is written, so it may use the budget reserved for writing.
  const purpose = role.stage === "assess" ? "write" : "gather";
  const maxOutputTokens = Math.min(models.maxOutputTokens, MAX_OUTPUT_TOKENS);
  const ask = async (more: readonly ChatMessage[]): Promise<Answer<Props>> => {
    const schema = { name: format.name, schema: format.wire };
    const options = {
      ...callOptions({ node: role.stage, purpose, view, models, known, usedMs: effects.elapsedMs(since) }),
      onContent: (piece: string) => shown.push(piece),
      restart: () => shown.restart("Text shown so far, if any, is taken back."),
    };
    const asked = textRequest(modelOf(models, role.model), [...messages, ...more], maxOutputTokens, schema);
    const reply = await deps.model.complete(asked, options, effects);
    const reading = readComponent(reply.content, format, readText(), reply.finishReason !== "stop");
    const fault = reading.ok ? (findFault?.(reading.props) ?? null) : null;
    return { reply, reading: fault === null ? reading : { ok: false, fault, cut: false } };
  };
  const { reply, reading } = await askTwice(ask, shown, known, deps.prompts);
  if (reading.ok) {
    shown.end(reading.props as JsonValue);
    return reading.props;
  }
  const message = `The ${role.name}'s answer cannot be used: ${reading.fault}`;
  throw new DossierError("model_output", shown.showAsText(reply.content, known) ? `${message} It is shown as text.` : message);
}

/** Returns the first answer if it can be used, or if a second one would be no better. */
async function askTwice<Props>(
  ask: (more: readonly ChatMessage[]) => Promise<Answer<Props>>,
  shown: ComponentDisplay,
  known: readonly string[],
  prompts: RenderPrompt,
): Promise<Answer<Props>> {
  const first = await ask([]);
  const { content, finishReason } = first.reply;
  if (first.reading.ok || finishReason === "content_filter" || finishReason === "repetition") return first;
  shown.restart("The answer cannot be used as it is; the model corrects it.");
  try {
    const correction = await prompts("messages/component-correction", { faults: first.reading.fault });
    // Some servers refuse an empty message.
    const faulty = content.slice(0, MAX_FAULTY).toWellFormed().trim() || "(empty)";
    return await ask([
      { role: "assistant", content: faulty, toolCalls: [] },
      { role: "user", content: correction },
    ]);
  } catch (thrown) {
    shown.showAsText(content, known);
    throw thrown;
  }
}

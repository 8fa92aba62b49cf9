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
import { type ComponentFormat, type ComponentSchema, formatOf } from "../writing/components/component-format.ts";
import { createPropFilter } from "../writing/components/prop-text.ts";
import { type ComponentReading, readComponent } from "../writing/components/read-component.ts";
import { ComponentDisplay } from "../writing/components/shown-component.ts";
import { lastTurns } from "../writing/prompt-text.ts";
import type { ModelDeps } from "../writing/rules-fallback.ts";

export type PlannerProps = z.infer<typeof PlannerResponseSchema>["props"];
export type ExecutorProps = z.infer<typeof ExecutorResponseSchema>["props"];
export type VerifierProps = z.infer<typeof VerifierResponseSchema>["props"];

export interface ResearchRole<Props> {
  readonly name: string;
  readonly prompt: string;
  readonly component: ComponentSchema<Props>;
  readonly model: ModelRole;
  readonly stage: "plan" | "assess" | "verify";
}

export type JudgingRole = ResearchRole<VerifierProps>;

const role = <Props, Name extends ModelRole>(name: Name, stage: ResearchRole<Props>["stage"], component: ComponentSchema<Props>) =>
  ({ name, prompt: name, component, model: name, stage }) satisfies ResearchRole<Props>;

export const PLANNER = role("planner", "plan", PlannerResponseSchema);
export const EXECUTOR = role("executor", "assess", ExecutorResponseSchema);
export const VERIFIER: JudgingRole = role("verifier", "verify", VerifierResponseSchema);

/** The judges in order. A todo is done if all of them agree. */
export const JUDGES: readonly JudgingRole[] = [VERIFIER];

const MAX_FAULTY = 8_000;
const MAX_OUTPUT_TOKENS = 4_000;

interface RoleRequest<Props = never> {
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
  { findFault, ...request }: RoleRequest<Props>,
  deps: ModelDeps,
  effects: Effects,
): Promise<Props> {
  const format = formatOf(role.component);
  const readText = () => createPropFilter(request.known);
  const shown = new ComponentDisplay({ node: role.stage, format, readText }, effects);
  const since = effects.now();
  const ask = async (messages: readonly ChatMessage[]): Promise<Answer<Props>> => {
    const reply = await complete(role, { ...request, messages, format, shown, since }, deps, effects);
    const reading = readComponent(reply.content, format, readText(), reply.finishReason !== "stop");
    const fault = reading.ok ? (findFault?.(reading.props) ?? null) : null;
    return { reply, reading: fault === null ? reading : { ok: false, fault, cut: false } };
  };
  const messages = await firstMessages(role.prompt, format.sketch, request, deps);
  const first = await ask(messages);
  const correct = async (fault: string): Promise<Answer<Props>> => {
    shown.restart("The answer cannot be used as it is; the model corrects it.");
    try {
      return await ask(await correctionOf(messages, first.reply.content, fault, deps.prompts));
    } catch (thrown) {
      shown.showAsText(first.reply.content, request.known);
      throw thrown;
    }
  };
  const isFinal = first.reply.finishReason === "content_filter" || first.reply.finishReason === "repetition";
  const answer = first.reading.ok || isFinal ? first : await correct(first.reading.fault);
  if (answer.reading.ok) {
    shown.end(answer.reading.props as JsonValue);
    return answer.reading.props;
  }
  const message = `The ${role.name}'s answer cannot be used: ${answer.reading.fault}`;
  throw new DossierError(
    "model_output",
    shown.showAsText(answer.reply.content, request.known) ? `${message} It is shown as text.` : message,
  );
}

interface Answer<Props> {
  readonly reply: ChatReply;
  readonly reading: ComponentReading<Props>;
}

async function correctionOf(
  messages: readonly ChatMessage[],
  answer: string,
  faults: string,
  prompts: RenderPrompt,
): Promise<ChatMessage[]> {
  // Some servers refuse an empty message.
  const content = answer.slice(0, MAX_FAULTY).toWellFormed().trim() || "(empty)";
  const correction = await prompts("messages/component-correction", { faults });
  return [...messages, { role: "assistant", content, toolCalls: [] }, { role: "user", content: correction }];
}

async function firstMessages(
  prompt: string,
  sketch: string,
  { view, userMessage }: RoleRequest,
  { prompts }: ModelDeps,
): Promise<ChatMessage[]> {
  const places = { language: languageName(view), today: view.today, systemContext: view.systemContext, form: sketch };
  return [
    { role: "system", content: await prompts(prompt, places, view.prompts) },
    ...lastTurns(view.history),
    { role: "user", content: userMessage },
  ];
}

interface Call extends RoleRequest {
  readonly messages: readonly ChatMessage[];
  readonly format: ComponentFormat<unknown>;
  readonly shown: ComponentDisplay;
  /** The time of the run clock at the first request. */
  readonly since: number;
}

function complete(
  role: ResearchRole<unknown>,
  { view, models, known, messages, format, shown, since }: Call,
  { model }: ModelDeps,
  effects: Effects,
) {
  const maxOutputTokens = Math.min(models.maxOutputTokens, MAX_OUTPUT_TOKENS);
  const request = textRequest(modelOf(models, role.model), messages, maxOutputTokens, { name: format.name, schema: format.wire });
  // The executor assesses a todo after its text is written, so it may use the budget reserved for writing.
  const purpose = role.stage === "assess" ? "write" : "gather";
  const options = {
    ...callOptions({ node: role.stage, purpose, view, models, known, usedMs: effects.elapsedMs(since) }),
    onContent: (piece: string) => shown.push(piece),
    restart: () => shown.restart("Text shown so far, if any, is taken back."),
  };
  return model.complete(request, options, effects);
}

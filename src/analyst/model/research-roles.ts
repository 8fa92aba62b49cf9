import type { z } from "zod";
import type { ChatMessage, ChatReply, ChatRequest } from "../../domain/chat.ts";
import { ExecutorResponseSchema, PlannerResponseSchema, SummaryResponseSchema, VerifierResponseSchema } from "../../domain/components.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { ChatModel, RenderPrompt } from "../../domain/ports/models.ts";
import type { ResearchView } from "../../domain/ports/research-analyst.ts";
import { type Models, modelOf } from "../../domain/request.ts";
import type { ModelRole } from "../../domain/roles.ts";
import { DossierError } from "../../errors.ts";
import { createOutputFilter } from "../../evidence/sanitize-output.ts";
import { languageName } from "../../ranking/language.ts";
import { type ComponentSchema, type Form, formOf } from "./components/form.ts";
import { type ComponentReading, readComponent } from "./components/read-component.ts";
import { readShownText, ShownComponent } from "./components/shown-component.ts";
import { lastTurns } from "./prompt-text.ts";

export type PlannerProps = z.infer<typeof PlannerResponseSchema>["props"];
export type ExecutorProps = z.infer<typeof ExecutorResponseSchema>["props"];
export type VerifierProps = z.infer<typeof VerifierResponseSchema>["props"];
type SummaryProps = z.infer<typeof SummaryResponseSchema>["props"];

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

/** Of a faulty answer, what goes back to the model. */
const MAX_FAULTY = 8_000;
/** What a plan or a verdict may take. */
const MAX_OUTPUT_TOKENS = 4_000;

interface Asked<Props = never> {
  readonly view: ResearchView;
  readonly models: Models;
  /** The message that says what there is to judge. */
  readonly told: string;
  /** The id of the todo that it is asked about, where it is one. */
  readonly about?: string;
  /** The addresses that its texts may name. */
  readonly known: readonly string[];
  /** What keeps props of the right form from being used, in words that the model can use; null where nothing does. */
  readonly faultOf?: (props: Props) => string | null;
}

export interface AskDeps {
  readonly model: ChatModel;
  readonly prompts: RenderPrompt;
}

/**
 * What the model of a role answers, as the props of its component. Readers see the component grow, of its texts only what has no address
 * that is not known, and the very same props are returned. An answer that cannot be used goes back once; a second one is shown as the text
 * that it is.
 * @throws DossierError `model_output` then; whatever `complete` throws
 */
export async function askRole<Props>(
  role: ResearchRole<Props>,
  { faultOf, ...asked }: Asked<Props>,
  deps: AskDeps,
  effects: Effects,
): Promise<Props> {
  const form = { ...formOf(role.component), ...(asked.about !== undefined && { about: asked.about }) };
  const readText = () => readShownText(asked.known);
  const shown = new ShownComponent({ node: role.stage, form, readText }, effects);
  const since = effects.now();
  const ask = async (messages: readonly ChatMessage[]): Promise<Answer<Props>> => {
    const reply = await complete(role, { ...asked, messages, form, shown, since }, deps, effects);
    const reading = readComponent(reply.content, form, readText(), reply.finishReason !== "stop");
    const fault = reading.ok ? (faultOf?.(reading.props) ?? null) : null;
    return { reply, reading: fault === null ? reading : { ok: false, fault, cut: false } };
  };
  const messages = await openingOf(role, form, asked, deps);
  const first = await ask(messages);
  const answer =
    first.reading.ok || isHopeless(first.reply) ? first : await correct(first, { messages, ask, shown, known: asked.known, deps });
  if (answer.reading.ok) {
    shown.end(answer.reading.props as JsonValue);
    return answer.reading.props;
  }
  const told = `The ${role.name}'s answer cannot be used: ${answer.reading.fault}`;
  throw new DossierError("model_output", shown.giveUp(answer.reply.content, asked.known) ? `${told} It is shown as text.` : told);
}

interface Answer<Props> {
  readonly reply: ChatReply;
  readonly reading: ComponentReading<Props>;
}

interface Correcting<Props> {
  readonly messages: readonly ChatMessage[];
  readonly ask: (messages: readonly ChatMessage[]) => Promise<Answer<Props>>;
  readonly shown: ShownComponent;
  readonly known: readonly string[];
  readonly deps: AskDeps;
}

async function correct<Props>(first: Answer<Props>, { messages, ask, shown, known, deps }: Correcting<Props>): Promise<Answer<Props>> {
  const fault = first.reading.ok ? "" : first.reading.fault;
  shown.restart("The answer cannot be used as it is; the model corrects it.");
  const correction: ChatMessage[] = [
    ...messages,
    // An empty message is refused by some servers.
    { role: "assistant", content: first.reply.content.slice(0, MAX_FAULTY).toWellFormed().trim() || "(empty)", toolCalls: [] },
    { role: "user", content: await deps.prompts("messages/component-correction", { faults: fault }) },
  ];
  try {
    return await ask(correction);
  } catch (thrown) {
    shown.giveUp(first.reply.content, known);
    throw thrown;
  }
}

async function openingOf(
  role: ResearchRole<unknown>,
  form: Form<unknown>,
  { view, told }: Asked,
  { prompts }: AskDeps,
): Promise<ChatMessage[]> {
  const places = { language: languageName(view), systemContext: view.systemContext, form: form.sketch };
  return [{ role: "system", content: await prompts(role.prompt, places) }, ...lastTurns(view.history), { role: "user", content: told }];
}

interface Call extends Asked {
  readonly messages: readonly ChatMessage[];
  readonly form: Form<unknown>;
  readonly shown: ShownComponent;
  /** The run's clock when the role was first asked. */
  readonly since: number;
}

function complete(
  role: ResearchRole<unknown>,
  { view, models, known, messages, form, shown, since }: Call,
  { model }: AskDeps,
  effects: Effects,
) {
  const request: ChatRequest = {
    model: modelOf(models, role.model),
    messages,
    tools: [],
    toolChoice: "none",
    schema: { name: form.name, schema: form.wire },
    maxOutputTokens: Math.min(models.maxOutputTokens, MAX_OUTPUT_TOKENS),
    stopTools: [],
  };
  const options = {
    // A todo is judged once it is written: nothing of its share has to be kept for that.
    ...{ node: role.stage, limits: view.limits, models, purpose: role.stage === "assess" ? ("write" as const) : ("gather" as const) },
    ...(view.timeoutMs !== undefined && { timeoutMs: view.timeoutMs - effects.elapsedMs(since) }),
    shown: { reasoning: () => createOutputFilter(known), known },
    onContent: (piece: string) => shown.push(piece),
    restart: () => shown.restart("What it had answered is taken back."),
  };
  return model.complete(request, options, effects);
}

/** Ends of an answer after which another one would be no better. */
function isHopeless({ finishReason }: ChatReply): boolean {
  return finishReason === "content_filter" || finishReason === "repetition";
}

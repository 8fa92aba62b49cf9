import type { AIMessageChunk } from "@langchain/core/messages";
import { type ChatDelta, type ChatReply, type ChatRequest, estimateInput } from "../domain/chat.ts";
import type { KeptReplies } from "../domain/ports/effects.ts";
import { DossierError, type ErrorCode } from "../errors.ts";
import { createTurns } from "../util/turns.ts";
import { ReplyAssembler } from "./assemble-reply.ts";
import { retryDelayOf, type TryClock } from "./backoff.ts";
import { AttachedFields } from "./compat/attached.ts";
import { compatFetch } from "./compat/fetch.ts";
import { DeltaGatherer } from "./delta-pieces.ts";
import { Exchange, type Fetch, type ModelEndpoint } from "./exchange.ts";
import { type Form, inForm, type KnownModels, keepAttached, mayRefuseForm, simplerForms, withSchemaInText } from "./ladder.ts";
import { attachedByClass, readChunk, toLangChain } from "./langchain-messages.ts";
import type { ModelClass, Provider } from "./providers.ts";
import { connectionFailure, contextTooLarge, failureOf, isUnreached, refusalIn, refusalOf } from "./read-failure.ts";
import { type CountedPrompt, cutAt, refusedSize } from "./sizes.ts";

/** Where the calls to one model go. */
export interface Target {
  readonly provider: Provider;
  readonly modelClass: ModelClass;
  readonly endpoint: ModelEndpoint;
  readonly model: string;
}

export interface AskContext {
  readonly target: Target;
  readonly known: KnownModels;
  readonly clock: TryClock;
  /** Aborted by the run and by the clock. */
  readonly signal: AbortSignal;
  readonly push: (delta: ChatDelta) => void;
  readonly onWait: (ms: number) => void;
  readonly replies: KeptReplies;
  /** The context that the run counts on, for servers that want to be told. */
  readonly contextTokens: number;
  /** How many tries of the call have failed. */
  readonly failed: number;
}

const ANSWER = "answer";

/** What belongs to one model at one server. */
export function placeOf({ endpoint, model }: Pick<Target, "endpoint" | "model">): string {
  return `${new URL(endpoint.baseUrl).host} ${model}`;
}

/**
 * Asks the model, and again in simpler forms as long as its server refuses. @throws DossierError `interrupted` if a simpler form is to be
 * tried but a part of an answer has been shown; `model_unavailable` if another try may help; `model_refused`, `context_too_large`, `timeout`
 */
export async function askModel(request: ChatRequest, context: AskContext): Promise<ChatReply> {
  const reply = await askInForms(request, context);
  const { inputTokens: reported, estimated } = reply.usage;
  if (!estimated) checkPrompt({ estimated: estimateInput(request), reported }, context);
  return reply;
}

async function askInForms(asked: ChatRequest, context: AskContext): Promise<ChatReply> {
  const { known } = context;
  const place = placeOf(context.target);
  const kept = context.replies.take(ANSWER);
  // A kept answer is read in the form in which it was asked for.
  let form: Form | null = kept === null ? known.of(place).form : (kept.head as unknown as Form);
  let request = asked;
  let refused = new DossierError("internal", "The model was not asked.");
  let sizes = 0;
  const simpler = simplerForms(request, form);
  const bodies = kept === null ? [] : [kept.body];
  while (form !== null) {
    const attempt: Attempt = new Attempt(request, form, context, bodies.pop() ?? null);
    try {
      const reply = await attempt.ask();
      known.learn(place, { form, hopeless: false });
      return reply;
    } catch (error) {
      context.signal.throwIfAborted();
      const { failure, size, mayBeForm } = attempt.failureOf(error);
      if (size !== null && sizes < MAX_SIZES) {
        request = { ...request, maxOutputTokens: size };
        sizes += 1;
      } else if (!mayBeForm) throw failure;
      else {
        if (refused.code === "internal") refused = failure;
        form = known.of(place).hopeless ? null : (simpler.shift() ?? null);
      }
      if (!attempt.hasShown || form === null) continue;
      // The next try begins with the simpler form, and readers are told to drop what they saw.
      known.learn(place, { form });
      throw new DossierError("interrupted", `${failure.message} It is asked again in a simpler form.`);
    }
  }
  known.learn(place, { hopeless: true });
  throw finalRefusal(refused, request, known.of(place).prompts);
}

/** The prompts whose counts are compared. */
const MAX_PROMPTS = 8;

/** Some servers cut a prompt at their own context without a word. Their count of it tells. @throws DossierError `context_too_large` */
function checkPrompt(prompt: CountedPrompt, { known, target }: AskContext): void {
  const place = placeOf(target);
  const { prompts } = known.of(place);
  const cut = cutAt(prompt, prompts);
  known.learn(place, { prompts: [...prompts, prompt].slice(-MAX_PROMPTS), ...(typeof cut === "number" && { contextTokens: cut }) });
  if (cut === null) return;
  const why = `The server of ${target.model} read ${prompt.reported} tokens of a prompt of about ${prompt.estimated} and said nothing of the rest.`;
  throw contextTooLarge(why, cut === "suspected" ? null : cut);
}

/** How many smaller output limits are tried. */
const MAX_SIZES = 3;

/** In tokens. A shorter prompt is refused for another reason than its length. */
const LONG_PROMPT = 2_000;

/** A refusal in every form may be one of a prompt that is longer than those that the model took: some servers name no number. */
function finalRefusal(refused: DossierError, request: ChatRequest, taken: readonly CountedPrompt[]): DossierError {
  const length = estimateInput(request);
  const isLongest = length > LONG_PROMPT && taken.every(({ estimated }) => estimated < length);
  return isLongest && refused.code === "model_refused" ? contextTooLarge(refused.message, null) : refused;
}

/** Refusals that name another reason than a form. */
const OTHER_REASONS: readonly ErrorCode[] = ["context_too_large", "model_output"];

/** LangChain's words. */
const CHOICES = { auto: {}, none: { tool_choice: "none" }, required: { tool_choice: "any" } } as const;

/** One request to the model's server, in one form. */
class Attempt {
  hasShown = false;
  /** As it is sent. */
  readonly #request: ChatRequest;
  readonly #form: Form;
  readonly #context: AskContext;
  readonly #exchange: Exchange;
  readonly #abort = new AbortController();
  readonly #assembler: ReplyAssembler;
  readonly #attached = new AttachedFields();

  constructor(request: ChatRequest, form: Form, context: AskContext, kept: Uint8Array | null) {
    const { replies, target, signal } = context;
    const { provider } = target;
    this.#form = form;
    this.#context = context;
    this.#assembler = new ReplyAssembler(request, { toolsInText: form.includes("toolsInText") });
    // A server gets back only what it attached itself.
    const simpler = inForm(
      keepAttached(request, ({ from }) => from === placeOf(target)),
      form,
    );
    this.#request = provider.schema === undefined ? withSchemaInText(simpler) : simpler;
    const keep = (body: Uint8Array): void => replies.keep(ANSWER, { head: [...form], body });
    this.#exchange = new Exchange(target.endpoint, AbortSignal.any([signal, this.#abort.signal]), { kept, keep });
  }

  async ask(): Promise<ChatReply> {
    const { target, clock, signal } = this.#context;
    const assembler = this.#assembler;
    const turn = createTurns(signal);
    const gatherer = new DeltaGatherer((delta) => this.#show(delta), turn, target.endpoint.secrets);
    try {
      clock.requestSent();
      const chunks = (await this.#stream())[Symbol.asyncIterator]();
      // No `for await`: some classes wait for the server's end before they leave such a loop.
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        await turn();
        this.#attached.add({ attached: attachedByClass(next.value), calls: [] });
        await gatherer.add(assembler.push(readChunk(next.value)));
        if (assembler.hasBegun) clock.pieceReceived();
        if (assembler.endedEarly) break;
      }
      if (!assembler.endedEarly) this.#checkEnd();
      await turn();
      const { delta, reply } = assembler.end();
      await gatherer.add(delta);
      gatherer.end();
      return this.#withAttached({ ...reply, model: reply.model || target.model });
    } finally {
      gatherer.stop();
      // Closes a response that was not read to its end.
      this.#abort.abort();
    }
  }

  /** Reads the server's own answer rather than the error that a library made of it. `size` is a smaller output limit to ask with. */
  failureOf(error: unknown): { failure: DossierError; size: number | null; mayBeForm: boolean } {
    const { target, onWait, known, failed } = this.#context;
    const broken = this.#exchange.failure ?? (isUnreached(error) || error instanceof DossierError ? error : null);
    if (this.#exchange.refusal === null && broken !== null)
      return { failure: connectionFailure(broken, target.endpoint, target.provider.variable), size: null, mayBeForm: false };
    const said = this.#exchange.refusal ?? refusalIn(this.#exchange.lastLine);
    const refusal = said ?? refusalOf(error);
    const wait = retryDelayOf(refusal.headers, Date.now());
    if (wait !== null) onWait(wait);
    const size = refusedSize(refusal, this.#request);
    if (size?.of === "context" && size.tokens !== null) known.learn(placeOf(target), { contextTokens: size.tokens });
    const failure = failureOf(refusal, target, size);
    // An answer that breaks off was not refused, and the errors of a class without our fetch may be those of a connection.
    const isBroken = said === null && this.#assembler.hasBegun;
    const mayPass = this.#assembler.hasBegun || target.provider.ownNetwork === true;
    const mayBeForm = !isBroken && mayRefuseForm(refusal.status, { failed, mayPass }) && !OTHER_REASONS.includes(failure.code);
    return { failure, size: size?.of === "output" ? size.tokens : null, mayBeForm };
  }

  #show(delta: ChatDelta): void {
    this.hasShown = true;
    this.#context.push(delta);
  }

  async #stream(): Promise<AsyncIterable<AIMessageChunk>> {
    const { target, contextTokens } = this.#context;
    const { provider, modelClass: Class, endpoint, model } = target;
    const { messages, tools, toolChoice, schema, maxOutputTokens: maxTokens } = this.#request;
    const { baseUrl, apiKey } = endpoint;
    const fetch = provider.compatible ? this.#compatFetch() : this.#exchange.fetch;
    const chat = new Class(provider.fields({ model, maxTokens, contextTokens, apiKey, baseUrl, fetch }));
    provider.prepare?.(chat);
    const options = { signal: this.#exchange.signal, ...(schema !== null && provider.schema?.(schema)) };
    const functions = tools.map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }));
    const bound = functions.length === 0 ? chat : chat.bindTools?.(functions, CHOICES[toolChoice]);
    return ((bound ?? chat) as typeof chat).stream(toLangChain(messages), options);
  }

  #compatFetch(): Fetch {
    return compatFetch(this.#exchange, {
      messages: this.#request.messages,
      fewFields: this.#form.includes("fewFields"),
      onChunk: () => this.#context.clock.pieceReceived(),
      attached: this.#attached,
    });
  }

  /** A lost connection may look like the end of the stream. */
  #checkEnd(): void {
    this.#exchange.signal.throwIfAborted();
    if (this.#assembler.hasFinishReason) return;
    const what = this.#assembler.hasBegun ? "in the middle of the answer" : "before it began to answer";
    throw new DossierError("model_unavailable", `The model's server ended the connection ${what}.`);
  }

  /** Only an answer with tool calls is continued by the same model, which may need what it attached. */
  #withAttached(reply: ChatReply): ChatReply {
    const { message, calls } = this.#attached.all;
    const none = Object.keys(message).length === 0 && Object.keys(calls).length === 0;
    return reply.toolCalls.length === 0 || none ? reply : { ...reply, attached: { from: placeOf(this.#context.target), message, calls } };
  }
}

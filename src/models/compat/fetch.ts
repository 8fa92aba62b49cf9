import type { Readable } from "node:stream";
import { createParser, type EventSourceParser } from "eventsource-parser";
import type { ChatMessage } from "../../domain/chat.ts";
import { type Fields, fieldsOf, listOf, parseJson } from "../../util/json-fields.ts";
import { bodyStream, type Exchange, type Fetch, headersFor } from "../exchange.ts";
import { statusOf } from "../read-failure.ts";
import type { AttachedFields } from "./attached.ts";
import { type CallPiece, type OpenAiChunk, RepeatedMessage, readOpenAiChunk } from "./read-chunk.ts";

export interface CompatCall {
  readonly messages: readonly ChatMessage[];
  /** Whether fields that some servers do not know are left out of the request. */
  readonly fewFields: boolean;
  /** Called at each chunk of the answer that has a part of it. */
  readonly onChunk: () => void;
  readonly attached: AttachedFields;
}

/** A `fetch` for `ChatOpenAI` that speaks with servers which know OpenAI's protocol only in part, or have added to it. */
export function compatFetch(exchange: Exchange, call: CompatCall): Fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.endsWith("/chat/completions")) return exchange.fetch(input, init);
    // The library keeps its request until it has a response, so it gets one at once: many prompts would not fit into memory twice.
    const answer = ReadableStream.from(asEvents(url, adaptedBody(init, call), exchange, call)).pipeThrough(new TextEncoderStream());
    return new Response(answer, { headers: { "content-type": "text/event-stream" } });
  };
}

/** Only a conversation with answers, or of a model that the library calls a reasoning one, is read and written again. */
function adaptedBody(init: RequestInit | undefined, call: CompatCall): Readable {
  const body = String(init?.body ?? "");
  const isPlain = !call.fewFields && !body.includes('"role":"developer"') && !call.messages.some(({ role }) => role === "assistant");
  return bodyStream(isPlain ? body : JSON.stringify(adaptBody(fieldsOf(parseJson(body)), call)));
}

function adaptBody({ messages, ...body }: Fields, call: CompatCall): Fields {
  const { stream_options: _, max_tokens: __, max_completion_tokens: ___, ...plain } = body;
  const own = call.messages.filter(({ role }) => role === "assistant");
  const adapted = listOf(messages)
    .map(fieldsOf)
    .map((message) => adaptMessage(message, message["role"] === "assistant" ? own.shift() : undefined));
  return { ...(call.fewFields ? plain : body), messages: adapted };
}

function adaptMessage(message: Fields, own: ChatMessage | undefined): Fields {
  if (message["role"] === "developer") return { ...message, role: "system" };
  if (own?.role !== "assistant") return message;
  const calls = listOf(message["tool_calls"]).map(fieldsOf);
  const returned = calls.map((call) => ({ ...call, ...own.attached?.calls[String(call["id"])] }));
  const content = calls.length > 0 && message["content"] === "" ? null : message["content"];
  return { ...message, content, ...own.attached?.message, ...(calls.length > 0 && { tool_calls: returned }) };
}

async function* asEvents(url: string, body: Readable, exchange: Exchange, call: CompatCall): AsyncGenerator<string> {
  // No header comes from the library, which reads some from the environment.
  const response = await exchange.send(url, headersFor(exchange.endpoint), body);
  if (exchange.refusal !== null) throw new Error(REFUSED);
  const reader = new AnswerReader(exchange, call);
  for await (const { events, isAnswer } of readEvents(response.body ?? new Blob([]).stream())) {
    const reading = exchange.watch(async () => {
      for (const data of events) await reader.read(data, isAnswer);
    });
    // What came before an error is passed on first.
    const [{ status }] = await Promise.allSettled([reading]);
    yield reader.take();
    if (status === "rejected") await reading;
  }
  yield `${reader.end()}data: [DONE]\n\n`;
}

const REFUSED = "The server refused the request.";

interface EventsRead {
  readonly events: readonly string[];
  /** Whether it is the whole answer: one JSON object in place of events. */
  readonly isAnswer: boolean;
}

/** Yields the data of the events that arrived together. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<EventsRead> {
  const read: string[] = [];
  const parser: EventSourceParser = createParser({ onEvent: ({ data }) => read.push(data) });
  let text = "";
  let isAnswer: boolean | null = null;
  for await (const piece of body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)) {
    if (isAnswer !== false) text += piece;
    isAnswer ??= text.trimStart() === "" ? null : text.trimStart().startsWith("{");
    if (isAnswer !== false) continue;
    parser.feed(text || piece);
    text = "";
    const end = read.findIndex((data) => data.startsWith("[DONE]"));
    yield { events: read.splice(0).slice(0, end < 0 ? undefined : end), isAnswer };
    if (end >= 0) return;
  }
  if (isAnswer === true) yield { events: [text], isAnswer };
  // Some servers leave out the empty line after the last event.
  parser.feed("\n\n");
  yield { events: read.filter((data) => !data.startsWith("[DONE]")), isAnswer: false };
}

const MAX_HELD_ARGUMENTS = 1_000;

/** Reads the chunks of one answer, and gives back what arrived together as one chunk in OpenAI's form. */
class AnswerReader {
  readonly #exchange: Exchange;
  readonly #call: CompatCall;
  readonly #repeated = new RepeatedMessage();
  #model = "";
  #said = false;
  #finished = false;
  #isAnswer = false;
  #texts = { content: "", reasoning: "" };
  #calls: CallPiece[] = [];
  #finish = "";
  #usage: Fields | null = null;

  constructor(exchange: Exchange, call: CompatCall) {
    this.#exchange = exchange;
    this.#call = call;
  }

  async read(data: string, isAnswer: boolean): Promise<void> {
    const json = fieldsOf(JSON.parse(data));
    const parts = readOpenAiChunk(json);
    if (parts.error !== null) await this.#refuse(statusOf(parts.error), { error: parts.error });
    this.#isAnswer = isAnswer;
    if (isAnswer && !("choices" in json)) await this.#refuse(200, json);
    const said = this.#repeated.unrepeated(parts);
    this.#model ||= said.model;
    this.#call.attached.add(said);
    this.#add(said);
    if (said.content === "" && said.reasoning === "" && said.calls.length === 0 && said.finish === "") return;
    this.#said = true;
    this.#call.onChunk();
  }

  /** Pieces of arguments wait for their end, or for many: the library reads all of them again at each piece. */
  take(): string {
    const [calls, held] = this.#mayHold() ? [[], this.#calls] : [this.#calls, []];
    const { content, reasoning } = this.#texts;
    const [finish, usage] = [this.#finish, this.#usage];
    if (content === "" && reasoning === "" && calls.length === 0 && finish === "" && usage === null) return "";
    [this.#texts, this.#calls, this.#finish, this.#usage] = [{ content: "", reasoning: "" }, held, "", null];
    const texts = { content, ...(reasoning !== "" && { reasoning_content: reasoning }) };
    const delta = { role: "assistant", ...texts, ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }) };
    const choices = [{ index: 0, delta, finish_reason: finish || null }];
    const chunk = { object: "chat.completion.chunk", model: this.#model, choices, ...(usage !== null && { usage }) };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }

  end(): string {
    if (!this.#finished && this.#said && (this.#exchange.isDone || this.#isAnswer)) this.#finish = "stop";
    this.#finished = true;
    return this.take();
  }

  #add({ content, reasoning, calls, finish, usage }: OpenAiChunk): void {
    this.#texts = { content: this.#texts.content + content, reasoning: this.#texts.reasoning + reasoning };
    for (const call of calls) {
      const last = this.#calls.at(-1);
      const continues = last !== undefined && call.id === "" && call.name === "" && call.index === last.index;
      if (continues) this.#calls[this.#calls.length - 1] = { ...last, text: last.text + call.text };
      else this.#calls.push(call);
    }
    this.#finish ||= finish;
    this.#finished ||= finish !== "";
    this.#usage = usage ?? this.#usage;
  }

  #mayHold(): boolean {
    const length = this.#calls.reduce((sum, { text }) => sum + text.length, 0);
    return !this.#finished && length <= MAX_HELD_ARGUMENTS && !this.#calls.some(({ text }) => text.includes("}"));
  }

  /** An error in the answer is a refusal like one by status. Ends the answer. */
  async #refuse(status: number, answer: Fields): Promise<never> {
    const body = new Blob([JSON.stringify(answer)]).stream();
    await this.#exchange.refuse({ status, headers: new Headers(), body });
    throw new Error(REFUSED);
  }
}

function wireCall({ index, id, name, text }: CallPiece): object {
  return { ...(index !== null && { index }), ...(id !== "" && { id }), type: "function", function: { name, arguments: text } };
}

import { z } from "zod";
import type { ChatDelta, ChatReply, ModelToolCall } from "../domain/chat.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { fieldsOf } from "../util/json-fields.ts";
import { readJson } from "../util/read-json.ts";

const MAX_SPACE = 1_000;
const OPENING = "<tool_call>";
const TAGGED = /^(?:\s*<tool_call>(?:(?!<tool_call>)[\s\S])*<\/tool_call>)+\s*$/;
const EACH = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/** The form in which `toolsInText` asks for calls. */
const CallsSchema = z
  .array(z.object({ name: z.string().min(1).max(128), arguments: z.union([z.string(), z.record(z.string(), z.unknown())]) }))
  .min(1)
  .max(32);

/** Null while the beginning of a text does not tell. */
function mayBeCalls(beginning: string, { json }: { readonly json: boolean }): boolean | null {
  const text = beginning.trimStart();
  if (beginning.length > MAX_SPACE && text === "") return false;
  if (text.startsWith(OPENING)) return true;
  if (OPENING.startsWith(text) || (json && (text === "`" || text === "``"))) return null;
  return json && /^(?:[{[]|```)/.test(text);
}

function callsOf(values: readonly unknown[]): ModelToolCall[] | null {
  const { data } = CallsSchema.safeParse(values);
  const calls = data?.map(({ name, arguments: args }, at) => {
    return { id: `call-${at + 1}`, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
  });
  return calls ?? null;
}

/** Finds calls that a model writes as text. Without `inText`, only calls in `<tool_call>` tags count. */
export class CallsInText {
  readonly #inText: boolean;
  readonly #names: ReadonlySet<string>;
  #state: "open" | "held" | "unknown";
  #held = "";

  constructor(tools: readonly ToolDescription[], inText: boolean) {
    this.#inText = inText;
    this.#names = new Set(tools.map(({ name }) => name));
    this.#state = tools.length > 0 ? "unknown" : "open";
  }

  push(delta: ChatDelta): ChatDelta {
    if (this.#state === "open") return delta;
    this.#held += delta.content;
    const calls = this.#state === "held" ? true : mayBeCalls(this.#held, { json: this.#inText });
    if (calls !== false) {
      if (calls) this.#state = "held";
      return { ...delta, content: "" };
    }
    this.#state = "open";
    return { ...delta, content: this.#held };
  }

  end(delta: ChatDelta, reply: ChatReply): { delta: ChatDelta; reply: ChatReply } {
    if (this.#state === "open") return { delta, reply };
    const calls = reply.finishReason === "stop" ? this.#read(reply.content) : null;
    if (calls === null) return { delta: { ...delta, content: this.#held + delta.content }, reply };
    return { delta: { ...delta, toolCalls: calls }, reply: { ...reply, content: "", toolCalls: calls, finishReason: "tool_calls" } };
  }

  #read(content: string): ModelToolCall[] | null {
    if (TAGGED.test(content)) {
      const calls = callsOf([...content.matchAll(EACH)].map(([, inside = ""]) => readJson(inside.trim())));
      return this.#inText || calls?.every(({ name }) => this.#names.has(name)) ? calls : null;
    }
    if (!this.#inText) return null;
    const json = readJson(content.trim());
    return callsOf([fieldsOf(json)["tool_calls"] ?? json].flat());
  }
}

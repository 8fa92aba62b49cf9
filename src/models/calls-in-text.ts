import { z } from "zod";
import type { ModelToolCall } from "../domain/chat.ts";
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

function callsOf(values: readonly unknown[]): ModelToolCall[] | null {
  const { data } = CallsSchema.safeParse(values);
  const calls = data?.map(({ name, arguments: args }, at) => {
    return { id: `call-${at + 1}`, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
  });
  return calls ?? null;
}

/** Finds calls that a model writes as text. Without `inText`, only calls of offered tools in `<tool_call>` tags count. */
export class CallsInText {
  readonly #inText: boolean;
  readonly #names: ReadonlySet<string>;
  /** Null while the beginning of the text does not tell. */
  #mayBeCalls: boolean | null;
  #held = "";

  constructor(names: ReadonlySet<string>, inText: boolean) {
    this.#inText = inText;
    this.#names = names;
    this.#mayBeCalls = names.size > 0 ? null : false;
  }

  /** Returns what is certainly no call. */
  push(content: string): string {
    if (this.#mayBeCalls === false) return content;
    this.#held += content;
    this.#mayBeCalls ??= this.#beginsCalls();
    return this.#mayBeCalls === false ? this.end() : "";
  }

  /** Returns the rest. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** Reads the calls in a whole answer. Null if it has none. */
  read(content: string): ModelToolCall[] | null {
    if (this.#mayBeCalls === false) return null;
    if (TAGGED.test(content)) {
      const calls = callsOf([...content.matchAll(EACH)].map(([, inside = ""]) => readJson(inside.trim())));
      return this.#inText || calls?.every(({ name }) => this.#names.has(name)) ? calls : null;
    }
    if (!this.#inText) return null;
    const json = readJson(content.trim());
    return callsOf([fieldsOf(json)["tool_calls"] ?? json].flat());
  }

  #beginsCalls(): boolean | null {
    const text = this.#held.trimStart();
    if (this.#held.length > MAX_SPACE && text === "") return false;
    if (text.startsWith(OPENING)) return true;
    if (OPENING.startsWith(text) || (this.#inText && (text === "`" || text === "``"))) return null;
    return this.#inText && /^(?:[{[]|```)/.test(text);
  }
}

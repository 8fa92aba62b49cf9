import { z } from "zod";
import type { ModelToolCall } from "../domain/chat.ts";
import { fieldsOf, isFields, parseJson } from "../util/json-fields.ts";
import { readJson } from "../util/read-json.ts";
import type { CallFragment } from "./langchain-messages.ts";

/** Finds the end of JSON in linear time. `JSON.parse` after each piece would take quadratic time. */
class JsonEnd {
  #depth = 0;
  #began = false;
  #inString = false;
  #escaped = false;

  get closed(): boolean {
    return this.#began && this.#depth === 0;
  }

  /** Returns the length of the piece up to the end of the JSON. */
  push(piece: string): number {
    for (let at = 0; at < piece.length; at += 1) if (this.#ends(piece.charAt(at))) return at + 1;
    return piece.length;
  }

  #ends(character: string): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (character === '"') this.#inString = !this.#inString;
    else if (this.#inString) this.#escaped = character === "\\";
    else if (character === "{" || character === "[") {
      this.#began = true;
      this.#depth += 1;
    } else if (character === "}" || character === "]") {
      this.#depth -= 1;
      return this.closed;
    }
    return false;
  }
}

const MAX_CALLS = 128;

/** In UTF-16 code units. No tool has a longer name; an id may hold what the server wants to get back. */
const MAX_NAME = 128;
const MAX_ID = 20_000;

/** A longer name is that of no tool, and stays so: the mark at its end is in no name. */
function boundName(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME).toWellFormed()}…`;
}

interface OpenCall {
  readonly index: number | null;
  readonly end: JsonEnd;
  sentId: string;
  name: string;
  arguments: string;
  /** Whether the arguments are a JSON object, which ends what is taken; or closed JSON that is none. */
  state: "open" | "whole" | "broken";
}

/** Assembles tool calls from pieces. Servers may repeat or leave out ids, names and indexes. */
export class CallAssembler {
  readonly #calls: OpenCall[] = [];
  readonly #offered: ReadonlySet<string>;

  constructor(offered: ReadonlySet<string>) {
    this.#offered = offered;
  }

  get tooMuch(): boolean {
    return this.#calls.length > MAX_CALLS;
  }

  /** The calls so far to which nothing more can belong. */
  get complete(): Omit<ModelToolCall, "id">[] {
    const complete = this.#calls.filter(({ state, end }, at) => state === "whole" || (end.closed && at < this.#calls.length - 1));
    return complete.map(({ name, arguments: text }) => ({ name: offeredName(name, this.#offered), arguments: text }));
  }

  push(fragment: CallFragment): void {
    const call = this.#find(fragment) ?? this.#begin(fragment);
    call.sentId ||= fragment.id.slice(0, MAX_ID);
    // A server may send a name in pieces, or again with each fragment.
    if (call.arguments === "" && fragment.name !== call.name) call.name = boundName(call.name + fragment.name);
    if (fragment.text !== "") extend(call, fragment.text);
  }

  /** Returns all calls after the response. In a complete response, calls without arguments get `{}`. */
  end(isComplete: boolean): ModelToolCall[] {
    const ids = new Set<string>();
    return this.#calls.map(({ sentId, name, arguments: text }, at) => {
      let id = sentId;
      for (let number = at + 1; id === "" || ids.has(id); number += 1) id = `call-${number}`;
      ids.add(id);
      return { id, name: offeredName(name, this.#offered), arguments: isComplete && text.trim() === "" ? "{}" : text };
    });
  }

  #find(fragment: CallFragment): OpenCall | undefined {
    if (fragment.index === null) return this.#findWithoutIndex(fragment);
    const call = this.#calls.findLast(({ index }) => index === fragment.index);
    if (call === undefined || fragment.name === "") return call;
    // Some servers send the same index for all calls.
    const other = fragment.id !== "" && call.sentId !== "" && fragment.id !== call.sentId;
    const again = call.end.closed && !isPlaceholder(call.arguments) && fragment.text.trimStart().startsWith("{");
    return other || again ? undefined : call;
  }

  #findWithoutIndex({ id, name, text }: CallFragment): OpenCall | undefined {
    const last = this.#calls.at(-1);
    if (id === "") return name === "" || (name === last?.name && !last.end.closed) ? last : undefined;
    const call = this.#calls.findLast((one) => one.sentId === id);
    if (call === undefined || name === "") return call ?? (name === "" ? last : undefined);
    return call.end.closed && (text === "" || text.trimStart().startsWith("{")) ? undefined : call;
  }

  #begin({ index }: CallFragment): OpenCall {
    const call: OpenCall = { index, end: new JsonEnd(), sentId: "", name: "", arguments: "", state: "open" };
    this.#calls.push(call);
    return call;
  }
}

/** What follows a JSON object, such as a special token, is no part of the arguments. */
function extend(call: OpenCall, text: string): void {
  if (call.state === "whole") return;
  // `{}` may be a placeholder for arguments that follow.
  if (isPlaceholder(call.arguments) && text.trimStart().startsWith("{")) call.arguments = "";
  const length = call.state === "open" ? call.end.push(text) : text.length;
  const json = call.arguments + text.slice(0, length);
  const rest = text.slice(length);
  if (call.state === "open" && call.end.closed && !(isPlaceholder(json) && rest.trim() === ""))
    call.state = isFields(parseJson(json)) ? "whole" : "broken";
  call.arguments = call.state === "whole" ? json : json + rest;
}

function isPlaceholder(text: string): boolean {
  return text.length < 20 && /^\s*\{\s*\}\s*$/.test(text);
}

/** The offered tool that a model means by a name with a channel's token behind it or a namespace before it; else the name itself. */
function offeredName(name: string, offered: ReadonlySet<string>): string {
  if (offered.has(name)) return name;
  const plain = name.split(/<[|｜]/, 1)[0]?.trim() ?? "";
  const last = /[^.:/]*$/.exec(plain)?.[0] ?? "";
  return [plain, last].find((one) => offered.has(one)) ?? (plain || name);
}

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
